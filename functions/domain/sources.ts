import { sql } from 'kysely'
import { record } from './activity.ts'
import { param, placeOf, type Asked } from './asked.ts'
import { withIncludes } from './includes.ts'
import { tell, write } from './outbox.ts'
import { by, filtered, listed, searched, sorted, total } from './paging.ts'
import { bringBack, gone } from './restore.ts'
import { conflict, expectVersion, fresh, raised, said } from './versions.ts'
import { many, one } from './visible.ts'
import type { Context } from '../context.ts'
import { Failure } from '../errors.ts'
import type { OneOptions, RestorableOptions } from '../shapes/options.ts'
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
export async function find(ctx: Context, asked: Asked<RestorableOptions>) {
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
    .where(searched(search, ['source.id', 'source.name', 'source.notes']))
    .where(filtered(filters, 'source'))
    .$if(visibility !== undefined, (q) => q.where('source.visibility', '=', visibility as 'public'))
  const found = await listed(ctx, query, sorted(orderings, 'source', [by('name')]), cut)
  const results = await withIncludes(ctx, 'source', found.results, includes, {
    placeId: asked.params.placeId ?? null,
    maxVisibility,
  })
  return { ...found, results }
}

/** One source; undefined when there is none that the actor may see. */
export async function findById(ctx: Context, asked: Asked<OneOptions>) {
  const row = await get(ctx, asked)
  if (!row) return undefined
  const scope = { placeId: asked.params.placeId ?? null }
  const [source] = await withIncludes(ctx, 'source', [row], asked.options.includes, scope)
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

/** Brings back what was deleted up to 30 days ago; undefined when there is nothing to bring back. */
export async function restore(ctx: Context, asked: Asked) {
  return (await bringBack(ctx, 'source', asked)) ? get(ctx, asked) : undefined
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
    .where('closedAt', 'is', null)
    .executeTakeFirst()
  if (found) return
  throw new Failure('invalid', {
    issues: [{ path: ['dataTypeId'], value: id, message: 'There is no such data type.' }],
  })
}
