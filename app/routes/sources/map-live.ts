import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { guard } from '#app/server/session.server.ts'
import { liveSourceMap } from '#app/server/source-map.server.ts'

/** What makes the map of a source live: for this person, so no one keeps it. */
export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'signedIn')
  const live = await liveSourceMap(args)
  if (!live) throw new Response(null, { status: 404 })
  return Response.json(live, { headers: { 'cache-control': 'private, no-store' } })
}
