import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { guard } from '#app/server/session.server.ts'
import { liveSourceMap } from '#app/server/source-map.server.ts'

/** The data that hydrate the map of a source, with the person's permissions, so they are not cached. */
export async function loader(args: LoaderFunctionArgs) {
  guard(args, 'signedIn')
  const live = await liveSourceMap(args)
  if (!live) throw new Response(null, { status: 404 })
  return Response.json(live, { headers: { 'cache-control': 'private, no-store' } })
}
