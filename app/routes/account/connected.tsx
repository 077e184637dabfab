import { Form } from '@remix-run/react'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import type { FormErrors } from '#app/components/form/issues.ts'
import { Day } from '#app/components/list/time.tsx'

export interface ConnectedProps {
  identities: { id: string; placeName: string; issuer: string; lastUsedAt: Date | string }[]
  errors: FormErrors | undefined
}

/** The single sign-on identities of this account; nothing without any. */
export function Connected({ identities, errors }: ConnectedProps) {
  if (!identities.length) return null
  return (
    <section className="stack" aria-labelledby="connected">
      <h2 id="connected">Sign-in of organizations</h2>
      <p className="muted">
        Each opens its own organization for you, and nothing else: not the others, and not this screen.
      </p>
      <FormError errors={errors} names={[]} />
      <ul className="list">
        {identities.map(({ id, placeName, issuer, lastUsedAt }) => (
          <li key={id} className="list-item">
            <div className="list-main">
              <div className="list-title">{placeName}</div>
              <div className="list-note">
                {new URL(issuer).host}, last used <Day date={lastUsedAt} />
              </div>
            </div>
            <Form method="post" className="list-actions" preventScrollReset>
              <input type="hidden" name="id" value={id} />
              <ConfirmButton
                intent="disconnect"
                question={`Disconnect the sign-in of ${placeName}?`}
                text="What it has opened is signed out at once. You stay in the organization and sign in with your password."
                answer="Disconnect"
                className="button is-small"
              >
                Disconnect<span className="sr-only"> {placeName}</span>
              </ConfirmButton>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  )
}
