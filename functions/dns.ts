import * as v from 'valibot'
import { boundedText } from './bounded-text.ts'

const timeoutMs = 5000
const maxBytes = 64_000

/** The types of records, by their numbers in DNS. */
export const recordTypes = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const

/** A record that stands at a name, or on the way to it. */
export interface DnsRecord {
  type: number
  data: string
}

/** What a resolver of DNS over HTTPS answers in JSON. Status 0: found; 3: there is no such name; others: it cannot say. */
const Resolved = v.object({
  Status: v.number(),
  Answer: v.optional(v.array(v.object({ type: v.number(), data: v.string() })), []),
})

/**
 * The records of a type at a name, with the aliases on the way to them, as a resolver of DNS over HTTPS tells them; none:
 * there is no such name. Null when that cannot be known now.
 */
export async function askDns(
  { fetch, resolver }: { fetch: typeof globalThis.fetch; resolver: string },
  name: string,
  type: number,
  signal?: AbortSignal,
): Promise<DnsRecord[] | null> {
  const url = new URL(resolver)
  url.searchParams.set('name', name)
  url.searchParams.set('type', String(type))
  const late = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url.href, {
      headers: { accept: 'application/dns-json' },
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, late]) : late,
    })
    const text = await boundedText(response, maxBytes)
    const { Status, Answer } = v.parse(Resolved, JSON.parse(text ?? ''))
    return response.status === 200 && (Status === 0 || Status === 3) ? Answer : null
  } catch {
    return null
  }
}
