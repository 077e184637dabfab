import { sha256 } from '#functions/platform/digest.ts'

/** What a short link stands for. The host is found when it is followed, so a place may change its domain. */
export interface ShortLink {
  placeId: string
  /** Path and query; of the place's hub, else of the workspace. */
  path: string
  onHub: boolean
}

/** Where the storage holds what a code stands for. */
export const linkKey = (code: string) => `links/${code}`

/** Keeps what a code stands for where it is found without the database. */
export async function keepLink(hubs: R2Bucket, code: string, link: ShortLink): Promise<void> {
  const body = JSON.stringify({ placeId: link.placeId, path: link.path, onHub: link.onHub })
  await hubs.put(linkKey(code), body, { httpMetadata: { contentType: 'application/json' } })
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
    const object = await hubs.get(linkKey(code))
    const existing = object && (await object.json<ShortLink>())
    if (existing && (existing.placeId !== placeId || existing.path !== path)) continue
    if (!existing) await keepLink(hubs, code, link)
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
