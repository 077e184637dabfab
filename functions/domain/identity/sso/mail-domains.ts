import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { hex } from '#functions/platform/digest.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { writeToAdmins } from '#functions/domain/email/admin-email.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { hasProofText, proofName, proofText, textsIn } from '#functions/domain/hostname/lights/index.ts'
import { pathInPlace, type Draft } from '#functions/domain/email/email.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import { askDnsWhy, recordTypes } from '#functions/platform/dns.ts'
import { Failure } from '#functions/errors.ts'
import { normalizeHostname } from '#functions/shapes/domain.ts'
import type { ListOptions } from '#functions/shapes/options.ts'
import type { MailDomainChanges, NewMailDomain } from '#functions/shapes/sso.ts'

/** Most mail domains of a place. */
const maxDomains = 20
/** Failed daily checks in a row after which the place loses the domain. */
const maxFailures = 3
/** Domains checked per run, least recently checked first; and how many at the same time. */
const batch = 300
const atOnce = 10

const columns = ['domain', 'token', 'verifiedAt', 'checkedAt', 'failures', 'letsJoin', 'createdAt'] as const
const where = { id: 'mailDomain.domain' }

/** The mail domains of a place, by name, with the DNS record that proves each. */
export async function find(ctx: Context, request: NounRequest<ListOptions>) {
  const query = ctx.db
    .selectFrom('mailDomain')
    .select([...columns, 'domain as id'])
    .where('placeId', '=', param(request, 'placeId'))
  const list = await listRows(
    ctx,
    query,
    { table: 'mailDomain', order: [sortBy('domain')], searchColumns: ['mailDomain.domain'], columns: where },
    request.options,
  )
  return { ...list, results: list.results.map(present) }
}

/** Adds a domain of mail addresses; it counts once its proof was found. Adding it again changes nothing. */
export async function create(ctx: Context, request: NounRequest<unknown, NewMailDomain>) {
  const placeId = param(request, 'placeId')
  const { domain } = request.data
  const row = await write(ctx, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`mail domains ${placeId}`}, 0))`.execute(tx)
    const own = await tx.selectFrom('mailDomain').select(columns).where('placeId', '=', placeId).execute()
    const row = own.find((each) => each.domain === domain)
    if (row) return row
    if (own.length >= maxDomains)
      throw new Failure('conflict', { message: `A place has at most ${maxDomains} mail domains.` })
    const newRow = await tx
      .insertInto('mailDomain')
      .values({
        placeId,
        domain,
        token: hex(crypto.getRandomValues(new Uint8Array(16))),
        createdAt: ctx.now(),
      })
      .returning(columns)
      .executeTakeFirstOrThrow()
    await recordActivity(tx, ctx, { verb: 'created', type: 'mailDomain', id: domain, name: domain, placeId })
    return newRow
  })
  return present(row)
}

/**
 * Checks in DNS whether a mail domain is the place's. `found` null: DNS could not be queried, and nothing has
 * changed.
 */
export async function verify(ctx: Context, request: NounRequest) {
  const placeId = param(request, 'placeId')
  const domain = normalizeHostname(param(request, 'mailDomainId'))
  const row = await ctx.db
    .selectFrom('mailDomain')
    .select(columns)
    .where('placeId', '=', placeId)
    .where('domain', '=', domain ?? '')
    .executeTakeFirst()
  if (!row) return undefined
  const rows = await textsAt(ctx, row.domain)
  if (rows === null) return { ...present(row), found: rows }
  // Only the daily check removes a domain, because DNS may fail for an hour.
  const isProved = hasProofText(rows, row.token)
  const proof = { failures: 0, verifiedAt: row.verifiedAt ?? ctx.now() }
  const updatedRow = await write(ctx, async (tx) => {
    if (isProved && row.verifiedAt === null)
      await recordActivity(tx, ctx, {
        verb: 'updated',
        type: 'mailDomain',
        id: row.domain,
        name: row.domain,
        placeId,
      })
    return tx
      .updateTable('mailDomain')
      .set({ checkedAt: ctx.now(), ...(isProved && proof) })
      .where('placeId', '=', placeId)
      .where('domain', '=', row.domain)
      .returning(columns)
      .executeTakeFirst()
  })
  return updatedRow && { ...present(updatedRow), found: rows }
}

/**
 * Sets whether people with a confirmed address of a mail domain may join the place without approval, as viewers. It
 * takes effect only while the domain is proved. Undefined: it is not the place's.
 */
export async function updateById(ctx: Context, request: NounRequest<unknown, MailDomainChanges>) {
  const placeId = param(request, 'placeId')
  const domain = normalizeHostname(param(request, 'mailDomainId')) ?? ''
  return write(ctx, async (tx) => {
    const row = await tx
      .updateTable('mailDomain')
      .set({ letsJoin: request.data.letsJoin })
      .where('placeId', '=', placeId)
      .where('domain', '=', domain)
      .returning(columns)
      .executeTakeFirst()
    if (!row) return undefined
    await recordActivity(tx, ctx, { verb: 'updated', type: 'mailDomain', id: domain, name: domain, placeId })
    return present(row)
  })
}

/**
 * Removes a mail domain from a place, so that its provider is not trusted for those addresses. Undefined: it
 * is not the place's.
 */
export async function deleteById(ctx: Context, request: NounRequest) {
  const placeId = param(request, 'placeId')
  const domain = normalizeHostname(param(request, 'mailDomainId')) ?? ''
  return write(ctx, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('mailDomain')
      .where('placeId', '=', placeId)
      .where('domain', '=', domain)
      .executeTakeFirstOrThrow()
    if (!numDeletedRows) return undefined
    await recordActivity(tx, ctx, { verb: 'deleted', type: 'mailDomain', id: domain, name: domain, placeId })
    return { id: domain }
  })
}

/**
 * Checks daily whether the proofs of mail domains still exist, at most 300 a run. After three days without
 * one the place loses the domain; its admins get an email on the first day and on the last. Called by cron;
 * must run as the system actor. Returns how many were checked, and how many were removed.
 */
export async function recheckMailDomains(ctx: Context): Promise<{ checked: number; lapsed: number }> {
  const rows = await ctx.db
    .selectFrom('mailDomain')
    .select(['placeId', ...columns])
    .where('verifiedAt', 'is not', null)
    .where('checkedAt', '<', new Date(ctx.now().getTime() - 0.8 * 86_400_000))
    .orderBy('checkedAt')
    .limit(batch)
    .execute()
  let lapsed = 0
  for (let from = 0; from < rows.length; from += atOnce) {
    const deletions = await Promise.all(
      rows.slice(from, from + atOnce).map((row) =>
        recheck(ctx, row).catch((error: unknown) => {
          // An error with one domain must not stop the others.
          ctx.report(error, { during: 'recheckMailDomains' })
          return false
        }),
      ),
    )
    lapsed += deletions.filter(Boolean).length
  }
  return { checked: rows.length, lapsed }
}

type Row = Pick<
  {
    domain: string
    token: string
    verifiedAt: Date | null
    checkedAt: Date | null
    failures: number
    letsJoin: boolean
    createdAt: Date
  },
  (typeof columns)[number]
>

/** Checks one domain. True: the place has lost it. */
async function recheck(ctx: Context, row: Row & { placeId: string }): Promise<boolean> {
  const rows = await textsAt(ctx, row.domain)
  if (rows === null) return false
  const { placeId, domain } = row
  const failures = hasProofText(rows, row.token) ? 0 : row.failures + 1
  const isLost = failures >= maxFailures
  await write(ctx, async (tx) => {
    await tx
      .updateTable('mailDomain')
      .set({ checkedAt: ctx.now(), failures, ...(isLost && { verifiedAt: null }) })
      .where('placeId', '=', placeId)
      .where('domain', '=', domain)
      .execute()
    if (isLost)
      await recordActivity(tx, ctx, {
        verb: 'expired',
        type: 'mailDomain',
        id: domain,
        name: domain,
        placeId,
      })
    if (isLost || failures === 1)
      await writeToAdmins(tx, ctx.settings, placeId, proofGone(domain, isLost, placeId))
  })
  return isLost
}

const proofGone = (domain: string, isLost: boolean, placeId: string): Draft => ({
  subject: isLost
    ? `Nobody with an address of ${domain} can sign in`
    : `${domain}: its proof is gone from DNS`,
  lines: [
    isLost
      ? `The record that proves that ${domain} is yours was not found ${maxFailures} days in a row, so your provider signs in nobody with such an address.`
      : `The record that proves that ${domain} is yours was not found today. It is looked for every day; when it is not found ${maxFailures} days in a row, nobody with such an address can sign in by your provider.`,
    'Set the record again. Then check it on the screen.',
  ],
  link: { label: 'See the record', path: pathInPlace('/org/manage/sign-in', placeId) },
})

/** The TXT records at the name of a domain's proof; null: DNS could not be queried. */
async function textsAt({ fetch, settings }: Context, domain: string): Promise<string[] | null> {
  const resolver = { fetch, resolver: settings.dnsResolver }
  const answer = await askDnsWhy(resolver, proofName(domain), recordTypes.TXT)
  return answer.status === 'found' || answer.status === 'none' ? textsIn(answer) : null
}

const present = ({ domain, token, ...row }: Row) => ({
  id: domain,
  verifiedAt: row.verifiedAt,
  checkedAt: row.checkedAt,
  failures: row.failures,
  letsJoin: row.letsJoin,
  createdAt: row.createdAt,
  proof: { type: 'TXT' as const, name: proofName(domain), value: proofText(token) },
})
