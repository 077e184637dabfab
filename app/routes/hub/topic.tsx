import { useLoaderData } from '@remix-run/react'
import { withSharing } from '#app/components/hub/sharing.ts'
import { hubTexts } from '#app/components/hub/texts.ts'
import { CatalogueGroup } from './catalogue-group.tsx'
import { topicPage } from './catalogue-group.server.ts'

export const loader = topicPage

export const meta = withSharing<typeof loader>(({ data }) => [
  { title: data?.title ?? hubTexts('en').topics },
  ...(data ? [{ name: 'description', content: hubTexts(data.locale).indicators(data.count) }] : []),
])

export default function Topic() {
  return <CatalogueGroup {...useLoaderData<typeof loader>()} />
}
