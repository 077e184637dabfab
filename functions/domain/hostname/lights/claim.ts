import { askDnsWhy, recordTypes, type DnsAnswer } from '#functions/platform/dns.ts'
import type { Context } from '#functions/context.ts'
import type { Light, PastedRecord } from '#functions/shapes/domain.ts'
import { normalizeHostname } from '#functions/shapes/domain.ts'
import { hostname } from '#functions/engine/address/urls.ts'
import { findHostAlias } from '../domain-alias.ts'

/** A host that a place claims, and all that follows from both names. */
export interface Claim {
  placeId: string
  host: string
  /** The token by which only this place can prove this host in DNS. */
  token: string
  /** The public host, of which every place has a subdomain. */
  ours: string
  /** What the host must resolve to: the place's subdomain. */
  target: string
  /** The other variant, with or without www; null: there is none. */
  alias: string | null
  /** Whether it is the top of a zone, where CNAMEs are not allowed. Guessed from the public suffix list. */
  isApex: boolean
}

export function buildClaim(
  ctx: Context,
  { placeId, host, token }: Pick<Claim, 'placeId' | 'host' | 'token'>,
): Claim {
  const ours = hostname(ctx.settings.publicHost)
  const isApex = normalizeHostname(host.slice(host.indexOf('.') + 1)) === null
  return { placeId, host, token, ours, target: `${placeId}.${ours}`, alias: findHostAlias(host), isApex }
}

/** Queries DNS; repeated queries are memoized. */
export type QueryDns = (name: string, type: keyof typeof recordTypes) => Promise<DnsAnswer>

/** A DNS client for one check of a host. */
export function asker({ fetch, settings }: Context): QueryDns {
  const answers = new Map<string, Promise<DnsAnswer>>()
  return (name, type) => {
    const key = `${type} ${name}`
    const answer =
      answers.get(key) ?? askDnsWhy({ fetch, resolver: settings.dnsResolver }, name, recordTypes[type])
    answers.set(key, answer)
    return answer
  }
}

type LightDraft = Omit<Light, 'name' | 'cause' | 'paste' | 'remove'> &
  Partial<Pick<Light, 'cause' | 'paste' | 'remove'>>

/** A check's result, without records to set or remove unless given. */
export const light = (name: Light['name'], value: LightDraft): Light => ({
  name,
  cause: null,
  paste: [],
  remove: [],
  ...value,
})

/** The result of a check whose DNS query failed; null: the query succeeded. */
export function silence(
  name: Light['name'],
  { status }: DnsAnswer,
  at: string,
  paste: PastedRecord[] = [],
): Light | null {
  if (status === 'unknown') {
    const says = 'The name servers could not be asked just now. Check again in a minute.'
    return light(name, { state: 'unknown', cause: 'resolver', says })
  }
  if (status === 'bogus') {
    const says = `The signatures (DNSSEC) of the zone of ${at} do not fit, so no one believes its records. Remove the DS record at your registrar or sign the zone again, then check again.`
    return light(name, { state: 'bad', cause: 'dnssec', says, paste })
  }
  if (status === 'broken') {
    const says = `The name servers of ${at} answer with a failure (SERVFAIL). See at your registrar that the name servers listed there are those that hold your zone, then check again.`
    return light(name, { state: 'bad', cause: 'servfail', says, paste })
  }
  return null
}

/** A sentence on how long resolvers may cache an old answer; '' where that is minutes. */
export function repeatsFor(answer: DnsAnswer): string {
  const seconds = Math.max(0, ...answer.records.map(({ ttl }) => ttl))
  if (seconds < 600) return ''
  const hours = Math.round(seconds / 3600)
  const time = hours < 1 ? `${Math.round(seconds / 60)} minutes` : hours === 1 ? 'an hour' : `${hours} hours`
  return ` After you have changed it, name servers may repeat the old answer for up to ${time}.`
}

/** The CNAMEs in an answer, in their order. */
export const aliasesIn = ({ records }: DnsAnswer) =>
  records.filter(({ type }) => type === recordTypes.CNAME).map(({ data }) => hostname(data.trim()))

/** The texts of an answer's TXT records: their strings unquoted and joined. */
export function textsIn({ records }: DnsAnswer): string[] {
  return records
    .filter(({ type }) => type === recordTypes.TXT)
    .map(({ data }) => {
      const strings = data.match(/"(?:[^"\\]|\\.)*"/g)
      return strings ? strings.map((each) => each.slice(1, -1).replace(/\\(.)/g, '$1')).join('') : data.trim()
    })
}
