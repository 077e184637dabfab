import type { Settings } from '#functions/context.ts'
import { readHost } from '#functions/edge/hub/snapshot.ts'
import { linkKey, localPath, type ShortLink } from '#functions/engine/address/short-link.ts'
import { hostname } from '#functions/engine/address/urls.ts'

type Hosts = Pick<Settings, 'appHost' | 'publicHost' | 'scheme'>

/**
 * Answers `GET /s/{code}` on every host: 302 to the page, a 404 page for unknown codes, for hubs that no
 * longer exist and for closed places. Null for other paths.
 */
export async function followLink(request: Request, hubs: R2Bucket, hosts: Hosts): Promise<Response | null> {
  const code = /^\/s\/([^/]*)$/.exec(new URL(request.url).pathname)?.[1]
  if (code === undefined) return null
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } })
  const object = /^[A-Za-z0-9]{6,12}$/.test(code) ? await hubs.get(linkKey(code)) : null
  const link = object && (await object.json<ShortLink>())
  const host = link && localPath(link.path) === link.path ? await findHost(link, hubs, hosts) : null
  if (!link || !host) return nowhere()
  const headers = { location: `${hosts.scheme}://${host}${link.path}`, 'cache-control': 'public, max-age=60' }
  return new Response(null, { status: 302, headers })
}

async function findHost({ placeId, onHub }: ShortLink, hubs: R2Bucket, hosts: Hosts): Promise<string | null> {
  const hostObject = await readHost(hubs, `${placeId}.${hostname(hosts.publicHost)}`)
  if (hostObject && 'closed' in hostObject) return null
  if (!onHub) return hosts.appHost
  if (!hostObject || 'redirect' in hostObject || !hostObject.isHub) return null
  return `${hostObject.canonicalHost}${/:\d+$/.exec(hosts.publicHost)?.[0] ?? ''}`
}

function nowhere(): Response {
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>This link leads nowhere</title><h1>This link leads nowhere</h1>
<p>It may be misspelt, or what it led to is no longer public.</p></html>`
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  }
  return new Response(body, { status: 404, headers })
}
