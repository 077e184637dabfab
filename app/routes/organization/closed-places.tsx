import { Form } from '@remix-run/react'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { Day } from '#app/components/list/time.tsx'

export interface ClosedPlacesProps {
  places: { id: string; name: string; closedAt: Date | string; endsAt: Date | string }[]
}

/** Closed organizations with the dates of closing and deletion, each with a reopen button. */
export function ClosedPlaces({ places }: ClosedPlacesProps) {
  return (
    <ul className="list">
      {places.map(({ id, name, closedAt, endsAt }) => (
        <li key={id} className="list-item">
          <div className="list-main">
            <div className="list-title">{name}</div>
            <p className="muted">
              Closed on <Day date={closedAt} />, will be deleted for good on <Day date={endsAt} />
            </p>
          </div>
          <Form method="post" action="/organization/closed" className="list-actions">
            <input type="hidden" name="placeId" value={id} />
            <SubmitButton intent="reopen" doing="Opening…" className="button is-small is-primary">
              Reopen<span className="sr-only"> {name}</span>
            </SubmitButton>
          </Form>
        </li>
      ))}
    </ul>
  )
}
