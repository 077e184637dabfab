import { useLoaderData } from '@remix-run/react'
import { withSharing } from '#app/components/hub/sharing.ts'
import { hubTexts } from '#app/components/hub/texts.ts'
import { TopicsIndex } from './topics-index.tsx'
import { topicsIndex } from './catalogue-group.server.ts'

export const loader = topicsIndex

export const meta = withSharing<typeof loader>(({ data }) => [
  { title: hubTexts(data?.locale ?? 'en').topics },
])

export default function Topics() {
  return <TopicsIndex {...useLoaderData<typeof loader>()} />
}
