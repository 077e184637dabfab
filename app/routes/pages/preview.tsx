import type { LinksFunction, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { HubPage } from '#app/routes/modes/hub-page.tsx'
import { StoryPage } from '#app/components/hub/story-page.tsx'
import { storyPage } from '#app/server/story.server.ts'
import hubStyle from '#app/styles/hub.css?url'

/** A story as its readers see it: on its hub, and before publishing in the workspace. */
export function loader(args: LoaderFunctionArgs) {
  return storyPage(args)
}

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: hubStyle }]

export const meta = ({ data }: { data?: { title: string; summary?: string } }) => [
  { title: data?.title ?? 'Story' },
  ...(data?.summary ? [{ name: 'description', content: data.summary }] : []),
]

export default function Preview() {
  return (
    <HubPage>
      <StoryPage {...useLoaderData<typeof loader>()} />
    </HubPage>
  )
}
