import type { LinksFunction, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { MapPage } from '#app/components/hub/map-page.tsx'
import { shared } from '#app/components/hub/sharing.ts'
import { Shell } from '#app/components/shell/shell.tsx'
import { useRoot } from '#app/root.tsx'
import { placeMap } from '#app/server/place-map.server.ts'
import { guard } from '#app/server/session.server.ts'
import hubStyle from '#app/styles/hub.css?url'
import workspaceStyle from '#app/styles/workspace.css?url'
import { HubPage } from './modes/hub-page.tsx'

/** The place's map: a page of its hub, and a screen of the workspace for those who work in it. */
export async function loader(args: LoaderFunctionArgs) {
  if (args.context.ctx.site.mode === 'main') guard(args, 'withPlace')
  return placeMap(args)
}

// Hub documents do not render these: they have their own style sheet.
export const links: LinksFunction = () => [
  { rel: 'stylesheet', href: hubStyle },
  { rel: 'stylesheet', href: workspaceStyle },
]

export const meta = shared<typeof loader>(({ data }) => [{ title: data?.title ?? 'Map' }])

export default function MapRoute() {
  const frame = useRoot()?.main
  const map = <MapPage {...useLoaderData<typeof loader>()} />
  return frame ? <Shell frame={frame}>{map}</Shell> : <HubPage>{map}</HubPage>
}
