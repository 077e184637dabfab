import type { ReactNode } from 'react'
import { TextField } from '#app/components/form/field.tsx'
import type { FormErrors } from '#app/components/form/issues.ts'

interface CredentialProps {
  autoFocus?: boolean
  /** Why its form was refused, where the form does not say so itself. */
  errors?: FormErrors | undefined
}

/** The address someone signs in with. */
export function EmailField(props: CredentialProps & { defaultValue?: string }) {
  return <TextField label="E-mail" name="email" type="email" autoComplete="username" required {...props} />
}

interface PasswordProps extends CredentialProps {
  label?: string
  name?: string
  hint?: ReactNode
}

/** The password someone has. */
export function PasswordField({ label = 'Password', name = 'password', ...props }: PasswordProps) {
  return (
    <TextField {...{ label, name }} type="password" autoComplete="current-password" required {...props} />
  )
}

/** A password that is chosen; `hint` stands behind what it has to be. */
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
