import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { livePlaceMap } from '#app/server/place-map.server.ts'
import { guard } from '#app/server/session.server.ts'

/** What makes the map of the workspace live: for this person, so no one keeps it. Hubs keep theirs as a file. */
export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'withPlace')
  const live = await livePlaceMap(args)
  if (!live) throw new Response(null, { status: 404 })
  return Response.json(live, { headers: { 'cache-control': 'private, no-store' } })
}
