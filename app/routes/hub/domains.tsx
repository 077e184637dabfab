import { useLoaderData } from '@remix-run/react'
import { DomainsIndex } from './domains-index.tsx'
import { withSharing } from '#app/components/hub/sharing.ts'
import { hubTexts } from '#app/components/hub/texts.ts'
import { hubDomains } from './domains.server.ts'

export const loader = hubDomains

export const meta = withSharing<typeof loader>(({ data }) => [
  { title: hubTexts(data?.locale ?? 'en').domains },
])

export default function Domains() {
  return <DomainsIndex {...useLoaderData<typeof loader>()} />
}
