import { Form, Link } from '@remix-run/react'
import { roleName } from '#functions/shapes/built-in-role.ts'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import type { FormErrors } from '#app/components/form/issues.ts'

export interface PlacesProps {
  places: { id: string; displayName: string; role: string | null }[]
  errors: FormErrors | undefined
}

/** The organizations of the person, each with a button to leave. */
export function Places({ places, errors }: PlacesProps) {
  return (
    <section className="stack" aria-labelledby="places">
      <h2 id="places">Organizations</h2>
      <FormError errors={errors} names={[]} />
      {places.length ? (
        <ul className="list">
          {places.map(({ id, displayName, role }) => (
            <li key={id} className="list-item">
              <div className="list-main list-title">{displayName}</div>
              <div className="list-meta">{role ? (roleName(role) ?? role) : 'No role yet'}</div>
              <Form method="post" className="list-actions" preventScrollReset>
                <input type="hidden" name="id" value={id} />
                <ConfirmButton
                  intent="leave"
                  question={`Leave ${displayName}?`}
                  text="You see what is public from then on. Only an admin can bring you back."
                  answer="Leave"
                  className="button is-small"
                >
                  Leave<span className="sr-only"> {displayName}</span>
                </ConfirmButton>
              </Form>
            </li>
          ))}
        </ul>
      ) : (
        <p className="muted">You belong to no organization yet.</p>
      )}
      <div className="button-group">
        <Link className={places.length ? 'button' : 'button is-primary'} to="/organization/new">
          {places.length ? 'Another organization' : 'Get an organization'}
        </Link>
        <Link className="button is-quiet" to="/organization/closed">
          Closed organizations
        </Link>
      </div>
    </section>
  )
}
