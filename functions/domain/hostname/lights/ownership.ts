import { aliasesIn, light, repeatsFor, silence, textsIn, type QueryDns, type Claim } from './claim.ts'
import type { Light } from '#functions/shapes/domain.ts'

/** The DNS name of a host's proof. */
export const proofName = (host: string) => `_commonplace.${host}`
const prefix = 'commonplace-verify='
export const proofText = (token: string) => `${prefix}${token}`
export const proofTarget = ({ token, ours }: Pick<Claim, 'token' | 'ours'>) => `${token}.verify.${ours}`

/** A TXT value without the quotes, blanks and capitals that forms of DNS providers add or keep. */
const normalizeTxtValue = (text: string) =>
  text
    .trim()
    .replace(/^["'“”]+|["'“”]+$/g, '')
    .trim()
    .toLowerCase()

/** Whether one of the TXT values is the proof with this token. */
export const hasProofText = (texts: readonly string[], token: string): boolean =>
  texts.some((text) => normalizeTxtValue(text) === proofText(token))

/**
 * Whether the proof of a host is in DNS: the token as TXT or as the target of a CNAME of
 * `_commonplace.{host}`. Null: DNS could not be queried.
 */
export async function isProven(ask: QueryDns, claim: Claim): Promise<boolean | null> {
  // The answer to a TXT query includes a CNAME, so one query is enough for both.
  const proofs = await ask(proofName(claim.host), 'TXT')
  if (proofs.status !== 'found' && proofs.status !== 'none') return null
  return hasProofText(textsIn(proofs), claim.token) || aliasesIn(proofs).includes(proofTarget(claim))
}

/** The first check: whether the proof is there, and if not, where it was put by mistake. */
export async function ownershipLight(ask: QueryDns, claim: Claim): Promise<Light> {
  const { host, token } = claim
  const name = proofName(host)
  const proof = proofText(token)
  const paste = [{ type: 'TXT' as const, name, value: proof }]
  const buildLight = (value: Omit<Parameters<typeof light>[1], 'paste'>) =>
    light('ownership', { paste, ...value })
  if (await isProven(ask, claim))
    return light('ownership', { state: 'good', says: 'The proof that the address is yours was found.' })
  const proofs = await ask(name, 'TXT')
  const silent = silence('ownership', proofs, name, paste)
  if (silent) return silent
  const texts = textsIn(proofs).map(normalizeTxtValue)
  if (texts.includes(token))
    return buildLight({
      state: 'bad',
      cause: 'proofBare',
      says: `The TXT record at ${name} lacks its beginning: the value starts with ${prefix}`,
      remove: [{ type: 'TXT', name, value: token }],
    })
  const other = texts.find((text) => text.startsWith(prefix))
  if (other !== undefined)
    return buildLight({
      state: 'bad',
      cause: 'proofOther',
      says: `The TXT record at ${name} is that of another organization or of another address. Add yours beside it.${repeatsFor(proofs)}`,
    })
  const [alias] = aliasesIn(proofs)
  if (alias !== undefined)
    return buildLight({
      state: 'bad',
      cause: 'proofAlias',
      says: `${name} is a CNAME to ${alias}, which may come from a wildcard record. A TXT record cannot stand beside a CNAME of the same name: remove that one, or set the TXT record by its full name.${repeatsFor(proofs)}`,
      remove: [{ type: 'CNAME', name, value: alias }],
    })
  const stray = await findMisplacedRecord(ask, claim, proof)
  if (stray) {
    const { at, ...content } = stray
    return buildLight({ ...content, state: 'bad', remove: [{ type: 'TXT', name: at, value: proof }] })
  }
  return buildLight({
    state: 'bad',
    cause: 'proofMissing',
    says: `There is no TXT record at ${name} yet. After you set it, it can take up to an hour until it is seen.`,
  })
}

/** Finds the record where people put it by mistake, as forms of DNS providers suggest. */
async function findMisplacedRecord(ask: QueryDns, { host, alias }: Claim, proof: string) {
  const labels = host.split('.')
  // Many forms append the zone, so a full name then ends in it twice.
  const zones = labels.slice(0, -1).map((_label, i) => labels.slice(i).join('.'))
  const places = [
    {
      at: host,
      cause: 'proofAtHost' as const,
      says: `The TXT record stands at ${host} itself: its name must be ${proofName(host)}`,
    },
    ...(alias
      ? [
          {
            at: proofName(alias),
            cause: 'proofAtAlias' as const,
            says: `The TXT record stands below ${alias}: its name must be ${proofName(host)}`,
          },
        ]
      : []),
    ...zones.slice(0, 4).map((zone) => ({
      at: `${proofName(host)}.${zone}`,
      cause: 'proofDoubled' as const,
      says: `The TXT record stands at ${proofName(host)}.${zone}: your provider adds ${zone} by itself. Write the name without it.`,
    })),
  ]
  const rows = await Promise.all(
    places.map(async ({ at }) =>
      textsIn(await ask(at, 'TXT')).some((text) => normalizeTxtValue(text) === proof),
    ),
  )
  return places[rows.indexOf(true)]
}
