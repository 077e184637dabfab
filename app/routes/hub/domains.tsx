import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { DomainsIndex } from '#app/components/hub/domains-index.tsx'
import { hubDomains } from '#app/server/hub-domains.server.ts'

export function loader(args: LoaderFunctionArgs) {
  return hubDomains(args)
}

export const meta = () => [{ title: 'Domains' }]

export default function Domains() {
  return <DomainsIndex {...useLoaderData<typeof loader>()} />
}
