import { Form } from '@remix-run/react'
import { SubmitButton } from '#app/components/form/submit-button.tsx'

export interface OpenPlacesProps {
  /** Those that the person can join by their email domain. */
  places: { id: string; displayName: string }[]
  email: string
}

/** The organizations that the person can join by their email domain, each with a button; nothing without any. */
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
