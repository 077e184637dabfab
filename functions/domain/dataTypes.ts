import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { record } from './activity.ts'
import { param, type Asked } from './asked.ts'
import { seenDataType } from './dataType/visibility.ts'
import { checkedSchema, refuseRetyped, widen, type DataTypeDocument } from './dataTypeSchema.ts'
import { withIncludes } from './includes.ts'
import { insertNew, longestDataTypeId, withEnding } from './newId.ts'
import { tell, write } from './outbox.ts'
import { by, filtered, listed, searched, sorted, total } from './paging.ts'
import { isRestorable, placeOfGone } from './restore.ts'
import { conflict, expectVersion, fresh, raised, said } from './versions.ts'
import { dependOn, dependOnList } from './visible.ts'
import type { Context } from '../context.ts'
import { Failure } from '../errors.ts'
import type { DataTypeChanges, NewDataType } from '../shapes/dataType.ts'
import type { OneOptions, RestorableOptions } from '../shapes/options.ts'
import type { ColumnField } from '#db/dataTable.ts'
import type { Visibility } from '#db/schema.ts'

const columns = [
  'dataType.id',
  'dataType.name',
  'dataType.category',
  'dataType.notes',
  'dataType.schema',
  'dataType.temporal',
  'dataType.mappingLabelSchema',
  'dataType.ownerPlaceId',
  'dataType.version',
  'dataType.createdAt',
  'dataType.updatedAt',
] as const

/** Which data types the actor may see (`seenDataType`); notes that the answer depends on the list of them. */
export function shown(ctx: Context, placeId: string | null, maxVisibility?: Visibility): RawBuilder<SqlBool> {
  dependOnList(ctx, 'dataType', placeId)
  return seenDataType(ctx, placeId, maxVisibility)
}

/** The data types of a place (or of all places) that the actor may see, by name. */
export async function find(ctx: Context, asked: Asked<RestorableOptions>) {
  const { search, filters, orderings, maxVisibility, visibility, includes, deleted, ...cut } = asked.options
  const placeId = asked.params.placeId ?? null
  const level = visibility === 'public' ? 'public' : maxVisibility
  const which = deleted ? await goneOf(ctx, asked.params.placeId) : shown(ctx, placeId, level)
  const query = ctx.db
    .selectFrom('dataType')
    .select([...columns, total])
    .where(which)
    .where(searched(search, ['dataType.id', 'dataType.name', 'dataType.category', 'dataType.notes']))
    .where(filtered(filters, 'dataType'))
  const found = await listed(ctx, query, sorted(orderings, 'dataType', [by('name')]), cut)
  // Its owner's event names no place that lists it, so each row is noted as well.
  for (const { id } of found.results) dependOn(ctx, 'dataType', id)
  const scope = { placeId, maxVisibility }
  return { ...found, results: await withIncludes(ctx, 'dataType', found.results, includes, scope) }
}

/** One data type; undefined when there is none that the actor may see. */
export async function findById(ctx: Context, asked: Asked<OneOptions>) {
  const row = await get(ctx, asked)
  if (!row) return undefined
  const scope = { placeId: asked.params.placeId ?? null }
  const [dataType] = await withIncludes(ctx, 'dataType', [row], asked.options.includes, scope)
  return dataType
}

/** Whether the place shows the data type to the actor at all: what is made of one that it does not is no one's to ask. */
export async function isShown(ctx: Context, asked: Pick<Asked, 'params'>): Promise<boolean> {
  return (await get(ctx, asked)) !== undefined
}

/**
 * Makes a data type. Its id is permanent: the given one, else its name as a slug; of a place's own data type with a short
 * random ending, so that two places may name theirs alike.
 */
export async function create(ctx: Context, asked: Asked<unknown, NewDataType>) {
  const { id: given, ownerPlaceId: _owner, ...document } = asked.data
  const data = checkedSchema(document)
  const placeId = asked.placeId
  const wanted = given ?? slugOf(data.name)
  const issue = {
    path: [given ? 'id' : 'name'],
    value: wanted,
    message: 'There is a data type with this id.',
  }
  const named = {
    ...({ noun: 'dataType', placeId, refusal: new Failure('conflict', { issues: [issue] }) } as const),
    given: placeId === null ? wanted : given,
    make: () => withEnding(wanted, longestDataTypeId),
  }
  const id = await write(ctx, async (tx) => {
    const row = {
      ...said(asJson(data)),
      ...{ name: data.name, schema: JSON.stringify(data.schema), ownerPlaceId: placeId },
      ...fresh(ctx),
    }
    const id = await insertNew(tx, ctx, named, (free) =>
      tx
        .insertInto('dataType')
        .values({ ...row, id: free })
        .onConflict((c) => c.column('id').doNothing())
        .executeTakeFirst(),
    )
    await record(tx, ctx, { verb: 'created', type: 'dataType', id, name: data.name, placeId })
    await tell(tx, { kind: 'dataType', placeId, payload: { id } })
    return id
  })
  return get(ctx, { params: { dataTypeId: id } })
}

/** Changes a data type. Fields may come and go; the type of one that has data stays: `conflict`. */
export async function updateById(ctx: Context, asked: Asked<unknown, DataTypeChanges>) {
  const row = await getOwn(ctx, asked)
  if (!row) return undefined
  const { version, ...changes } = asked.data
  expectVersion(ctx, version, row)
  const merged = checkedSchema({
    ...changes,
    schema: changes.schema ?? row.schema,
    temporal: changes.temporal === undefined ? row.temporal : changes.temporal,
    mappingLabelSchema:
      changes.mappingLabelSchema === undefined ? row.mappingLabelSchema : changes.mappingLabelSchema,
  })
  const { id, ownerPlaceId: placeId } = row
  if (changes.schema) await fitTable(ctx, row, merged)
  await write(ctx, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('dataType')
      .set({ ...said(asJson(merged)), ...raised(ctx, row) })
      .where('id', '=', id)
      .where('version', '=', row.version)
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) throw conflict(row.version, null)
    await record(tx, ctx, { verb: 'updated', type: 'dataType', id, name: changes.name ?? row.name, placeId })
    // Sources of any place may use it, so it concerns every hub.
    await tell(tx, { kind: 'dataType', placeId: null, payload: { id } })
  })
  return get(ctx, asked)
}

/** Brings back a data type of the place that was deleted up to 30 days ago; undefined when there is none. */
export async function restore(ctx: Context, asked: Asked) {
  const id = param(asked, 'dataTypeId')
  const row = await ctx.db
    .selectFrom('dataType')
    .select(['name', 'version', 'ownerPlaceId'])
    .where('id', '=', id)
    .where(await goneOf(ctx, asked.placeId ?? undefined))
    .executeTakeFirst()
  if (!row) return undefined
  await write(ctx, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('dataType')
      .set({ deletedAt: null, ...raised(ctx, row) })
      .where('id', '=', id)
      .where('version', '=', row.version)
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) throw conflict(row.version, null)
    const placeId = row.ownerPlaceId
    await record(tx, ctx, { verb: 'restored', type: 'dataType', id, name: row.name, placeId })
    await tell(tx, { kind: 'dataType', placeId, payload: { id } })
  })
  return get(ctx, asked)
}

/** Puts a data type away. One that has sources stays: `conflict`. */
export async function deleteById(ctx: Context, asked: Asked) {
  const row = await getOwn(ctx, asked)
  if (!row) return undefined
  const { id, name, ownerPlaceId: placeId } = row
  await write(ctx, async (tx) => {
    const used = await tx
      .selectFrom('source')
      .select('id')
      .where('dataTypeId', '=', id)
      .where('deletedAt', 'is', null)
      .limit(1)
      .executeTakeFirst()
    if (used) throw new Failure('conflict', { say: 'There are sources of this data type.' })
    await tx
      .updateTable('dataType')
      .set({ deletedAt: ctx.now(), ...raised(ctx, row) })
      .where('id', '=', id)
      .execute()
    await record(tx, ctx, { verb: 'deleted', type: 'dataType', id, name, placeId })
    await tell(tx, { kind: 'dataType', placeId, payload: { id } })
  })
  return { id }
}

/** What of a new data type its shape does not say: whether its fields are good ones. */
export function check(_ctx: Context, { data }: Asked<unknown, Partial<NewDataType>>): void {
  if (data.schema) checkedSchema({ ...data, schema: data.schema })
}

async function get(ctx: Context, asked: Pick<Asked, 'params'>) {
  const id = param(asked, 'dataTypeId')
  dependOn(ctx, 'dataType', id)
  return ctx.db
    .selectFrom('dataType')
    .select(columns)
    .where('dataType.id', '=', id)
    .where(shown(ctx, asked.params.placeId ?? null))
    .executeTakeFirst()
}

/** A data type that belongs to the place permission was checked for; the few who write everywhere need none. */
export async function getOwn(ctx: Context, asked: Pick<Asked, 'params' | 'placeId'>) {
  const row = await get(ctx, asked)
  const writesAll = ctx.actor.kind === 'system' || ctx.actor.user?.role === 'super_admin'
  const isOwn = row !== undefined && row.ownerPlaceId !== null && row.ownerPlaceId === asked.placeId
  return writesAll || isOwn ? row : undefined
}

/** Makes the table fit the schema that a data type is to have. Widening waits for no one and takes nothing away. */
async function fitTable(ctx: Context, row: { id: string; schema: object }, to: DataTypeDocument) {
  const { id } = row
  const { tableName } = await ctx.db
    .selectFrom('dataType')
    .select('tableName')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (tableName === null) return
  refuseRetyped(row.schema as Record<string, unknown>, to.schema)
  const schema = to.schema as Record<string, ColumnField>
  await widen(ctx, { id, schema, temporal: to.temporal ?? null, tableName })
}

/** The deleted data types that a place owns and could bring back. */
async function goneOf(ctx: Context, placeId: string | undefined): Promise<RawBuilder<SqlBool>> {
  const owner = await placeOfGone(ctx, 'dataType.delete', placeId)
  return sql<SqlBool>`(${isRestorable(ctx, 'dataType.deletedAt')} and ${sql.ref('dataType.ownerPlaceId')} = ${owner})`
}

/** JSON columns as text; the rest as it is. */
function asJson<
  Data extends { schema?: object; temporal?: object | null; mappingLabelSchema?: object | null },
>(data: Data) {
  const { schema, temporal, mappingLabelSchema, ...rest } = data
  const text = (value: object | null | undefined) => (value ? JSON.stringify(value) : value)
  return {
    ...rest,
    schema: schema && JSON.stringify(schema),
    temporal: text(temporal) as string | null | undefined,
    mappingLabelSchema: text(mappingLabelSchema) as string | null | undefined,
  }
}

function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63)
  if (slug) return slug
  throw new Failure('invalid', { issues: [{ path: ['id'], message: 'Required.', validator: 'required' }] })
}
