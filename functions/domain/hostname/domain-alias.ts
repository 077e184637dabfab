import { normalizeHostname } from '#functions/shapes/domain.ts'

/**
 * The equivalent host with or without `www.`. Null where that is no registrable host (a www before a public
 * suffix) or is too long.
 */
export function findHostAlias(host: string): string | null {
  return normalizeHostname(host.startsWith('www.') ? host.slice(4) : `www.${host}`)
}
