import { sql, type SqlBool } from 'kysely'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { unregisterHost, registerHost } from './domain-hosting.ts'
import { checkLights } from './lights/index.ts'
import { queryProof, listProofTokens, type Proof } from './domain-proof.ts'
import { emit, write } from '#functions/domain/outbox/outbox.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { normalizeHostname, type Verified, type VerifyDomain } from '#functions/shapes/domain.ts'
import type { ListOptions } from '#functions/shapes/options.ts'
import { hostname } from '#functions/engine/address/urls.ts'
import type { Tx } from '#db/schema.ts'

/** Most hosts of a place. */
const maxHosts = 20

const columns = [
  'placeDomain.host as id',
  'placeDomain.verifiedAt',
  'placeDomain.releasedAt',
  'placeDomain.checkedAt',
  'placeDomain.failures',
  'placeDomain.certificate',
  'placeDomain.certificateReason',
  'placeDomain.certificateExpiresAt',
  'placeDomain.createdAt',
] as const

const listing = {
  table: 'placeDomain',
  order: [sortBy('host')],
  searchColumns: ['placeDomain.host'],
  columns: { id: 'placeDomain.host' },
}

/** The hosts of a place, by name, including those released in the last 30 days. */
export async function find(ctx: Context, request: NounRequest<ListOptions>) {
  const query = ctx.db
    .selectFrom('placeDomain')
    .select(columns)
    .where('placeDomain.placeId', '=', param(request, 'placeId'))
  return listRows(ctx, query, listing, request.options)
}

/** The hosts of all places, by name. */
export async function findAll(ctx: Context, { options }: NounRequest<ListOptions>) {
  const query = ctx.db.selectFrom('placeDomain').select([...columns, 'placeDomain.placeId'])
  return listRows(ctx, query, listing, options)
}

/**
 * Checks in DNS whether a host is the place's, and if so assigns it: its hub answers there from then on, and
 * a certificate is requested (if that fails it is tried again later). Without a proof nothing is stored, so
 * trying takes nothing from the true owner. Returns five checks (`lights`) of the setup. Failure `conflict`
 * for a host of another place, with or without www, or one that another place released less than 30 days ago;
 * `invalid` for hosts of our own.
 */
export async function verify(ctx: Context, request: NounRequest<unknown, VerifyDomain>): Promise<Verified> {
  const placeId = param(request, 'placeId')
  const host = request.data.domain
  refuseOurs(ctx, host)
  const holder = await findHolder(ctx.db, host)
  refuseTaken(holder, placeId, host)
  await refuseOfClosed(ctx.db, placeId, host)
  // The token that proved the host before is in DNS already.
  const ownTokens = holder?.host === host ? [holder.token] : []
  const tokens = [...new Set([...ownTokens, ...(await listProofTokens(ctx, placeId, host))])]
  const { isProven, records, claim, ask } = await proofByAny(ctx, { placeId, host }, tokens)
  if (isProven) await assignHost(ctx, claim)
  const certificate = isProven ? await registerHost(ctx, ask, claim) : null
  return { verified: isProven === true, records, lights: await checkLights(ctx, ask, claim, certificate) }
}

/** The first proof found in DNS for any of the tokens; the result for the first token where there is none. */
async function proofByAny(
  ctx: Context,
  of: { placeId: string; host: string },
  [token = '', ...others]: string[],
): Promise<Proof> {
  const first = await queryProof(ctx, { ...of, token })
  if (first.isProven !== false) return first
  for (const other of others) {
    const proof = await queryProof(ctx, { ...of, token: other })
    if (proof.isProven) return proof
  }
  return first
}

/**
 * Releases a host: the hub stops answering there, and no other place gets it for 30 days. Undefined: not the
 * place's.
 */
export async function deleteById(ctx: Context, request: NounRequest) {
  const placeId = param(request, 'placeId')
  const host = normalizeHostname(param(request, 'domainId'))
  if (host === null) return undefined
  const isGone = await write(ctx, (tx) => release(tx, ctx, { placeId, host }))
  if (!isGone) return undefined
  await unregisterHost(ctx, host)
  return { id: host }
}

/** Releases a host in the given transaction; false: the place does not have it. */
export async function release(
  tx: Tx,
  ctx: Context,
  { placeId, host }: { placeId: string; host: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('placeDomain')
    .set({
      ...{ verifiedAt: null, releasedAt: ctx.now(), certificate: 'pending' },
      ...{
        certificateReason: null,
        certificateExpiresAt: null,
        warnedOf: null,
        askedAt: null,
        asksUnsettled: 0,
      },
    })
    .where('host', '=', host)
    .where('placeId', '=', placeId)
    .where('verifiedAt', 'is not', null)
    .executeTakeFirstOrThrow()
  if (!numUpdatedRows) return false
  await recordActivity(tx, ctx, { verb: 'deleted', type: 'domain', id: host, name: host, placeId })
  // Every page has the canonical host in it, so the whole hub is published again.
  await emit(tx, { kind: 'hub', placeId, payload: { id: placeId } })
  return true
}

async function assignHost(
  ctx: Context,
  { placeId, host, token }: Record<'placeId' | 'host' | 'token', string>,
) {
  await write(ctx, async (tx) => {
    // Serialises places that prove the same host at the same time.
    await sql`select pg_advisory_xact_lock(hashtextextended(${stripWww(host)}, 0))`.execute(tx)
    const holder = await findHolder(tx, host)
    refuseTaken(holder, placeId, host)
    await refuseOfClosed(tx, placeId, host)
    const now = ctx.now()
    const proof = { token, checkedAt: now, failures: 0 }
    if (holder?.verifiedAt) {
      await tx.updateTable('placeDomain').set(proof).where('host', '=', host).execute()
      return
    }
    await refuseTooMany(tx, placeId)
    // Released with www and now added without, or the reverse: both share one row.
    if (holder && holder.host !== host)
      await tx.deleteFrom('placeDomain').where('host', '=', holder.host).execute()
    const fresh = { ...proof, verifiedAt: now, releasedAt: null }
    await tx
      .insertInto('placeDomain')
      .values({ host, placeId, createdAt: now, ...fresh })
      .onConflict((conflict) => conflict.column('host').doUpdateSet(fresh))
      .execute()
    await recordActivity(tx, ctx, { verb: 'created', type: 'domain', id: host, name: host, placeId })
    await emit(tx, { kind: 'hub', placeId, payload: { id: placeId } })
  })
}

/** The host without www: both variants count as one host. */
const stripWww = (host: string) => host.replace(/^www\./, '')

/** The row of a host, with or without www. */
function findHolder(db: Context['db'] | Tx, host: string) {
  return db
    .selectFrom('placeDomain')
    .select(['host', 'placeId', 'token', 'verifiedAt'])
    .where(sql`regexp_replace(host, '^www[.]', '')`, '=', stripWww(host))
    .executeTakeFirst()
}

function refuseTaken(
  holder: { host: string; placeId: string; verifiedAt: Date | null } | undefined,
  placeId: string,
  host: string,
) {
  if (!holder || (holder.placeId === placeId && (holder.host === host || !holder.verifiedAt))) return
  // Which other place it is must not be revealed.
  const message =
    holder.placeId === placeId
      ? `This place has ${holder.host}, which is the same host: give that up first.`
      : 'Another place has this host, or gave it up less than 30 days ago.'
  throw new Failure('conflict', { issues: [{ path: ['domain'], value: host, message }] })
}

/** Rejects hosts of places that are closed, also after these were purged. */
async function refuseOfClosed(db: Context['db'] | Tx, placeId: string, host: string) {
  const row = await db
    .selectFrom('closedPlace')
    .select('placeId')
    .where(sql<SqlBool>`hosts @> array[${stripWww(host)}]::text[]`)
    .where('reopenedAt', 'is', null)
    .where('placeId', '!=', placeId)
    .executeTakeFirst()
  if (row)
    throw new Failure('conflict', {
      issues: [
        { path: ['domain'], value: host, message: 'This was the host of an organization that was closed.' },
      ],
    })
}

async function refuseTooMany(tx: Tx, placeId: string) {
  const { n } = await tx
    .selectFrom('placeDomain')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('placeId', '=', placeId)
    .where('verifiedAt', 'is not', null)
    .executeTakeFirstOrThrow()
  if (n >= maxHosts) throw new Failure('conflict', { message: `A place has at most ${maxHosts} hosts.` })
}

function refuseOurs(ctx: Context, host: string) {
  const ours = [ctx.settings.publicHost, ctx.settings.appHost].map(hostname)
  if (!ours.some((own) => host === own || host.endsWith(`.${own}`))) return
  throw new Failure('invalid', {
    issues: [{ path: ['domain'], value: host, message: 'Must not be a host of our own.' }],
  })
}
