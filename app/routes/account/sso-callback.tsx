import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import { AccountCard } from '#app/components/form/account-card.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { comeBack } from '#app/server/sso.server.ts'

export const loader = (args: LoaderFunctionArgs) => comeBack(args)

export const meta = placeTitle('Signing in did not work')

export default function SsoCallback() {
  const { message } = useLoaderData<typeof loader>()
  return (
    <AccountCard
      title="Signing in did not work"
      foot={<Link to="/login">Sign in with a password instead</Link>}
    >
      <p className="form-error" role="alert">
        {message}
      </p>
      <Link className="button is-primary" to="/login/sso">
        Begin again
      </Link>
    </AccountCard>
  )
}
