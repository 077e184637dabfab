import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { Link, useLoaderData } from '@remix-run/react'
import { SsoStopped } from './sso-stopped.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { handleSsoCallback } from './sso.server.ts'

export const loader = (args: LoaderFunctionArgs) => handleSsoCallback(args)

export const meta = placeTitle('Signing in did not work')

export default function SsoCallback() {
  const { message } = useLoaderData<typeof loader>()
  return (
    <SsoStopped title="Signing in did not work" message={message}>
      <Link className="button is-primary" to="/login/sso">
        Begin again
      </Link>
    </SsoStopped>
  )
}
