import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { withSharing } from '#app/components/hub/sharing.ts'
import { words } from '#app/components/hub/words.ts'
import { TopicPage } from './topic-pages.tsx'
import { topicPage } from './topic-pages.server.ts'

export function loader(args: LoaderFunctionArgs) {
  return topicPage(args)
}

export const meta = withSharing<typeof loader>(({ data }) => [
  { title: data?.title ?? words('en').topics },
  ...(data ? [{ name: 'description', content: words(data.locale).indicators(data.count) }] : []),
])

export default function Topic() {
  return <TopicPage {...useLoaderData<typeof loader>()} />
}
