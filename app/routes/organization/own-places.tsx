import { Form } from '@remix-run/react'

export interface OwnPlacesProps {
  places: { id: string; name: string }[]
  /** The path that was requested, which opens in the chosen organization. */
  to: string
}

/** The person's own organizations, each with a button to work in it; nothing without any. */
export function OwnPlaces({ places, to }: OwnPlacesProps) {
  if (!places.length) return null
  return (
    <section className="stack" aria-labelledby="own-places">
      <h2 id="own-places">Yours</h2>
      <p className="muted">You work in your personal account, which has no data. Choose where to go on.</p>
      <ul className="list">
        {places.map(({ id, name }) => (
          <li key={id} className="list-item">
            <div className="list-main list-title">{name}</div>
            <Form method="post" action="/switch" className="list-actions">
              <input type="hidden" name="placeId" value={id} />
              <input type="hidden" name="to" value={to} />
              <button className="button is-small is-primary">
                Work here<span className="sr-only"> in {name}</span>
              </button>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  )
}
