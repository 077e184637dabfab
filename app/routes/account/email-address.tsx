import { ShortForm } from '#app/components/form/edit-form.tsx'
import { TextField } from '#app/components/form/field.tsx'

/** The form that changes the email address. `isSent`: the confirmation email was just sent. */
export function EmailAddress({
  email,
  isSent,
  hasOutbox,
}: {
  email: string
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
      <ShortForm
        preventScrollReset
        names={['email']}
        save={{
          intent: 'changeEmail',
          label: 'Change the address',
          doing: 'Sending…',
          className: 'button',
        }}
      >
        <TextField
          label="New e-mail address"
          name="email"
          type="email"
          autoComplete="email"
          hint="We send a link there. Your old address is told, and can undo the change for seven days."
          maxLength={254}
          required
        />
      </ShortForm>
    </section>
  )
}
