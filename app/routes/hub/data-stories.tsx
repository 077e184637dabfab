import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { StoriesIndex } from '#app/components/hub/stories-index.tsx'
import { hubLocale } from '#app/server/hub-frame.server.ts'
import { storySummaries } from '#app/server/hub-home.server.ts'

const most = 200

export async function loader(args: LoaderFunctionArgs) {
  return { stories: await storySummaries(args, most), locale: hubLocale }
}

export const meta = () => [{ title: 'Data stories' }]

export default function DataStories() {
  return <StoriesIndex {...useLoaderData<typeof loader>()} />
}
