import { sql } from 'kysely'
import { param, requirePlaceId, type NounRequest } from '#functions/domain/noun/requests.ts'
import { restoreDeletedWith } from '#functions/domain/data-type/data-types.ts'
import { whereDeleted } from '#functions/domain/noun/restore.ts'
import { requireDataType, usableDataType } from '#functions/domain/data-type/visibility.ts'
import { sortBy } from '#functions/domain/noun/paging.ts'
import { createPlacedNoun } from '#functions/domain/noun/placed-noun.ts'
import { announceAs, versionedRows } from '#functions/domain/noun/rows.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import type { Context } from '#functions/context.ts'
import type { NewSource, SourceChanges } from '#functions/shapes/source.ts'
import type { Tx, Visibility } from '#db/schema.ts'
import { expectedColumn, lateColumn } from './late.ts'
import { mergeCustomValues, newValues, selectVisibleValues } from './custom-fields.ts'

/** The columns of a source with the statistics of its records. */
const columns = [
  'source.id',
  'source.placeId',
  'source.dataTypeId',
  'source.name',
  'source.notes',
  'source.visibility',
  'source.attribution',
  'source.attributionUrl',
  'source.licence',
  'source.licenceUrl',
  'source.tags',
  'source.topic',
  'source.publisher',
  'source.publisherUrl',
  'source.contactName',
  'source.contact',
  'source.cadence',
  'source.dataVersion',
  'source.dataUpdatedAt',
  'source.version',
  'source.createdAt',
  'source.updatedAt',
  'sourceStat.extent',
] as const

const count = sql<number>`coalesce(${sql.ref('sourceStat.count')}, 0)`.as('count')

const rows = versionedRows(
  'source',
  announceAs('source', ({ name }: { name: string; visibility: Visibility }) => name, {
    kind: 'source',
    isListed: ({ visibility }) => visibility === 'public',
  }),
)

type StoredChanges = Omit<SourceChanges, 'version'>

/** Metadata values are validated by the fields of the place, and omitted ones are kept. */
async function update(
  tx: Tx,
  ctx: Context,
  row: { id: string; placeId: string; version: number; name: string; visibility: Visibility },
  { customFields, ...changes }: StoredChanges,
) {
  const values = customFields && { customFields: await mergeCustomValues(tx, ctx, row.placeId, customFields) }
  await rows.update(tx, ctx, row, { ...changes, ...values })
}

const sources = createPlacedNoun({
  noun: 'source',
  select: (ctx: Context) =>
    ctx.db
      .selectFrom('source')
      .leftJoin('sourceStat', 'sourceStat.sourceId', 'source.id')
      .select([...columns, selectVisibleValues(ctx), expectedColumn, lateColumn(ctx.now()), count]),
  listing: { order: [sortBy('name')], searchColumns: ['source.id', 'source.name', 'source.notes'] },
  rows: { update, softDelete: rows.softDelete },
})

export const { find, findById, updateById, deleteById } = sources

/** Restores a source that was deleted up to 30 days ago, with the data type that was deleted together with it. */
export async function restore(ctx: Context, request: NounRequest) {
  const row = await ctx.db
    .selectFrom('source')
    .select(['dataTypeId', 'deletedAt'])
    .where('id', '=', param(request, 'sourceId'))
    .where(await whereDeleted(ctx, 'source', request.placeId ?? undefined))
    .executeTakeFirst()
  if (row?.deletedAt) await restoreDeletedWith(ctx, { ...row, deletedAt: row.deletedAt })
  return sources.restore(ctx, request)
}

/** Creates a source of a data type that its place may use. */
export async function create(ctx: Context, request: NounRequest<unknown, NewSource>) {
  const { id: value, visibility = 'place', ...data } = request.data
  const placeId = requirePlaceId(request)
  await requireDataType(ctx, data.dataTypeId, usableDataType(placeId))
  const customFields = JSON.stringify(await newValues(ctx, placeId, data.customFields))
  const id = await write(ctx, (tx) =>
    rows.insert(tx, ctx, { ...data, customFields, placeId, visibility }, { chosenId: value }),
  )
  return sources.get(ctx, { params: { sourceId: id }, placeId })
}

/** Validates what the schema of a new source cannot: its data type and its metadata values. */
export async function check(ctx: Context, { data, placeId }: NounRequest<unknown, Partial<NewSource>>) {
  if (data.dataTypeId !== undefined) await requireDataType(ctx, data.dataTypeId, usableDataType(placeId))
  if (data.customFields !== undefined && placeId !== null) await newValues(ctx, placeId, data.customFields)
}
