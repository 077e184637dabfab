import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { withSharing } from '#app/components/hub/sharing.ts'
import { StoriesIndex } from './stories-index.tsx'
import { hubTexts } from '#app/components/hub/texts.ts'
import { storySummaries } from '#app/server/hub-stories.server.ts'
import { getPageLanguage } from '#app/server/page-language.server.ts'

const most = 200

export async function loader(args: LoaderFunctionArgs) {
  return { stories: await storySummaries(args, most), locale: getPageLanguage(args.context.ctx) }
}

export const meta = withSharing<typeof loader>(({ data }) => [
  { title: hubTexts(data?.locale ?? 'en').stories },
])

export default function DataStories() {
  return <StoriesIndex {...useLoaderData<typeof loader>()} />
}
