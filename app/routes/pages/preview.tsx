import type { LinksFunction, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData, useLocation } from '@remix-run/react'
import { HubPage } from '#app/routes/modes/hub-page.tsx'
import { withSharing } from '#app/components/hub/sharing.ts'
import { StoryPage } from '#app/components/hub/story-page.tsx'
import { PreviewFrame } from './story/preview-frame.tsx'
import { useRoot } from '#app/root.tsx'
import { listPreviewOmissions } from './page.server.ts'
import { storyHubPage } from '#app/server/hub-facts/main-content.server.ts'
import { describeStory } from '#app/server/hub-facts/things.server.ts'
import hubStyle from '#app/styles/hub.css?url'

/** A story as readers see it: on its hub, and before publishing in the workspace. */
export async function loader(args: LoaderFunctionArgs) {
  const [page, dataset, hidden] = await Promise.all([
    storyHubPage(args),
    describeStory(args),
    listPreviewOmissions(args),
  ])
  return { ...page, found: dataset, ...(hidden.length ? { hidden } : {}) }
}

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: hubStyle }]

export const meta = withSharing<typeof loader>(({ data }) => [
  { title: data?.title ?? 'Story' },
  ...(data?.summary ? [{ name: 'description', content: data.summary }] : []),
])

export default function Preview() {
  const main = useRoot()?.main
  const { pathname } = useLocation()
  const { hidden = [], ...page } = useLoaderData<typeof loader>()
  const story = <StoryPage {...page} />
  if (!main) return <HubPage>{story}</HubPage>
  return (
    <PreviewFrame backTo={main.user ? pathname.replace(/\/preview$/, '') : null} hiddenParts={hidden}>
      {story}
    </PreviewFrame>
  )
}
