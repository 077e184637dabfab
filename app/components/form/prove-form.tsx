import type { ReactNode } from 'react'
import { TextField } from './field.tsx'
import { FormError } from './form-error.tsx'
import type { FormErrors } from './issues.ts'
import { SecondStepFields, secondStepIn, type Factors } from './second-step-fields.tsx'

/** Re-authentication: second factor, else password. `children`: the buttons. */
export function ProveFields({
  factors,
  errors,
  children,
}: {
  /** Null: the person has no second factor. */
  factors: Factors | null
  errors: FormErrors | undefined
  children: ReactNode
}) {
  return (
    <>
      <FormError errors={errors} names={['password', 'code', 'recoveryCode', 'passkey']} />
      {factors ? (
        <SecondStepFields errors={errors} factors={factors} during="session" />
      ) : (
        <TextField
          label="Your password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          autoFocus
          errors={errors}
        />
      )}
      {children}
    </>
  )
}

/** Reads the proof from its form. */
export function proofIn(form: FormData) {
  const password = form.get('password')
  return typeof password === 'string' ? { password } : secondStepIn(form)
}
