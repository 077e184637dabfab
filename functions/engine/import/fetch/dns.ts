import { unresolvedError } from './errors.ts'
import { askDns, recordTypes } from '#functions/platform/dns.ts'

const maxAliases = 8

/**
 * Resolves a host name by DNS over HTTPS: all A and AAAA records, following aliases. Empty: it does not exist. Rejects
 * with a FetchError `dns` when the resolver cannot tell.
 */
export function createResolver(
  fetch: typeof globalThis.fetch,
  dnsResolver: string,
): (host: string, signal: AbortSignal) => Promise<string[]> {
  async function ask(name: string, type: number, signal: AbortSignal) {
    const answer = await askDns({ fetch, resolver: dnsResolver }, name, type, signal)
    if (answer) return answer
    signal.throwIfAborted()
    throw unresolvedError(true)
  }

  async function resolveAddresses(host: string, type: number, signal: AbortSignal): Promise<string[]> {
    let name = host
    for (let aliases = 0; aliases <= maxAliases; aliases++) {
      const answer = await ask(name, type, signal)
      const rows = answer.filter((each) => each.type === type).map(({ data }) => data.trim())
      if (rows.length) return rows
      // Resolvers usually follow aliases; otherwise the answer ends with the last alias.
      const alias = answer.filter((each) => each.type === recordTypes.CNAME).at(-1)?.data
      if (alias === undefined) return []
      name = alias.trim().replace(/\.$/, '')
    }
    throw unresolvedError(false)
  }

  return async (host, signal) => {
    const lookups = [recordTypes.A, recordTypes.AAAA].map((type) => resolveAddresses(host, type, signal))
    return (await Promise.all(lookups)).flat()
  }
}
