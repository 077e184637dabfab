import { anonymous, type Context } from '#functions/context.ts'
import { recordTypes } from '#functions/platform/dns.ts'
import { settings } from '#db/worlds/world.ts'

type Type = keyof typeof recordTypes

/** A record as a zone file has it: type, data, seconds. */
export type Zone = Record<string, [type: Type, data: string, ttl?: number][]>

/** How names are unwell: 'servfail' for any question, 'bogus' unless signatures are not looked at, 'down': no answer. */
export type NameFaults = Record<string, 'servfail' | 'bogus' | 'down'>

/** The HTTPS response of a host: a status with a body or a redirect; undefined: no server. */
export type Web = Record<string, { status: number; body?: string; location?: string } | undefined>

/**
 * The network of a Context: a DNS-over-HTTPS resolver for a zone, which follows aliases and answers for wildcards; and
 * the web, by hosts.
 */
export function network(zone: Zone, { ill = {}, web = {} }: { ill?: NameFaults; web?: Web } = {}) {
  const lookups: string[] = []
  const fetch: typeof globalThis.fetch = async (input) => {
    const url = new URL(input instanceof Request ? input.url : String(input))
    if (url.origin !== new URL(settings.dnsResolver).origin) {
      const answer = web[url.hostname]
      if (!answer) throw new TypeError('Nobody listens.')
      const headers = new Headers()
      if (answer.location !== undefined) headers.set('location', answer.location)
      return new Response(answer.body ?? null, { status: answer.status, headers })
    }
    const name = url.searchParams.get('name') ?? ''
    const type = Number(url.searchParams.get('type'))
    lookups.push(name)
    const illness = ill[name]
    if (illness === 'down') throw new TypeError('No network.')
    if (illness === 'servfail' || (illness === 'bogus' && !url.searchParams.has('cd')))
      return Response.json({ Status: 2 })
    return Response.json(resolved(zone, name, type))
  }
  return { fetch, lookups }
}

function resolved(zone: Zone, queryName: string, type: number) {
  const Answer: { name: string; type: number; TTL: number; data: string }[] = []
  let name = queryName
  for (let step = 0; step < 10; step++) {
    const records = recordsAt(zone, name)
    if (!records) return { Status: 3, Answer }
    for (const [kind, data, TTL = 300] of records)
      if (recordTypes[kind] === type || kind === 'CNAME')
        Answer.push({ name, type: recordTypes[kind], TTL, data })
    const alias = records.find(([kind]) => kind === 'CNAME')
    if (!alias || type === recordTypes.CNAME) return { Status: 0, Answer }
    name = alias[1].replace(/\.$/, '')
  }
  return { Status: 0, Answer }
}

/** A name's own records, or else those of the closest wildcard (RFC 4592), or else none. */
function recordsAt(zone: Zone, name: string) {
  const names = Object.keys(zone)
  if (zone[name]) return zone[name]
  if (names.some((each) => each.endsWith(`.${name}`))) return []
  for (let parent = name; parent.includes('.');) {
    parent = parent.slice(parent.indexOf('.') + 1)
    if (zone[`*.${parent}`]) return zone[`*.${parent}`]
    if (names.some((each) => each === parent || each.endsWith(`.${parent}`))) return null
  }
  return null
}

/** The parts of a Context for checking a host: settings, clock, network. */
export function looking(fetch: typeof globalThis.fetch, changes: Partial<Context> = {}): Context {
  const baseContext = { actor: anonymous, fetch, now: () => new Date('2026-11-21T12:00:00Z'), hosts: null }
  return {
    ...baseContext,
    settings: { ...settings, scheme: 'https', publicHost: 'hubs.test', appHost: 'app.test' },
    ...changes,
  } as Context
}
