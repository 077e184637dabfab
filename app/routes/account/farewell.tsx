import { Form } from '@remix-run/react'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import type { RefusedForm } from '#app/components/form/issues.ts'

/** The end of an account. Whoever is the only admin of an organization, or the only super admin, is told to hand it over. */
export function Farewell({ refused }: { refused: RefusedForm | undefined }) {
  return (
    <section className="stack" aria-labelledby="farewell">
      <h2 id="farewell">Delete the account</h2>
      <Form method="post" className="form" preventScrollReset>
        <FormError refused={refused} names={['password']} />
        <TextField
          label="Your password"
          name="password"
          type="password"
          autoComplete="current-password"
          hint="What you made in organizations stays theirs. Your keys stop working."
          required
          refused={refused}
        />
        <div className="form-actions">
          <ConfirmButton
            intent="deleteAccount"
            question="Delete your account?"
            text="You are signed out everywhere and leave all organizations. It cannot be brought back."
            answer="Delete the account"
            className="button is-danger"
          >
            Delete the account
          </ConfirmButton>
        </div>
      </Form>
    </section>
  )
}
