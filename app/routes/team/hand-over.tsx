import { Form } from '@remix-run/react'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import type { Option } from '#app/components/form/field.tsx'

export interface HandOverProps {
  /** Whom it may be handed over to. */
  people: { id: string; name: string }[]
  roles: readonly Option[]
}

/** The form by which an administrator makes another one and becomes something else, or leaves; nothing while they are alone. */
export function HandOver({ people, roles }: HandOverProps) {
  if (!people.length) return null
  return (
    <section className="stack" aria-labelledby="hand-over">
      <h2 id="hand-over">Hand the organization over</h2>
      <p className="muted">
        Someone else of the team becomes its organization admin, and you what you choose. An organization
        always has one.
      </p>
      <Form method="post" className="row" preventScrollReset>
        <select name="id" aria-label="To whom">
          {people.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <select name="role" aria-label="What you are then" defaultValue="">
          <option value="">I leave</option>
          {roles.map(({ value, label }) => (
            <option key={value} value={value}>
              I am {label}
            </option>
          ))}
        </select>
        <ConfirmButton
          intent="handOver"
          question="Hand the organization over?"
          text="Only they, or another organization admin, can give it back to you."
          answer="Hand over"
          className="button"
        >
          Hand over
        </ConfirmButton>
      </Form>
    </section>
  )
}
