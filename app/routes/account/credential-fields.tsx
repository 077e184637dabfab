import type { ReactNode } from 'react'
import { TextField } from '#app/components/form/field.tsx'
import type { FormErrors } from '#app/components/form/issues.ts'

interface CredentialProps {
  autoFocus?: boolean
  /** The errors of its form, if the form does not provide them. */
  errors?: FormErrors | undefined
}

/** The email address for signing in. */
export function EmailField(props: CredentialProps & { defaultValue?: string }) {
  return <TextField label="E-mail" name="email" type="email" autoComplete="username" required {...props} />
}

interface PasswordProps extends CredentialProps {
  label?: string
  name?: string
  hint?: ReactNode
}

/** The current password. */
export function PasswordField({ label = 'Password', name = 'password', ...props }: PasswordProps) {
  return (
    <TextField {...{ label, name }} type="password" autoComplete="current-password" required {...props} />
  )
}

/** A new password; `hint` follows the requirements. */
export function NewPasswordField({
  label = 'Password',
  hint = '',
  ...props
}: CredentialProps & { label?: string; hint?: string }) {
  return (
    <TextField
      {...{ label, name: 'password', hint: `At least 10 characters.${hint}` }}
      type="password"
      autoComplete="new-password"
      minLength={10}
      required
      {...props}
    />
  )
}
