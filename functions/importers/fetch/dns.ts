import * as v from 'valibot'
import { unresolved } from './errors.ts'
import { boundedText } from '#functions/bounded-text.ts'

const timeoutMs = 5000
const maxBytes = 64_000
const maxAliases = 8

/** The types of records, by their numbers in DNS. */
const types = { A: 1, CNAME: 5, AAAA: 28 } as const

/** What a resolver of DNS over HTTPS answers in JSON. Status 0: found; 3: there is no such name; others: it cannot say. */
const Resolved = v.object({
  Status: v.number(),
  Answer: v.optional(v.array(v.object({ type: v.number(), data: v.string() })), []),
})

/**
 * How a name is resolved by DNS over HTTPS: every A and AAAA of it and of what it is an alias of. None: there is no such
 * name. Rejects with a FetchError `dns` when the resolver cannot say.
 */
export function resolverOf(
  fetch: typeof globalThis.fetch,
  dnsResolver: string,
): (host: string, signal: AbortSignal) => Promise<string[]> {
  async function ask(name: string, type: number, signal: AbortSignal) {
    const url = new URL(dnsResolver)
    url.searchParams.set('name', name)
    url.searchParams.set('type', String(type))
    try {
      const response = await fetch(url.href, {
        headers: { accept: 'application/dns-json' },
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      })
      const text = await boundedText(response, maxBytes)
      const { Status, Answer } = v.parse(Resolved, JSON.parse(text ?? ''))
      if (response.status === 200 && (Status === 0 || Status === 3)) return Answer
    } catch {
      signal.throwIfAborted()
    }
    throw unresolved(true)
  }

  async function addressesOf(host: string, type: number, signal: AbortSignal): Promise<string[]> {
    let name = host
    for (let aliases = 0; aliases <= maxAliases; aliases++) {
      const answer = await ask(name, type, signal)
      const found = answer.filter((each) => each.type === type).map(({ data }) => data.trim())
      if (found.length) return found
      // A resolver follows aliases by itself; one that does not leaves us with the last of them.
      const alias = answer.filter((each) => each.type === types.CNAME).at(-1)?.data
      if (alias === undefined) return []
      name = alias.trim().replace(/\.$/, '')
    }
    throw unresolved(false)
  }

  return async (host, signal) => {
    const both = [types.A, types.AAAA].map((type) => addressesOf(host, type, signal))
    return (await Promise.all(both)).flat()
  }
}
