import { sql } from 'kysely'
import { param, requirePlaceId, type NounRequest } from '#functions/domain/noun/requests.ts'
import { beginning, dueAnew } from './due.ts'
import { requireRecipients, requireTellable, requireWatchable } from './observers-check.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import { announceAs, updateKnown, versionedRows } from '#functions/domain/noun/rows.ts'
import { encrypt } from '#functions/domain/secrets/encrypt.ts'
import { withoutUndefined } from '#functions/domain/noun/versions.ts'
import type { Context } from '#functions/context.ts'
import type { Condition, NewObserver, ObserverChanges, ObserverOptions } from '#functions/shapes/observer.ts'
import type { OneOptions } from '#functions/shapes/options.ts'

const columns = [
  'observer.id',
  'observer.placeId',
  'observer.dataTypeId',
  'observer.sourceId',
  'observer.name',
  'observer.notes',
  'observer.filters',
  'observer.condition',
  'observer.schedule',
  'observer.cooldown',
  'observer.channels',
  'observer.recipients',
  'observer.webhookUrl',
  'observer.enabled',
  'observer.isCrossed',
  'observer.evaluatedAt',
  'observer.lastValue',
  'observer.lastAlertAt',
  'observer.dueAt',
  'observer.error',
  'observer.version',
  'observer.createdAt',
  'observer.updatedAt',
] as const

const listing = {
  table: 'observer',
  order: [sortBy('name')],
  searchColumns: ['observer.name', 'observer.notes'],
}

const rows = versionedRows(
  'observer',
  announceAs('observer', ({ name }: { name: string }) => name),
)

/** The observers of a place, by name. */
export async function find(ctx: Context, request: NounRequest<ObserverOptions>) {
  const query = ctx.db
    .selectFrom('observer')
    .select([...columns, selectUnreadCount(ctx)])
    .where('observer.placeId', '=', param(request, 'placeId'))
    .where('observer.deletedAt', 'is', null)
  const page = await listRows(ctx, query, listing, request.options)
  return { ...page, results: page.results.map((row) => present(ctx, row)) }
}

/** One observer; undefined when the place has none with this id. */
export async function findById(ctx: Context, request: NounRequest<OneOptions>) {
  const row = await findObserver(ctx, request)
  return row && present(ctx, row)
}

/**
 * Creates an observer. `secret`: the key that signs its webhooks, returned only here. Failure `invalid` where
 * it cannot watch this.
 */
export async function create(ctx: Context, request: NounRequest<unknown, NewObserver>) {
  const placeId = requirePlaceId(request)
  const { dataTypeId, condition, ...data } = request.data
  const { sourceId = null, filters = null, schedule = 'onData', webhookUrl = null } = data
  const { channels = [], recipients = [] } = data
  await requireWatchable(ctx, { placeId, dataTypeId, sourceId, filters, condition })
  requireTellable({ schedule, channels, recipients, webhookUrl })
  await requireRecipients(ctx, placeId, recipients)
  const secret = signingSecret()
  const id = await write(ctx, async (tx) => {
    const within = { ...ctx, db: tx }
    const values = {
      ...{ notes: data.notes, cooldown: data.cooldown, enabled: data.enabled },
      ...{ placeId, dataTypeId, sourceId, name: data.name, schedule, webhookUrl },
      ...toStored({ filters, condition, channels, recipients }),
      ...(await beginning(within, { placeId, dataTypeId, sourceId })),
      dueAt: (await dueAnew(within, { placeId, schedule })).dueAt,
    }
    return rows.insert(tx, ctx, values, {
      chosenId: data.id,
      withId: async (id) => ({
        secret: await encrypt(ctx.settings, { purpose: 'observer', id }, secret),
      }),
    })
  })
  const row = await findObserver(ctx, { params: { placeId, observerId: id } })
  return row && { ...present(ctx, row), secret }
}

/**
 * Updates an observer, except its data type. If what it watches changes, its state is reset. It is due soon.
 * Undefined: no such observer.
 */
export async function updateById(ctx: Context, request: NounRequest<unknown, ObserverChanges>) {
  const row = await updateKnown(
    ctx,
    request.data,
    () => findObserver(ctx, request),
    (row, changes) => change(ctx, row, changes),
  )
  return row && present(ctx, row)
}

async function change(ctx: Context, row: Observer, changes: ObserverChanges): Promise<void> {
  const { filters, condition, channels, recipients, ...plain } = changes
  const next = { ...row, ...withoutUndefined(changes) }
  const isAnother = [changes.sourceId, filters, condition].some((part) => part !== undefined)
  if (isAnother) await requireWatchable(ctx, { ...next, condition: next.condition as Condition })
  requireTellable(next)
  // Recipients who left the place meanwhile must not block other changes.
  if (recipients) await requireRecipients(ctx, row.placeId, recipients)
  await write(ctx, async (tx) => {
    const within = { ...ctx, db: tx }
    await rows.update(tx, ctx, row, {
      ...plain,
      ...toStored({ filters, condition, channels, recipients }),
      ...(isAnother && (await beginning(within, next))),
      ...(await dueAnew(within, next)),
    })
  })
}

/** Deletes an observer and its alerts. Undefined: no such observer. */
export async function deleteById(ctx: Context, request: NounRequest) {
  const row = await findObserver(ctx, request)
  if (!row) return undefined
  await write(ctx, (tx) => rows.softDelete(tx, ctx, row))
  return { id: row.id }
}

/** Checks what the schema of a new observer cannot: whether what it watches and its recipients exist. */
export async function check(
  ctx: Context,
  request: NounRequest<unknown, Partial<NewObserver>>,
): Promise<void> {
  const { data } = request
  const placeId = requirePlaceId(request)
  const { dataTypeId, condition, sourceId = null, filters = null, schedule = 'onData' } = data
  if (dataTypeId !== undefined && condition)
    await requireWatchable(ctx, { placeId, dataTypeId, sourceId, filters, condition })
  const { channels = [], recipients = [], webhookUrl = null } = data
  requireTellable({ schedule, channels, recipients, webhookUrl })
  await requireRecipients(ctx, placeId, recipients)
}

/** One observer of a place without its secret; undefined when there is none. */
export async function findObserver(ctx: Context, request: Pick<NounRequest, 'params'>) {
  return ctx.db
    .selectFrom('observer')
    .select([...columns, selectUnreadCount(ctx)])
    .where('observer.placeId', '=', param(request, 'placeId'))
    .where('observer.id', '=', param(request, 'observerId'))
    .where('observer.deletedAt', 'is', null)
    .executeTakeFirst()
}

type Observer = NonNullable<Awaited<ReturnType<typeof findObserver>>>

/** SQL: how many of an observer's alerts the actor has not read. */
function selectUnreadCount({ actor }: Context) {
  return sql<number>`(select count(*)::int from alert where alert.observer_id = observer.id
    and alert.deleted_at is null and not exists (select from alert_read r
      where r.alert_id = alert.id and r.user_id = ${actor.user?.id ?? ''}))`.as('unreadCount')
}

/**
 * Shortens the webhook's address for people who may not change the observer, because it often contains a key.
 */
function present<Row extends { placeId: string; webhookUrl: string | null }>(
  { actor }: Context,
  row: Row,
): Row {
  const { placeId, webhookUrl } = row
  const isAdmin = actor.memberships.some(
    (each) => each.placeId === placeId && each.role === 'organization_admin',
  )
  if (webhookUrl === null || isAdmin || actor.user?.role === 'super_admin' || actor.kind === 'system')
    return row
  return { ...row, webhookUrl: new URL(webhookUrl).origin }
}

/** JSON columns as text; undefined ones are left out. */
function toStored({ filters, condition, channels, recipients }: Partial<ObserverChanges>) {
  const text = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value))
  return withoutUndefined({
    filters: filters === null ? null : text(filters),
    condition: text(condition),
    channels: text(channels),
    recipients: text(recipients),
  }) as { filters?: string | null; condition: string; channels: string; recipients: string }
}

/** A secret in the form of Standard Webhooks: 32 random bytes. */
function signingSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}
