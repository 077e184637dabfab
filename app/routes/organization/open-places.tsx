import { Form } from '@remix-run/react'
import { SubmitButton } from '#app/components/form/submit-button.tsx'

export interface OpenPlacesProps {
  /** Those that let the person in by the domain of their address. */
  places: { id: string; displayName: string }[]
  email: string
}

/** The organizations that someone comes into by their address, each with the button that does it; nothing where there are none. */
export function OpenPlaces({ places, email }: OpenPlacesProps) {
  if (!places.length) return null
  return (
    <section className="stack" aria-labelledby="open-places">
      <h2 id="open-places">Open to you</h2>
      <p className="muted">Whoever has an address such as yours, {email}, may come in and look around.</p>
      <ul className="list">
        {places.map(({ id, displayName }) => (
          <li key={id} className="list-item">
            <div className="list-main list-title">{displayName}</div>
            <Form method="post" className="list-actions" preventScrollReset>
              <input type="hidden" name="placeId" value={id} />
              <SubmitButton intent="join" doing="Joining…" className="button is-small is-primary">
                Join<span className="sr-only"> {displayName}</span>
              </SubmitButton>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  )
}
