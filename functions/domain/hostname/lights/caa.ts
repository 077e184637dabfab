import { light, silence, type QueryDns, type Claim } from './claim.ts'
import { recordTypes } from '#functions/platform/dns.ts'
import { certificateAuthorities } from '#functions/platform/hosts/port.ts'
import type { Light } from '#functions/shapes/domain.ts'

interface Property {
  isCritical: boolean
  tag: string
  value: string
}

/**
 * Properties that certificate authorities know (RFC 8659, 8657, 9495): an unknown critical one forbids
 * everything.
 */
const usualIssuers = new Set([
  'issue',
  'issuewild',
  'iodef',
  'contactemail',
  'contactphone',
  'issuemail',
  'issuevmc',
])

/**
 * The third check: whether CAA records allow our certificate authorities to issue for the host. By RFC 8659
 * the records of the nearest name that has any count, from the host upwards, and without an `issue` among
 * them every authority may.
 */
export async function caaLight(ask: QueryDns, { host }: Claim): Promise<Light> {
  const labels = host.split('.')
  for (let i = 0; i < labels.length - 1; i++) {
    const name = labels.slice(i).join('.')
    const answer = await ask(name, 'CAA')
    const silent = silence('caa', answer, name)
    if (silent?.state === 'unknown') return silent
    if (silent)
      return {
        ...silent,
        cause: silent.cause === 'dnssec' ? 'dnssec' : 'caaUnanswered',
        says: `${silent.says} A certificate authority that gets no answer to its question for CAA records issues nothing.`,
      }
    const properties = answer.records
      .filter(({ type }) => type === recordTypes.CAA)
      .flatMap(({ data }) => parseProperty(data) ?? [])
    if (properties.length) return evaluateProperties(name, properties)
  }
  return light('caa', { state: 'good', says: 'No CAA record restricts who may issue a certificate.' })
}

function evaluateProperties(name: string, properties: Property[]): Light {
  const paste = certificateAuthorities.map((authority) => ({
    type: 'CAA' as const,
    name,
    value: `0 issue "${authority}"`,
  }))
  const bad = (cause: Light['cause'], says: string, culprits: Property[] = []) =>
    light('caa', {
      state: 'bad',
      cause,
      says,
      paste,
      remove: culprits.map(({ isCritical, tag, value }) => ({
        type: 'CAA',
        name,
        value: `${isCritical ? 128 : 0} ${tag} "${value}"`,
      })),
    })
  const strange = properties.filter(({ isCritical, tag }) => isCritical && !usualIssuers.has(tag))
  if (strange.length)
    return bad(
      'caaCritical',
      `A CAA record at ${name} is marked critical and is one that no certificate authority knows: remove it.`,
      strange,
    )
  const issuers = properties.filter(({ tag }) => tag === 'issue')
  if (!issuers.length)
    return light('caa', { state: 'good', says: 'The CAA records let every authority issue.' })
  const read = issuers.map(({ value }) => {
    const [authority = '', ...parameters] = value.split(';').map((part) => part.trim().toLowerCase())
    return { authority, parameters }
  })
  const ours = read.filter(({ authority }) =>
    (certificateAuthorities as readonly string[]).includes(authority),
  )
  if (ours.some(({ parameters }) => parameters.every(isOpen)))
    return light('caa', { state: 'good', says: 'The CAA records let our certificate authorities issue.' })
  if (ours.length)
    return bad(
      'caaRestricted',
      `The CAA records at ${name} let our certificate authorities issue for one account or by one way only: add records without such conditions.`,
    )
  const isClosed = read.every(({ authority }) => authority === '')
  return isClosed
    ? bad('caaForbidsAll', `A CAA record at ${name} forbids every certificate: replace it by these.`, issuers)
    : bad(
        'caaBlocks',
        `The CAA records at ${name} let only ${read.flatMap(({ authority }) => authority || []).join(', ')} issue certificates: add these beside them.`,
      )
}

/** Whether we can meet a parameter of an `issue` record (RFC 8657). */
function isOpen(parameter: string): boolean {
  if (parameter.startsWith('accounturi=')) return false
  if (!parameter.startsWith('validationmethods=')) return true
  return /(?:^|[=,])(?:http-01|dns-01)(?:,|$)/.test(parameter)
}

/**
 * Parses a CAA record as resolvers write it: `0 issue "a.example"`, or its bytes by RFC 3597: `\# 19 00 05 69
 * …`. Null where it is neither.
 */
function parseProperty(data: string): Property | null {
  const raw = /^\\#\s*\d+\s+([0-9a-f\s]+)$/i.exec(data.trim())?.[1]
  if (raw !== undefined) {
    const bytes = (raw.replace(/\s/g, '').match(/../g) ?? []).map((hex) => parseInt(hex, 16))
    const [flags = 0, length = 0] = bytes
    const text = String.fromCharCode(...bytes.slice(2))
    return { isCritical: flags >= 128, tag: text.slice(0, length).toLowerCase(), value: text.slice(length) }
  }
  const [, flags, tag, value] = /^(\d+)\s+([a-z0-9]+)\s+"?(.*?)"?$/i.exec(data.trim()) ?? []
  if (flags === undefined || tag === undefined) return null
  return { isCritical: Number(flags) >= 128, tag: tag.toLowerCase(), value: value ?? '' }
}
