import { Form } from '@remix-run/react'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { SelectField, type Option } from '#app/components/form/field.tsx'

export interface HandOverProps {
  /** The people who can become the admin. */
  people: { id: string; name: string }[]
  roles: readonly Option[]
}

/**
 * The form by which an administrator makes someone else an administrator and changes their own role or
 * leaves. Empty without other people.
 */
export function HandOver({ people, roles }: HandOverProps) {
  if (!people.length) return null
  return (
    <section className="stack" aria-labelledby="hand-over">
      <h2 id="hand-over">Hand the organization over</h2>
      <p className="muted">
        Someone else of the team becomes its organization admin, and you what you choose. An organization
        always has one.
      </p>
      <Form method="post" className="form" preventScrollReset>
        <div className="field-row">
          <SelectField
            label="To whom"
            name="id"
            options={people.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <SelectField
            label="What you are then"
            name="role"
            options={[{ value: '', label: 'I leave' }, ...roles]}
          />
        </div>
        <div className="button-group">
          <ConfirmButton
            intent="handOver"
            question="Hand the organization over?"
            text="Only they, or another organization admin, can give it back to you."
            answer="Hand over"
            className="button"
          >
            Hand over
          </ConfirmButton>
        </div>
      </Form>
    </section>
  )
}
