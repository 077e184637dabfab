import { sha256 } from '#functions/platform/digest.ts'

/** The target of a short link. The host is determined when it is followed, since a place may change its domain. */
export interface ShortLink {
  placeId: string
  /** Path and query on the place's hub, or else on the workspace. */
  path: string
  onHub: boolean
}

/** The storage key of a code. */
export const linkKey = (code: string) => `links/${code}`

/** Stores the target of a code where it can be read without the database. */
export async function storeLink(hubs: R2Bucket, code: string, link: ShortLink): Promise<void> {
  const body = JSON.stringify({ placeId: link.placeId, path: link.path, onHub: link.onHub })
  await hubs.put(linkKey(code), body, { httpMetadata: { contentType: 'application/json' } })
}

/** The alphabet of codes: letters and digits that cannot be confused. */
export const codeLetters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
export const codeLength = 8

/**
 * The code of a hub page, a hash of its path, so that it needs no database and the same page always has the same code.
 * Stores the link.
 */
export async function pageCode(hubs: R2Bucket, placeId: string, path: string): Promise<string> {
  const link = { placeId, path, onHub: true }
  for (let again = 0; ; again += 1) {
    const bytes = (await sha256(`${placeId} ${path} ${again}`)).subarray(0, codeLength)
    const code = Array.from(bytes, (byte) => codeLetters[byte % codeLetters.length]).join('')
    const object = await hubs.get(linkKey(code))
    const existing = object && (await object.json<ShortLink>())
    if (existing && (existing.placeId !== placeId || existing.path !== path)) continue
    if (!existing) await storeLink(hubs, code, link)
    return code
  }
}

/**
 * A path with its query, normalised; null for anything that browsers could take for another host: no slash or two at the
 * beginning (also after resolving dots), a backslash, a control character.
 */
export function localPath(text: string): string | null {
  if (!/^\/(?!\/)[^\\\p{Cc}\p{Surrogate}]*$/u.test(text)) return null
  const { host, pathname, search, hash } = new URL(`https://host.invalid${text}`)
  if (host !== 'host.invalid' || pathname.startsWith('//')) return null
  return `${pathname}${search}${hash}`
}
