import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import { AccountCard } from '#app/components/form/account-card.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { sendToProvider } from '#app/server/sso.server.ts'

export const loader = (args: LoaderFunctionArgs) => sendToProvider(args)

export const meta = placeTitle('Sign in with your organization')

export default function SsoStart() {
  const { message } = useLoaderData<typeof loader>()
  return (
    <AccountCard
      title="Your organization’s sign-in cannot be used"
      foot={<Link to="/login">Sign in with a password instead</Link>}
    >
      <p className="form-error" role="alert">
        {message}
      </p>
    </AccountCard>
  )
}
