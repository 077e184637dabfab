import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { AccountCard } from './account-card.tsx'

/** Why a single sign-on failed. `children`: alternatives besides the password. */
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
