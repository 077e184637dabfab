import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { loadGrants } from '#functions/domain/access/grants.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { Failure } from '#functions/errors.ts'
import { placeHostnames } from '#functions/engine/address/urls.ts'
import { reopenDays, type ClosePlace, type Closing } from '#functions/shapes/place-closing.ts'
import type { Tx } from '#db/schema.ts'
import { composeClosedEmail, reopenedEmail } from './closing-emails.ts'
import { allowWritesIn, topRole } from './place-users.ts'
import { includeClosedPlaces } from '#functions/domain/access/include-closed.ts'

/** When a place that is closed at a time will be purged. */
const computePurgeTime = (closedAt: Date) => new Date(closedAt.getTime() + reopenDays * 86_400_000)

/** The number of things of each kind that closing the place would remove. Undefined: there is no such place. */
export async function findClosing(ctx: Context, request: NounRequest): Promise<Closing | undefined> {
  const placeId = param(request, 'placeId')
  const { rows } = await sql<Omit<Closing, 'hosts' | 'days'> & { domains: string[] }>`
    select display_name as name,
      (select count(*)::int from source s where s.place_id = p.id and s.deleted_at is null) as sources,
      (select coalesce(sum(t.count), 0)::int from source s join source_stat t on t.source_id = s.id
        where s.place_id = p.id and s.deleted_at is null) as records,
      (select count(*)::int from page g where g.place_id = p.id and g.deleted_at is null) as pages,
      (select count(*)::int from insight i where i.place_id = p.id and i.deleted_at is null) as insights,
      (select count(*)::int from importer i where i.place_id = p.id and i.deleted_at is null) as importers,
      (select count(*)::int from place_user u where u.place_id = p.id) as people,
      (select count(*)::int from data_type d where d.owner_place_id = p.id and d.deleted_at is null
        and exists (select from source s where s.data_type_id = d.id and s.place_id <> p.id)) as shared_data_types,
      array(select host from place_domain d where d.place_id = p.id and d.verified_at is not null
        order by verified_at, host) as domains
    from place p where p.id = ${placeId} and p.deleted_at is null`.execute(ctx.db)
  const [row] = rows
  if (!row) return undefined
  const { domains, ...counts } = row
  const [own = '', ...others] = placeHostnames({ id: placeId, domains }, ctx.settings)
  return { ...counts, hosts: [...others, own], days: reopenDays }
}

/**
 * Closes a place: from then on it is hidden from everybody (`open_place`, the policies of the database). Its
 * administrators, who are notified by email, can reopen it for 30 days. Failure `invalid` (path `name`) where the typed
 * name is wrong. Undefined: there is no such place, or it was closed concurrently.
 */
export async function close(ctx: Context, request: NounRequest<unknown, ClosePlace>) {
  const placeId = param(request, 'placeId')
  const closedPlace = await write(ctx, async (tx) => {
    const place = await tx
      .selectFrom('place')
      .select(['id', 'displayName'])
      .where('id', '=', placeId)
      .where('deletedAt', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!place) return undefined
    requireName(place.displayName, request.data.name)
    const owners = await listOwners(tx, placeId)
    const hosts = await tx.selectFrom('placeDomain').select('host').where('placeId', '=', placeId).execute()
    await recordActivity(tx, ctx, {
      verb: 'closed',
      type: 'place',
      id: placeId,
      name: place.displayName,
      placeId,
    })
    const closedAt = ctx.now()
    await emitPublic(tx, placeId)
    await tx.updateTable('place').set({ deletedAt: closedAt }).where('id', '=', placeId).execute()
    const values = {
      ...{ placeId, closedAt, closedBy: ctx.actor.user?.id ?? null },
      hosts: [...new Set(hosts.map(({ host }) => host.replace(/^www\./, '')))],
    }
    // Last, because later statements find nothing of the place.
    await tx
      .insertInto('closedPlace')
      .values(values)
      .onConflict((conflict) => conflict.column('placeId').doUpdateSet({ ...values, reopenedAt: null }))
      .execute()
    return { id: placeId, name: place.displayName, closedAt, owners }
  })
  if (!closedPlace) return undefined
  const { owners, ...row } = closedPlace
  const presentPlace = { ...row, endsAt: computePurgeTime(row.closedAt) }
  for (const { email } of owners)
    await ctx.sendMail(
      composeClosedEmail(email, ctx.settings, { ...presentPlace, by: ctx.actor.user?.name ?? null }),
    )
  return presentPlace
}

/** The places that are closed and that the actor can open again, the one that was closed last first. */
export async function findClosed(ctx: Context) {
  const roles = await closingRoles(ctx)
  const results = await ctx.transaction(async (tx) => {
    await includeClosedPlaces(tx)
    return (await reopenable(tx, ctx, roles)).map(toClosedPlace)
  })
  return { results, meta: { results: results.length, total: results.length } }
}

/**
 * Reopens a closed place as it was: its contents, members, and jobs. Undefined: there is none that was closed in the
 * last 30 days, or the actor may not reopen it.
 */
export async function reopen(ctx: Context, request: NounRequest) {
  const placeId = param(request, 'placeId')
  const roles = await closingRoles(ctx)
  const openPlace = await write(ctx, async (tx) => {
    await includeClosedPlaces(tx)
    // The purge locks this row as well.
    await tx.selectFrom('closedPlace').select('placeId').where('placeId', '=', placeId).forUpdate().execute()
    const row = (await reopenable(tx, ctx, roles)).find(({ id }) => id === placeId)
    if (!row) return undefined
    await allowWritesIn(tx, placeId)
    await tx.updateTable('place').set({ deletedAt: null }).where('id', '=', placeId).execute()
    await tx
      .updateTable('closedPlace')
      .set({ reopenedAt: ctx.now() })
      .where('placeId', '=', placeId)
      .execute()
    // Runs continue where they were; their lack of heartbeats while closed does not count as stale.
    await tx
      .updateTable('job')
      .set({ heartbeatAt: sql<Date>`now()` })
      .where('placeId', '=', placeId)
      .where('status', 'in', ['running', 'stopping'])
      .execute()
    // Their tile archives were withdrawn when the place was closed.
    await tx
      .updateTable('boundarySet')
      .set({ tiles: null, tilesDueAt: sql<Date>`clock_timestamp()` })
      .where('placeId', '=', placeId)
      .where('visibility', '=', 'public')
      .where('deletedAt', 'is', null)
      .execute()
    await emitPublic(tx, placeId)
    await recordActivity(tx, ctx, { verb: 'reopened', type: 'place', id: placeId, name: row.name, placeId })
    return { ...toClosedPlace(row), owners: await listOwners(tx, placeId) }
  })
  if (!openPlace) return undefined
  ctx.wake('jobs')
  const { owners, ...placeFacts } = openPlace
  for (const { email } of owners)
    await ctx.sendMail(
      reopenedEmail(email, ctx.settings, { ...placeFacts, by: ctx.actor.user?.name ?? null }),
    )
  return placeFacts
}

const toClosedPlace = ({ id, name, closedAt }: { id: string; name: string; closedAt: Date }) => ({
  ...{ id, name, closedAt },
  endsAt: computePurgeTime(closedAt),
})

/** The roles that may close a place. */
const closingRoles = async (ctx: Context) =>
  [...(await loadGrants(ctx))].flatMap(([role, operations]) => (operations.has('place.close') ? [role] : []))

/** The closed places in which the actor has one of the roles. In a transaction that sees them. */
async function reopenable(tx: Tx, ctx: Context, roles: string[]) {
  const { actor } = ctx
  if (!actor.user) return []
  const since = new Date(ctx.now().getTime() - reopenDays * 86_400_000)
  let query = tx
    .selectFrom('closedPlace')
    .innerJoin('place', 'place.id', 'closedPlace.placeId')
    .innerJoin('placeUser', 'placeUser.placeId', 'place.id')
    .select(['place.id', 'place.displayName as name', 'closedPlace.closedAt'])
    .where('placeUser.userId', '=', actor.user.id)
    .where('placeUser.role', 'in', [...roles, ''])
    .where('closedPlace.reopenedAt', 'is', null)
    .where('closedPlace.purgedAt', 'is', null)
    .where('closedPlace.closedAt', '>', since)
  // A single sign-on session gives access to its place only.
  const of = actor.session?.ssoPlaceId ?? null
  if (of !== null) query = query.where('place.id', '=', of)
  return query.orderBy('closedPlace.closedAt', 'desc').orderBy('place.id').execute()
}

const listOwners = (tx: Tx, placeId: string) =>
  tx
    .selectFrom('placeUser')
    .innerJoin('user', 'user.id', 'placeUser.userId')
    .select('user.email')
    .where('placeUser.placeId', '=', placeId)
    .where('placeUser.role', '=', topRole)
    .orderBy('user.id')
    .execute()

function requireName(name: string, value: string) {
  if (name.trim() === value) return
  const message = `Type the name of the organization as it is written: ${name}.`
  throw new Failure('invalid', {
    issues: [{ path: ['name'], value, message, validator: 'name' }],
  })
}

/** Emits that everything public of a place is stale: the edge's state, its hub, and pages of others that mention it. */
async function emitPublic(tx: Tx, placeId: string): Promise<void> {
  await sql`
    insert into outbox (kind, place_id, payload) values
      ('place', ${placeId}, jsonb_build_object('id', ${placeId}::text)),
      ('hub', ${placeId}, jsonb_build_object('id', ${placeId}::text))`.execute(tx)
  for (const noun of ['source', 'insight', 'collection', 'page', 'boundarySet'] as const)
    await sql`
      insert into outbox (kind, place_id, payload)
      select ${noun}, place_id, jsonb_build_object('id', id) from ${sql.table(noun)}
      where place_id = ${placeId} and visibility = 'public' and deleted_at is null`.execute(tx)
}
