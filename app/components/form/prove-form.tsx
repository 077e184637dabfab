import type { ReactNode } from 'react'
import { TextField } from './field.tsx'
import { FormError } from './form-error.tsx'
import type { FormErrors } from './issues.ts'
import { SecondStepFields, secondStepIn, type Factors } from './second-step-fields.tsx'

/** What proves once more who sits here: the second factor, else the password. `children`: the buttons. */
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

/** What such a form says. */
export function proofIn(form: FormData) {
  const password = form.get('password')
  return typeof password === 'string' ? { password } : secondStepIn(form)
}
