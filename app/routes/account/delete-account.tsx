import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { ShortForm } from '#app/components/form/edit-form.tsx'
import { PasswordField } from './credential-fields.tsx'

/** Deleting the account. The only admin of an organization, or the only super admin, must hand over first. */
export function DeleteAccount() {
  return (
    <section className="stack" aria-labelledby="farewell">
      <h2 id="farewell">Delete the account</h2>
      <ShortForm
        preventScrollReset
        names={['password']}
        save={null}
        intents={['deleteAccount']}
        more={
          <ConfirmButton
            intent="deleteAccount"
            question="Delete your account?"
            text="You are signed out everywhere and leave all organizations. It cannot be brought back."
            answer="Delete the account"
            className="button is-danger"
          >
            Delete the account
          </ConfirmButton>
        }
      >
        <PasswordField
          label="Your password"
          hint="What you made in organizations stays theirs. Your keys stop working."
        />
      </ShortForm>
    </section>
  )
}
