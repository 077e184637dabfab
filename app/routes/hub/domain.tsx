import { useLoaderData } from '@remix-run/react'
import { withSharing } from '#app/components/hub/sharing.ts'
import { hubTexts } from '#app/components/hub/texts.ts'
import { CatalogueGroup } from './catalogue-group.tsx'
import { domainPage } from './catalogue-group.server.ts'

export const loader = domainPage

export const meta = withSharing<typeof loader>(({ data }) => [
  { title: data?.title ?? hubTexts('en').domains },
  ...(data
    ? [{ name: 'description', content: data.notes ?? hubTexts(data.locale).indicators(data.count) }]
    : []),
])

export default function Domain() {
  return <CatalogueGroup {...useLoaderData<typeof loader>()} />
}
