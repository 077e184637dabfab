import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { SsoStopped } from './sso-stopped.tsx'
import { placeTitle } from '#app/components/shell/page-title.ts'
import { sendToProvider } from './sso.server.ts'

export const loader = (args: LoaderFunctionArgs) => sendToProvider(args)

export const meta = placeTitle('Sign in with your organization')

export default function SsoStart() {
  const { message } = useLoaderData<typeof loader>()
  return <SsoStopped title="Your organization’s sign-in cannot be used" message={message} />
}
