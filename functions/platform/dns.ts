import * as v from 'valibot'
import { boundedText } from './bounded-text.ts'

const timeoutMs = 5000
const maxBytes = 64_000

/** The types of records, by their numbers in DNS. */
export const recordTypes = { A: 1, CNAME: 5, TXT: 16, AAAA: 28, CAA: 257 } as const

/** A record of a name, or of an alias on the way to it. */
interface DnsRecord {
  type: number
  data: string
  /** Time to live in seconds: for so long name servers may still cache it. */
  ttl: number
}

/**
 * The answer of a resolver for a name. 'none': the name does not exist. 'broken': the name servers of the zone give no
 * usable answer. 'bogus': they answer, but the signatures of the zone (DNSSEC) are invalid. 'unknown': the resolver
 * itself could not be reached.
 */
export interface DnsAnswer {
  status: 'found' | 'none' | 'broken' | 'bogus' | 'unknown'
  /** The records of the type, with the aliases on the way to them. */
  records: DnsRecord[]
}

interface Resolver {
  fetch: typeof globalThis.fetch
  /** DNS over HTTPS that answers in JSON. */
  resolver: string
}

/** The JSON of DNS over HTTPS. Status 0: found; 3: the name does not exist; others: the resolver cannot tell. */
const DnsResponse = v.object({
  Status: v.number(),
  Answer: v.optional(
    v.array(v.object({ type: v.number(), data: v.string(), TTL: v.optional(v.number(), 0) })),
    [],
  ),
})
type DnsResponse = v.InferOutput<typeof DnsResponse>

/**
 * Resolves the records of a type at a name over HTTPS, with the aliases on the way to them; empty where the name does
 * not exist. Null when it cannot be resolved now.
 */
export async function askDns(
  resolver: Resolver,
  name: string,
  type: number,
  signal?: AbortSignal,
): Promise<DnsRecord[] | null> {
  const resolved = await ask(resolver, name, type, { signal })
  return resolved && (resolved.Status === 0 || resolved.Status === 3) ? toRecords(resolved) : null
}

/**
 * Like `askDns`, with the cause of an empty answer: a failed query is repeated without validation (`cd`, checking
 * disabled, RFC 4035, 3.2.2); where that succeeds the signatures are invalid.
 */
export async function askDnsWhy(resolver: Resolver, name: string, type: number): Promise<DnsAnswer> {
  const resolved = await ask(resolver, name, type)
  if (!resolved) return { status: 'unknown', records: [] }
  if (resolved.Status === 0) return { status: 'found', records: toRecords(resolved) }
  if (resolved.Status === 3) return { status: 'none', records: toRecords(resolved) }
  const unchecked = await ask(resolver, name, type, { isUnchecked: true })
  const isBogus = unchecked !== null && (unchecked.Status === 0 || unchecked.Status === 3)
  return { status: isBogus ? 'bogus' : 'broken', records: [] }
}

const toRecords = ({ Answer }: DnsResponse) => Answer.map(({ type, data, TTL }) => ({ type, data, ttl: TTL }))

async function ask(
  { fetch, resolver }: Resolver,
  name: string,
  type: number,
  { signal, isUnchecked }: { signal?: AbortSignal | undefined; isUnchecked?: boolean } = {},
): Promise<DnsResponse | null> {
  const url = new URL(resolver)
  url.searchParams.set('name', name)
  url.searchParams.set('type', String(type))
  if (isUnchecked) url.searchParams.set('cd', '1')
  const late = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url.href, {
      headers: { accept: 'application/dns-json' },
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, late]) : late,
    })
    const text = await boundedText(response, maxBytes)
    return response.status === 200 ? v.parse(DnsResponse, JSON.parse(text ?? '')) : null
  } catch {
    return null
  }
}
