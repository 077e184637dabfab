import { useLoaderData } from '@remix-run/react'
import { withSharing } from '#app/components/hub/sharing.ts'
import { hubTexts } from '#app/components/hub/texts.ts'
import { SearchShell } from './search-shell.tsx'
import { hubSearch } from './search.server.ts'

export const loader = hubSearch

export const meta = withSharing<typeof loader>(({ data }) => [
  { title: hubTexts(data?.locale ?? 'en').searchButton },
  ...(data ? [{ name: 'description', content: data.description }] : []),
  { name: 'robots', content: 'noindex' },
])

export default function Search() {
  return <SearchShell {...useLoaderData<typeof loader>()} />
}
