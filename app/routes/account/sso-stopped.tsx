import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { AccountCard } from './account-card.tsx'

/** Why a sign-in by an organization's provider did not go on. `children`: what can be done beside using the password. */
export function SsoStopped({
  title,
  message,
  children,
}: {
  title: string
  message: string
  children?: ReactNode
}) {
  return (
    <AccountCard title={title} foot={<Link to="/login">Sign in with a password instead</Link>}>
      <p className="form-error" role="alert">
        {message}
      </p>
      {children}
    </AccountCard>
  )
}
