import { Form } from '@remix-run/react'
import { TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import type { RefusedForm } from '#app/components/form/issues.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'

/** Asks for another e-mail address. `isSent`: the email that confirms it was just written. */
export function EmailAddress({
  email,
  refused,
  isSent,
  hasOutbox,
}: {
  email: string
  refused: RefusedForm | undefined
  isSent: boolean
  hasOutbox: boolean
}) {
  return (
    <section className="stack" aria-labelledby="email">
      <h2 id="email">E-mail address</h2>
      <p className="muted">You sign in with {email}.</p>
      {isSent ? (
        <p className="notice is-success" role="status">
          We sent an email to the new address. Follow its link in this browser: only then your address
          changes.
          {hasOutbox ? (
            <>
              {' '}
              This demo sends no mail. <a href="/outbox">Read its emails here.</a>
            </>
          ) : null}
        </p>
      ) : null}
      <Form method="post" className="form" preventScrollReset>
        <FormError refused={refused} names={['email']} />
        <TextField
          label="New e-mail address"
          name="email"
          type="email"
          autoComplete="email"
          hint="We send a link there. Your old address is told, and can undo the change for seven days."
          maxLength={254}
          required
          refused={refused}
        />
        <div className="form-actions">
          <SubmitButton intent="changeEmail" doing="Sending…" className="button">
            Change the address
          </SubmitButton>
        </div>
      </Form>
    </section>
  )
}
