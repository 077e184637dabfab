import { sql } from 'kysely'
import { record } from '#functions/domain/activity/activity.ts'
import { param, placeOf, type NounRequest } from '#functions/domain/noun/requests.ts'
import { requireDataType, usableDataType } from '#functions/domain/dataType/visibility.ts'
import { withIncludes } from '#functions/domain/noun/includes.ts'
import { insertNew } from '#functions/domain/noun/newId.ts'
import { emit, write } from '#functions/domain/outbox/outbox.ts'
import {
  by,
  whereFiltered,
  listPage,
  whereSearched,
  buildOrder,
  total,
} from '#functions/domain/noun/paging.ts'
import { bringBack, gone } from '#functions/domain/noun/restore.ts'
import {
  conflict,
  expectVersion,
  fresh,
  bumpVersion,
  withoutUndefined,
} from '#functions/domain/noun/versions.ts'
import { many, one } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'
import type { OneOptions, RestorableOptions } from '#functions/shapes/options.ts'
import type { NewSource, SourceChanges } from '#functions/shapes/source.ts'

/** A source with what is kept about its records: how many there are and where. */
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
  'source.dataVersion',
  'source.dataUpdatedAt',
  'source.version',
  'source.createdAt',
  'source.updatedAt',
  'sourceStat.extent',
] as const

const count = sql<number>`coalesce(${sql.ref('sourceStat.count')}, 0)`.as('count')

/** The sources of a place (or of all places) that the actor may see, by name. */
export async function find(ctx: Context, asked: NounRequest<RestorableOptions>) {
  const { search, filters, orderings, maxVisibility, visibility, includes, deleted, ...cut } = asked.options
  const { placeId } = asked.params
  const which = deleted
    ? await gone(ctx, 'source', placeId)
    : many(ctx, 'source', placeId ?? null, maxVisibility)
  const query = ctx.db
    .selectFrom('source')
    .leftJoin('sourceStat', 'sourceStat.sourceId', 'source.id')
    .select([...columns, count, total])
    .where(which)
    .where(whereSearched(search, ['source.id', 'source.name', 'source.notes']))
    .where(whereFiltered(filters, 'source'))
    .$if(visibility !== undefined, (q) => q.where('source.visibility', '=', visibility as 'public'))
  const found = await listPage(ctx, query, buildOrder(orderings, 'source', [by('name')]), cut)
  const results = await withIncludes(ctx, 'source', found.results, includes, {
    placeId: asked.params.placeId ?? null,
    maxVisibility,
  })
  return { ...found, results }
}

/** One source; undefined when there is none that the actor may see. */
export async function findById(ctx: Context, asked: NounRequest<OneOptions>) {
  const row = await get(ctx, asked)
  if (!row) return undefined
  const scope = { placeId: asked.params.placeId ?? null }
  const [source] = await withIncludes(ctx, 'source', [row], asked.options.includes, scope)
  return source
}

/** Makes a source of a data type that its place may use. */
export async function create(ctx: Context, asked: NounRequest<unknown, NewSource>) {
  const { data } = asked
  const placeId = placeOf(asked)
  await requireDataType(ctx, data.dataTypeId, usableDataType(placeId))
  const visibility = data.visibility ?? 'place'
  const id = await write(ctx, async (tx) => {
    const row = {
      ...withoutUndefined(data),
      placeId,
      dataTypeId: data.dataTypeId,
      name: data.name,
      visibility,
      ...fresh(ctx),
    }
    const id = await insertNew(tx, ctx, { noun: 'source', placeId, given: data.id }, (free) =>
      tx
        .insertInto('source')
        .values({ ...row, id: free })
        .onConflict((c) => c.column('id').doNothing())
        .executeTakeFirst(),
    )
    await record(tx, ctx, { verb: 'created', type: 'source', id, name: data.name, placeId })
    await emit(tx, { kind: 'source', placeId, payload: { id } })
    return id
  })
  return get(ctx, { params: { sourceId: id }, placeId })
}

/** Changes a source's settings; its place and its data type stay. */
export async function updateById(ctx: Context, asked: NounRequest<unknown, SourceChanges>) {
  const row = await get(ctx, asked)
  if (!row) return undefined
  const { version, ...changes } = asked.data
  expectVersion(ctx, version, row)
  const { id, placeId } = row
  await write(ctx, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('source')
      .set({ ...withoutUndefined(changes), ...bumpVersion(ctx, row) })
      .where('id', '=', id)
      .where('version', '=', row.version)
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) throw conflict(row.version, null)
    await record(tx, ctx, { verb: 'updated', type: 'source', id, name: changes.name ?? row.name, placeId })
    await emit(tx, { kind: 'source', placeId, payload: { id } })
  })
  return get(ctx, asked)
}

/** Brings back what was deleted up to 30 days ago; undefined when there is nothing to bring back. */
export async function restore(ctx: Context, asked: NounRequest) {
  return (await bringBack(ctx, 'source', asked)) ? get(ctx, asked) : undefined
}

/** Puts a source away with its records; no one sees it any more. */
export async function deleteById(ctx: Context, asked: NounRequest) {
  const row = await get(ctx, asked)
  if (!row) return undefined
  const { id, name, placeId } = row
  await write(ctx, async (tx) => {
    await tx
      .updateTable('source')
      .set({ deletedAt: ctx.now(), ...bumpVersion(ctx, row) })
      .where('id', '=', id)
      .execute()
    await record(tx, ctx, { verb: 'deleted', type: 'source', id, name, placeId })
    await emit(tx, { kind: 'source', placeId, payload: { id } })
  })
  return { id }
}

/** What of a new source only the database knows: whether its place may use its data type. */
export async function check(ctx: Context, { data, placeId }: NounRequest<unknown, Partial<NewSource>>) {
  if (data.dataTypeId !== undefined) await requireDataType(ctx, data.dataTypeId, usableDataType(placeId))
}

/** A source with its place checked; undefined when there is none that the actor may see. */
async function get(ctx: Context, asked: Pick<NounRequest, 'params' | 'placeId'>) {
  return ctx.db
    .selectFrom('source')
    .leftJoin('sourceStat', 'sourceStat.sourceId', 'source.id')
    .select([...columns, count])
    .where(one(ctx, 'source', param(asked, 'sourceId'), asked.placeId))
    .executeTakeFirst()
}
