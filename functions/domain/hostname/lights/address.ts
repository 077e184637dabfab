import { aliasesIn, light, repeatsFor, silence, type QueryDns, type Claim } from './claim.ts'
import { isProxy } from './proxies.ts'
import { proofTarget } from './ownership.ts'
import { recordTypes, type DnsAnswer } from '#functions/platform/dns.ts'
import { isPublicAddress } from '#functions/engine/import/url.ts'
import { normalizeHostname, type Light, type PastedRecord } from '#functions/shapes/domain.ts'

/** How a name resolves: its CNAMEs and addresses. */
interface Way {
  answers: [DnsAnswer, DnsAnswer]
  aliases: string[]
  v4: string[]
  v6: string[]
}

async function resolveAddresses(ask: QueryDns, name: string): Promise<Way> {
  const answers = await Promise.all([ask(name, 'A'), ask(name, 'AAAA')])
  const pickAddresses = (answer: DnsAnswer, type: number) =>
    answer.records.filter((record) => record.type === type).map(({ data }) => normalizeAddress(data))
  return {
    answers,
    aliases: [...new Set(answers.flatMap(aliasesIn))],
    v4: pickAddresses(answers[0], recordTypes.A),
    v6: pickAddresses(answers[1], recordTypes.AAAA),
  }
}

/** The normal form of an address: IPv6 has many spellings. */
function normalizeAddress(text: string): string {
  if (!text.includes(':')) return text.trim()
  try {
    return new URL(`http://[${text.trim()}]/`).hostname.slice(1, -1)
  } catch {
    return text.trim()
  }
}

/**
 * Whether a name resolves to us: by our name, or only by our addresses (the result of "flattened" CNAMEs and
 * ALIAS).
 */
function isOurs(way: Way, ours: Way, target: string): boolean {
  if (way.aliases.includes(target)) return true
  // The host of another place has the same addresses.
  if (way.aliases.some((each) => each.endsWith(target.slice(target.indexOf('.'))))) return false
  const addresses = [...way.v4, ...way.v6]
  return (
    addresses.length > 0 &&
    way.v4.every((each) => ours.v4.includes(each)) &&
    way.v6.every((each) => ours.v6.includes(each))
  )
}

/** Whether a host resolves to us, so that visitors and certificate authorities reach us there. */
export async function leadsHere(ask: QueryDns, host: string, target: string): Promise<boolean> {
  const [way, ours] = await Promise.all([resolveAddresses(ask, host), resolveAddresses(ask, target)])
  return isOurs(way, ours, target)
}

/** The second check: what the host resolves to. */
export async function addressLight(ask: QueryDns, claim: Claim): Promise<Light> {
  const { host, target, alias, isApex } = claim
  const [way, ours] = await Promise.all([resolveAddresses(ask, host), resolveAddresses(ask, target)])
  const paste = recordsFor(claim, ours)
  for (const answer of way.answers) {
    const silent = silence('address', answer, host, paste)
    if (silent) return silent
  }
  const leadsOn = async () => alias !== null && (await leadsHere(ask, alias, target))
  if (isOurs(way, ours, target)) {
    const isWanted = alias !== null && (isApex || host.startsWith('www.')) && !(await leadsOn())
    if (!isWanted) return light('address', { state: 'good', says: 'The address leads here.' })
    return light('address', {
      state: 'good',
      cause: 'aliasMissing',
      says: `The address leads here. ${alias} does not: with this record whoever types that is brought to ${host}.`,
      paste: recordsFor({ ...claim, host: alias, isApex: !alias.startsWith('www.') }, ours),
    })
  }
  const { cause, says, remove } = await findTrouble(ask, claim, { way, ours, leadsOn })
  return light('address', { state: 'bad', cause, says, paste, remove: remove ?? [] })
}

/** The records to set for a host: a CNAME, or its substitutes at the top of a zone. */
function recordsFor({ host, target, isApex }: Claim, ours: Way): PastedRecord[] {
  if (!isApex) return [{ type: 'CNAME', name: host, value: target }]
  return [
    { type: 'ALIAS', name: host, value: target },
    ...ours.v4.map((value) => ({ type: 'A' as const, name: host, value })),
    ...ours.v6.map((value) => ({ type: 'AAAA' as const, name: host, value })),
  ]
}

interface Trouble {
  cause: Light['cause']
  says: string
  remove?: PastedRecord[]
}

/** A host that does not resolve to us, with the parts of messages about it. */
interface StrayHost {
  claim: Claim
  way: Way
  /** What to set, as the end of a sentence. */
  set: string
  /** The last CNAME. */
  lead: string | undefined
  addresses: string[]
  aliasRecord: PastedRecord[]
  /** Records to remove: all of its addresses. */
  removed: PastedRecord[]
  /** A sentence on how long the old answer may be cached; '' where that is short. */
  late: string
}

const addressRecords = (host: string, type: 'A' | 'AAAA', values: string[]) =>
  values.map((value) => ({ type, name: host, value }))

function describeStray(claim: Claim, way: Way): StrayHost {
  const { host, target, isApex } = claim
  const set = isApex
    ? `set an ALIAS (also called ANAME or flattened CNAME) to ${target}, or where your provider has none the A and AAAA records`
    : `set a CNAME to ${target}`
  const lead = way.aliases.at(-1)
  const addresses = [...way.v4, ...way.v6]
  const aliasRecord = way.aliases.slice(0, 1).map((value) => ({ type: 'CNAME' as const, name: host, value }))
  const late = repeatsFor({ status: 'found', records: way.answers.flatMap((answer) => answer.records) })
  const removed = [...addressRecords(host, 'A', way.v4), ...addressRecords(host, 'AAAA', way.v6)]
  return { claim, way, set, lead, addresses, aliasRecord, removed, late }
}

/** The first problem found with a host that does not resolve to us. */
async function findTrouble(
  ask: QueryDns,
  claim: Claim,
  { way, ours, leadsOn }: { way: Way; ours: Way; leadsOn: () => Promise<boolean> },
): Promise<Trouble> {
  const stray = describeStray(claim, way)
  const alias = findAliasTrouble(stray)
  if (alias) return alias
  if (!stray.addresses.length) return findMissingTrouble(stray, leadsOn)
  return (
    findClosedTrouble(stray) ?? findMixedTrouble(stray, ours) ?? (await findOtherTrouble(stray, ask, leadsOn))
  )
}

/** Problem: a CNAME that points to itself, to the proof's record, or to the hub of another place. */
function findAliasTrouble({ claim, way, set, aliasRecord, late }: StrayHost): Trouble | null {
  const { host } = claim
  if (way.aliases.includes(host) || way.aliases.length > 8)
    return {
      cause: 'loop',
      says: `The CNAME of ${host} leads back to itself: replace it, ${set}.`,
      remove: aliasRecord,
    }
  if (way.aliases.includes(proofTarget(claim)))
    return {
      cause: 'verifyTarget',
      says: `${host} has the CNAME that belongs to _commonplace.${host}: ${set}.`,
      remove: aliasRecord,
    }
  const foreign = way.aliases.find((each) => each.endsWith(`.${claim.ours}`))
  if (foreign)
    return {
      cause: 'otherPlace',
      says: `${host} is a CNAME to ${foreign}, the host of another hub: ${set} instead.${late}`,
      remove: aliasRecord,
    }
  return null
}

/** Problem: the name has no address. */
async function findMissingTrouble(
  { claim, way, set, lead, aliasRecord, late }: StrayHost,
  leadsOn: () => Promise<boolean>,
): Promise<Trouble> {
  const { host, alias } = claim
  if (await leadsOn())
    return alias?.startsWith('www.')
      ? { cause: 'wwwOnly', says: `Only ${alias} leads here, ${host} leads nowhere: ${set}.` }
      : { cause: 'apexOnly', says: `Only ${alias} leads here, ${host} leads nowhere: ${set}.` }
  if (lead)
    return {
      cause: 'dangling',
      says: `${host} is a CNAME to ${lead}, which does not exist any more. Whoever registers that gets your visitors: ${set} instead.${late}`,
      remove: aliasRecord,
    }
  return way.answers[0].status === 'none'
    ? {
        cause: 'noName',
        says: `There is no ${host} in DNS yet: ${set}. It can take up to an hour until it is seen.`,
      }
    : {
        cause: 'noAddress',
        says: `${host} is in DNS, but without an address: ${set}. It can take up to an hour until it is seen.`,
      }
}

/** Problem: addresses that are not reachable from the internet. */
function findClosedTrouble({ claim, set, addresses, removed, late }: StrayHost): Trouble | null {
  const { host } = claim
  const closedAddresses = addresses.filter((each) => !isPublicAddress(each))
  const isLoopback = closedAddresses.some(
    (each) => each.startsWith('127.') || each === '::1' || each === '0.0.0.0',
  )
  if (isLoopback)
    return {
      cause: 'loopback',
      says: `${host} leads to ${closedAddresses.join(', ')}, which is each visitor's own machine: ${set} instead.${late}`,
      remove: removed,
    }
  if (closedAddresses.length)
    return {
      cause: 'private',
      says: `${host} leads to ${closedAddresses.join(', ')}, which only your own network can reach: ${set} instead.${late}`,
      remove: removed,
    }
  return null
}

/** Problem: some addresses are ours and some are not. */
function findMixedTrouble({ claim, way, addresses, late }: StrayHost, ours: Way): Trouble | null {
  const { host } = claim
  const [strange4, strange6] = [
    way.v4.filter((each) => !ours.v4.includes(each)),
    way.v6.filter((each) => !ours.v6.includes(each)),
  ]
  if (strange6.length && !strange4.length && way.v4.length)
    return {
      cause: 'staleAaaa',
      says: `The A records of ${host} lead here, its AAAA record ${strange6.join(', ')} leads elsewhere, and most visitors use that one: remove it.${late}`,
      remove: addressRecords(host, 'AAAA', strange6),
    }
  if (strange4.length && !strange6.length && way.v6.length)
    return {
      cause: 'staleA',
      says: `The AAAA records of ${host} lead here, its A record ${strange4.join(', ')} leads elsewhere: remove it.${late}`,
      remove: addressRecords(host, 'A', strange4),
    }
  if (strange4.length + strange6.length < addresses.length)
    return {
      cause: 'mixed',
      says: `${host} leads here and to ${[...strange4, ...strange6].join(', ')} in turns: remove those.${late}`,
      remove: [...addressRecords(host, 'A', strange4), ...addressRecords(host, 'AAAA', strange6)],
    }
  return null
}

/** Problem: addresses of others, such as a wildcard, a proxy, or another server. */
async function findOtherTrouble(
  { claim, way, set, lead, addresses, aliasRecord, removed, late }: StrayHost,
  ask: QueryDns,
  leadsOn: () => Promise<boolean>,
): Promise<Trouble> {
  const { host, alias } = claim
  if (await isWildcard(ask, claim, way))
    return {
      cause: 'wildcard',
      says: `${host} has no record of its own: a wildcard record (*.${host.slice(host.indexOf('.') + 1)}) answers for it and leads to ${lead ?? addresses.join(', ')}. A record of its own goes before the wildcard: ${set}.${late}`,
    }
  if (addresses.every(isProxy))
    return {
      cause: 'proxied',
      says: `${host} leads to a proxy of your provider's (${addresses.join(', ')}), which hides whether it leads here: switch the proxy off for this record ("DNS only", the grey cloud) and ${set}.`,
    }
  if (await leadsOn())
    return {
      cause: alias?.startsWith('www.') ? 'wwwOnly' : 'apexOnly',
      says: `Only ${alias} leads here, ${host} leads to ${addresses.join(', ')}: ${set} instead.${late}`,
      remove: removed,
    }
  return {
    cause: 'elsewhere',
    says: `${host} leads to ${lead ?? addresses.join(', ')}: ${set} instead.${late}`,
    remove: way.aliases.length ? aliasRecord : removed,
  }
}

/** Whether a nonexistent name beside the host resolves to the same, as with a wildcard record. */
async function isWildcard(ask: QueryDns, { host, token, isApex }: Claim, way: Way): Promise<boolean> {
  const parent = host.slice(host.indexOf('.') + 1)
  if (isApex || normalizeHostname(parent) === null) return false
  const other = await resolveAddresses(ask, `x${token.slice(0, 12)}.${parent}`)
  const ends = (each: Way) => [...each.aliases, ...each.v4, ...each.v6].sort().join()
  return ends(other) !== '' && ends(other) === ends(way)
}
