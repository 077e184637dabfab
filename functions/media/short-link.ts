import type { Settings } from '../context.ts'
import { sha256 } from '../digest.ts'
import { readSnapshot } from '../site/snapshot.ts'
import { hostname } from '../site/urls.ts'

/** What a short link stands for. The host is found when it is followed, so a place may change its domain. */
export interface ShortLink {
  placeId: string
  /** Path and query; of the place's hub, else of the workspace. */
  path: string
  onHub: boolean
}

type Hosts = Pick<Settings, 'appHost' | 'publicHost' | 'scheme'>

const key = (code: string) => `links/${code}`

/** Keeps what a code stands for where it is found without the database. */
export async function keepLink(hubs: R2Bucket, code: string, link: ShortLink): Promise<void> {
  const body = JSON.stringify({ placeId: link.placeId, path: link.path, onHub: link.onHub })
  await hubs.put(key(code), body, { httpMetadata: { contentType: 'application/json' } })
}

/** What codes are made of: letters and digits that are not mistaken for one another. */
export const codeLetters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
export const codeLength = 8

/**
 * The code of a page of a hub: made from its path, so that it needs no database and the same page has the same one every
 * time. It leads there from now on.
 */
export async function pageCode(hubs: R2Bucket, placeId: string, path: string): Promise<string> {
  const link = { placeId, path, onHub: true }
  for (let again = 0; ; again += 1) {
    const bytes = (await sha256(`${placeId} ${path} ${again}`)).subarray(0, codeLength)
    const code = Array.from(bytes, (byte) => codeLetters[byte % codeLetters.length]).join('')
    const object = await hubs.get(key(code))
    const known = object && (await object.json<ShortLink>())
    if (known && (known.placeId !== placeId || known.path !== path)) continue
    if (!known) await keepLink(hubs, code, link)
    return code
  }
}

/**
 * A path with its query as an address carries it; null for what browsers could take for another host: no slash or two
 * at the beginning (also once dots are resolved), a backslash, a control character.
 */
export function localPath(text: string): string | null {
  if (!/^\/(?!\/)[^\\\p{Cc}\p{Surrogate}]*$/u.test(text)) return null
  const { host, pathname, search, hash } = new URL(`https://host.invalid${text}`)
  if (host !== 'host.invalid' || pathname.startsWith('//')) return null
  return `${pathname}${search}${hash}`
}

/**
 * Answers `GET /s/{code}` on every host: 302 to the page, 404 with a page of its own for unknown codes and for hubs
 * that are gone. Null for other paths.
 */
export async function followLink(request: Request, hubs: R2Bucket, hosts: Hosts): Promise<Response | null> {
  const code = /^\/s\/([^/]*)$/.exec(new URL(request.url).pathname)?.[1]
  if (code === undefined) return null
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } })
  const object = /^[A-Za-z0-9]{6,12}$/.test(code) ? await hubs.get(key(code)) : null
  const link = object && (await object.json<ShortLink>())
  const host = link && localPath(link.path) === link.path ? await hostOf(link, hubs, hosts) : null
  if (!link || !host) return nowhere()
  const headers = { location: `${hosts.scheme}://${host}${link.path}`, 'cache-control': 'public, max-age=60' }
  return new Response(null, { status: 302, headers })
}

async function hostOf({ placeId, onHub }: ShortLink, hubs: R2Bucket, hosts: Hosts): Promise<string | null> {
  if (!onHub) return hosts.appHost
  const snapshot = await readSnapshot(hubs, `${placeId}.${hostname(hosts.publicHost)}`)
  if (!snapshot?.isHub) return null
  return `${snapshot.canonicalHost}${/:\d+$/.exec(hosts.publicHost)?.[0] ?? ''}`
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
