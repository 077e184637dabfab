import { Form } from '@remix-run/react'
import { TextField } from '#app/components/form/field.tsx'
import { FormError } from '#app/components/form/form-error.tsx'
import type { RefusedForm } from '#app/components/form/issues.ts'
import { KeysLeft, type OwnKeyLine } from './own-keys.tsx'
import { SubmitButton } from '#app/components/form/submit-button.tsx'

/** Chooses another password; the present one is asked for once more. `keys`: those that work on after it was just changed. */
export function Password({ refused, keys }: { refused: RefusedForm | undefined; keys: OwnKeyLine[] | null }) {
  return (
    <section className="stack" aria-labelledby="password">
      <h2 id="password">Password</h2>
      {keys ? <KeysLeft keys={keys} /> : null}
      <Form method="post" className="form" preventScrollReset>
        <FormError refused={refused} names={['current', 'password']} />
        <TextField
          label="Present password"
          name="current"
          type="password"
          autoComplete="current-password"
          required
          refused={refused}
        />
        <TextField
          label="New password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint="At least 10 characters. Every other device is signed out."
          minLength={10}
          required
          refused={refused}
        />
        <div className="form-actions">
          <SubmitButton intent="changePassword" doing="Changing…" className="button">
            Change the password
          </SubmitButton>
        </div>
      </Form>
    </section>
  )
}
