import { hostOf } from '#functions/shapes/domain.ts'

/**
 * The host that is the same one to people: with www the one without, and the reverse. Null where no organisation can have
 * it, such as what stands before a www of a public suffix, or when it is too long.
 */
export function aliasOf(host: string): string | null {
  return hostOf(host.startsWith('www.') ? host.slice(4) : `www.${host}`)
}
