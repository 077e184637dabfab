import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { livePlaceMap } from '#app/server/place-map.server.ts'
import { guard } from '#app/server/session.server.ts'

/** The data that hydrate the map of the workspace, with the person's permissions, so they are not cached. Hubs store theirs as a file. */
export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'withPlace')
  const live = await livePlaceMap(args)
  if (!live) throw new Response(null, { status: 404 })
  return Response.json(live, { headers: { 'cache-control': 'private, no-store' } })
}
