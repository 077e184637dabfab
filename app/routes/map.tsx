import type { LinksFunction, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { useRef } from 'react'
import { useLiveMap } from '#app/client/live-map.ts'
import { MapPage, type MapPageProps } from '#app/components/hub/map-page.tsx'
import { withSharing } from '#app/components/hub/sharing.ts'
import { Shell } from '#app/components/shell/shell.tsx'
import { useRoot } from '#app/root.tsx'
import { placeMap } from '#app/server/place-map.server.ts'
import { guard } from '#app/server/session.server.ts'
import hubStyle from '#app/styles/hub.css?url'
import workspaceStyle from '#app/styles/workspace.css?url'
import { HubPage } from './modes/hub-page.tsx'

/** The place's map: a page of its hub, and a screen of the workspace. */
export async function loader(args: LoaderFunctionArgs) {
  if (args.context.ctx.site.mode === 'main') guard(args, 'withPlace')
  return placeMap(args)
}

// Not rendered by hub documents, which have their own style sheet.
export const links: LinksFunction = () => [
  { rel: 'stylesheet', href: hubStyle },
  { rel: 'stylesheet', href: workspaceStyle },
]

export const meta = withSharing<typeof loader>(({ data }) => [{ title: data?.title ?? 'Map' }])

export default function MapRoute() {
  const frame = useRoot()?.main
  const page = useLoaderData<typeof loader>()
  return frame ? (
    <Shell frame={frame}>
      <LiveMapPage key={frame.place?.id} {...page} />
    </Shell>
  ) : (
    <HubPage>
      <MapPage {...page} />
    </HubPage>
  )
}

/** A live map is outside of React's control, so another place's map is remounted. */
function LiveMapPage(page: MapPageProps) {
  const screen = useRef<HTMLDivElement>(null)
  useLiveMap(screen)
  return (
    <div ref={screen}>
      <MapPage {...page} />
    </div>
  )
}
