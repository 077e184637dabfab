import { sql } from 'kysely'
import { record } from './activity.ts'
import { param, placeOf, type Asked } from './asked.ts'
import { included, picked } from './includes.ts'
import { tell, write } from './outbox.ts'
import { filtered, ordered, page, searched, total } from './paging.ts'
import { conflict, expectVersion, fresh, raised, said } from './versions.ts'
import { dependOn, many, one } from './visible.ts'
import type { Context } from '../context.ts'
import { Failure } from '../errors.ts'
import type { Include, ListOptions, OneOptions } from '../shapes/options.ts'
import type { NewSource, SourceChanges } from '../shapes/source.ts'

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
export async function find(ctx: Context, asked: Asked<ListOptions>) {
  const { search, filters, orderings, maxVisibility, visibility, includes, ...cut } = asked.options
  const query = ctx.db
    .selectFrom('source')
    .leftJoin('sourceStat', 'sourceStat.sourceId', 'source.id')
    .select([...columns, count, total])
    .where(many(ctx, 'source', asked.params.placeId ?? null, maxVisibility))
    .where(searched(search, ['source.id', 'source.name', 'source.notes']))
    .where(filtered(filters, 'source'))
    .$if(visibility !== undefined, (q) => q.where('source.visibility', '=', visibility as 'public'))
    .orderBy(ordered(orderings, 'source', sql.ref('source.name')))
  const found = await page(query, cut)
  return { ...found, results: await withIncludes(ctx, found.results, includes) }
}

/** One source; undefined when there is none that the actor may see. */
export async function findById(ctx: Context, asked: Asked<OneOptions>) {
  const row = await get(ctx, asked)
  if (!row) return undefined
  const [source] = await withIncludes(ctx, [row], asked.options.includes)
  return source
}

/** Makes a source of a data type that exists. */
export async function create(ctx: Context, asked: Asked<unknown, NewSource>) {
  const { data } = asked
  const placeId = placeOf(asked)
  await requireDataType(ctx, data.dataTypeId)
  const id = data.id ?? crypto.randomUUID()
  const visibility = data.visibility ?? 'place'
  await write(ctx, async (tx) => {
    const row = {
      ...said(data),
      id,
      placeId,
      dataTypeId: data.dataTypeId,
      name: data.name,
      visibility,
      ...fresh(ctx),
    }
    const made = await tx
      .insertInto('source')
      .values(row)
      .onConflict((c) => c.column('id').doNothing())
      .executeTakeFirst()
    if (!made.numInsertedOrUpdatedRows)
      throw new Failure('conflict', { say: 'There is a source with this id.' })
    await record(tx, ctx, { verb: 'created', type: 'source', id, name: data.name, placeId })
    await tell(tx, { kind: 'source', placeId, payload: { id } })
  })
  return get(ctx, { params: { sourceId: id }, placeId })
}

/** Changes a source's settings; its place and its data type stay. */
export async function updateById(ctx: Context, asked: Asked<unknown, SourceChanges>) {
  const row = await get(ctx, asked)
  if (!row) return undefined
  const { version, ...changes } = asked.data
  expectVersion(ctx, version, row)
  const { id, placeId } = row
  await write(ctx, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('source')
      .set({ ...said(changes), ...raised(ctx, row) })
      .where('id', '=', id)
      .where('version', '=', row.version)
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) throw conflict(row.version, null)
    await record(tx, ctx, { verb: 'updated', type: 'source', id, name: changes.name ?? row.name, placeId })
    await tell(tx, { kind: 'source', placeId, payload: { id } })
  })
  return get(ctx, asked)
}

/** Puts a source away with its records; no one sees it any more. */
export async function deleteById(ctx: Context, asked: Asked) {
  const row = await get(ctx, asked)
  if (!row) return undefined
  const { id, name, placeId } = row
  await write(ctx, async (tx) => {
    await tx
      .updateTable('source')
      .set({ deletedAt: ctx.now(), ...raised(ctx, row) })
      .where('id', '=', id)
      .execute()
    await record(tx, ctx, { verb: 'deleted', type: 'source', id, name, placeId })
    await tell(tx, { kind: 'source', placeId, payload: { id } })
  })
  return { id }
}

/** What of a new source only the database knows: whether its data type exists. */
export async function check(ctx: Context, { data }: Asked<unknown, Partial<NewSource>>) {
  if (data.dataTypeId !== undefined) await requireDataType(ctx, data.dataTypeId)
}

/** A source with its place checked; undefined when there is none that the actor may see. */
async function get(ctx: Context, asked: Pick<Asked, 'params' | 'placeId'>) {
  return ctx.db
    .selectFrom('source')
    .leftJoin('sourceStat', 'sourceStat.sourceId', 'source.id')
    .select([...columns, count])
    .where(one(ctx, 'source', param(asked, 'sourceId'), asked.placeId))
    .executeTakeFirst()
}

async function requireDataType(ctx: Context, id: string) {
  const found = await ctx.db
    .selectFrom('dataType')
    .select('id')
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (found) return
  throw new Failure('invalid', {
    issues: [{ path: ['dataTypeId'], value: id, message: 'There is no such data type.' }],
  })
}

async function withIncludes<Row extends { dataTypeId: string; placeId: string }>(
  ctx: Context,
  rows: Row[],
  includes: Include[] | undefined,
) {
  const dataType = included(includes, 'dataType')
  const place = included(includes, 'place')
  const dataTypes = dataType && (await dataTypesOf(ctx, rows))
  const places = place && (await placesOf(ctx, rows))
  return rows.map((row) => ({
    ...row,
    ...(dataType && { dataType: pickedFrom(dataTypes, row.dataTypeId, dataType) }),
    ...(place && { place: pickedFrom(places, row.placeId, place) }),
  }))
}

function pickedFrom<Row extends { id: string }>(rows: Row[] | null, id: string, { attributes }: Include) {
  const row = rows?.find((each) => each.id === id)
  return row ? picked(row, attributes) : null
}

async function dataTypesOf(ctx: Context, rows: { dataTypeId: string }[]) {
  const ids = [...new Set(rows.map((row) => row.dataTypeId))]
  for (const id of ids) dependOn(ctx, 'dataType', id)
  if (!ids.length) return []
  return ctx.db
    .selectFrom('dataType')
    .select(['id', 'name', 'category', 'notes', 'schema', 'temporal', 'mappingLabelSchema'])
    .where('id', 'in', ids)
    .execute()
}

async function placesOf(ctx: Context, rows: { placeId: string }[]) {
  const ids = [...new Set(rows.map((row) => row.placeId))]
  for (const id of ids) dependOn(ctx, 'place', id)
  if (!ids.length) return []
  return ctx.db
    .selectFrom('place')
    .select(['id', 'name', 'displayName', 'isHub'])
    .where('id', 'in', ids)
    .execute()
}
