import { dependsOn } from '#functions/platform/cache/depends.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { readsAll } from '#functions/domain/access/identity.ts'
import { recordActivity, type Verb } from '#functions/domain/activity/activity.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { deferChange, openChange } from './change.ts'
import { queueChangedRegions, requireSets } from './regions.ts'
import { isCompatible } from './compatible.ts'
import { whereDataTypeVisible } from './visibility.ts'
import {
  checkedSchema,
  refuseRetyped,
  widen,
  withKnowledge,
  type CheckedDocument,
} from './data-type-schema.ts'
import { withIncludes } from '#functions/domain/noun/includes.ts'
import { insertNew, longestDataTypeId, withEnding } from '#functions/domain/noun/new-id.ts'
import { includeClosedPlaces } from '#functions/domain/access/include-closed.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import { updateKnown, updateRow } from '#functions/domain/noun/rows.ts'
import { isRestorable, placeOfDeleted } from '#functions/domain/noun/restore.ts'
import { conflict, expectVersion, newRowColumns, withoutUndefined } from '#functions/domain/noun/versions.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { emitDataType } from './emit-data-type.ts'
import type { Shape } from './schema-change/plan.ts'
import type { DataTypeChanges, NewDataType, PendingChange } from '#functions/shapes/data-type.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import type { OneOptions, RestorableOptions } from '#functions/shapes/options.ts'
import type { Tx, Visibility } from '#db/schema.ts'

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

const listing = {
  table: 'dataType',
  order: [sortBy('name')],
  searchColumns: ['dataType.id', 'dataType.name', 'dataType.category', 'dataType.notes'],
}

/** Which data types the actor may see (`whereDataTypeVisible`); notes that the answer depends on the list of them. */
export function whereVisible(
  ctx: Context,
  placeId: string | null,
  maxVisibility?: Visibility,
): RawBuilder<SqlBool> {
  dependsOn(ctx, { lists: { dataType: placeId } })
  return whereDataTypeVisible(ctx, placeId, maxVisibility)
}

/** The data types of a place (or of all places) that the actor may see, by name. */
export async function find(ctx: Context, nounRequest: NounRequest<RestorableOptions>) {
  const { includes, deleted, maxVisibility, visibility, ...request } = nounRequest.options
  const placeId = nounRequest.params.placeId ?? null
  const level = visibility === 'public' ? 'public' : maxVisibility
  const which = deleted
    ? await whereDeletedIn(ctx, nounRequest.params.placeId)
    : whereVisible(ctx, placeId, level)
  const query = ctx.db.selectFrom('dataType').select(columns).where(which)
  const page = await listRows(ctx, query, listing, request)
  // Its owner's event names no place that lists it, so each row is noted as well.
  dependsOn(ctx, { rows: { dataType: page.results.map(({ id }) => id) } })
  const scope = { placeId, maxVisibility }
  return { ...page, results: await withIncludes(ctx, 'dataType', page.results, includes, scope) }
}

/** One data type; undefined when there is none that the actor may see. */
export async function findById(ctx: Context, request: NounRequest<OneOptions>) {
  const row = await get(ctx, request)
  if (!row) return undefined
  const scope = { placeId: request.params.placeId ?? null }
  const [dataType] = await withIncludes(ctx, 'dataType', [row], request.options.includes, scope)
  return dataType
}

/** Whether the actor may see the data type in the place at all: everything derived from a hidden one is hidden too. */
export async function isShown(ctx: Context, request: Pick<NounRequest, 'params'>): Promise<boolean> {
  return (await get(ctx, request)) !== undefined
}

/**
 * Creates a data type. Its id is permanent: the given one, or else its name as a slug, with a short random suffix for a
 * place's own data type, so that two places may use the same name.
 */
export async function create(ctx: Context, request: NounRequest<unknown, NewDataType>) {
  const { id: value, ownerPlaceId: _owner, ...document } = request.data
  const data = checkedSchema(document)
  const placeId = request.placeId
  const preferredId = value ?? toSlug(data.name)
  const issue = {
    path: [value ? 'id' : 'name'],
    value: preferredId,
    message: 'There is a data type with this id.',
  }
  const idRequest = {
    ...({ noun: 'dataType', placeId, refusal: new Failure('conflict', { issues: [issue] }) } as const),
    chosenId: placeId === null ? preferredId : value,
    make: () => withEnding(preferredId, longestDataTypeId),
  }
  const id = await write(ctx, async (tx) => {
    await requireSets(tx, placeId, {}, data.schema)
    const row = {
      ...withoutUndefined(asJson(data)),
      ...{ name: data.name, schema: JSON.stringify(data.schema), ownerPlaceId: placeId },
      ...newRowColumns(ctx),
    }
    const id = await insertNew(tx, ctx, idRequest, (free) =>
      tx
        .insertInto('dataType')
        .values({ ...row, id: free })
        .onConflict((c) => c.column('id').doNothing())
        .executeTakeFirst(),
    )
    await announce(tx, ctx, 'created', { id, name: data.name, placeId })
    return id
  })
  return get(ctx, { params: { dataTypeId: id } })
}

/**
 * Updates a data type. Fields may be added and removed; the type of a field with data cannot change: `conflict`. An
 * incompatible change of a data type that other places use is applied once their sources have moved to data types of
 * their own.
 */
export async function updateById(ctx: Context, request: NounRequest<unknown, DataTypeChanges>) {
  return updateKnown(
    ctx,
    request.data,
    () => getOwn(ctx, request),
    (row, changes) => change(ctx, row, changes),
  )
}

async function change(ctx: Context, row: StoredType, changes: DataTypeChanges): Promise<void> {
  const next = mergedWith(row, changes)
  const { id } = row
  if (changes.schema) await fitTable(ctx, row, next)
  const isOfFields = [changes.schema, changes.temporal].some((part) => part !== undefined)
  await write(ctx, async (tx) => {
    await lock(tx, row)
    await requireSets(tx, row.ownerPlaceId, row.schema, next.schema)
    const isWaiting = isOfFields && (await openChange(tx, id)) !== undefined
    const isLeft =
      (isWaiting || !isCompatible(asShape(row), asShape(next))) &&
      (await deferChange(tx, ctx, row, { kind: 'document', data: changes }))
    if (!isLeft) return applyChanges(tx, ctx, row, changes)
    await updateRow(tx, ctx, 'dataType', row, {})
    await emitDataType(tx, id, null)
    ctx.wake('jobs')
  })
}

type StoredType = Awaited<ReturnType<typeof get>> & object

/** Applies a change of a data type that concerns no other place any more; its row must be locked. */
export async function applyChanges(
  tx: Tx,
  ctx: Context,
  row: Pick<
    StoredType,
    'id' | 'name' | 'ownerPlaceId' | 'version' | 'schema' | 'temporal' | 'mappingLabelSchema'
  >,
  changes: Omit<DataTypeChanges, 'version'>,
): Promise<void> {
  const { id, ownerPlaceId: placeId } = row
  const next = mergedWith(row, changes)
  await requireSets(tx, placeId, row.schema, next.schema)
  await updateRow(tx, ctx, 'dataType', row, asJson(next))
  await queueChangedRegions(tx, ctx, id, row.schema, next.schema)
  await recordActivity(tx, ctx, {
    verb: 'updated',
    type: 'dataType',
    id,
    name: changes.name ?? row.name,
    placeId,
  })
  // Sources of any place may use it, so it concerns every hub.
  await emitDataType(tx, id, null)
}

/** The data type after a change, validated. */
function mergedWith(
  row: Pick<StoredType, 'schema' | 'temporal' | 'mappingLabelSchema'>,
  changes: Omit<DataTypeChanges, 'version'>,
) {
  const {
    schema: input = row.schema,
    temporal = row.temporal,
    mappingLabelSchema = row.mappingLabelSchema,
  } = changes
  const schema = withKnowledge(row.schema, input)
  return checkedSchema({ ...changes, schema, temporal, mappingLabelSchema })
}

/** Writes the audit log entry and the event of a write, in its transaction. */
async function announce(
  tx: Tx,
  ctx: Context,
  verb: Verb,
  { id, name, placeId }: { id: string; name: string; placeId: string | null },
): Promise<void> {
  await recordActivity(tx, ctx, { verb, type: 'dataType', id, name, placeId })
  await emitDataType(tx, id, placeId)
}

const asShape = (document: CheckedDocument): Shape => ({
  schema: document.schema,
  temporal: document.temporal ?? null,
})

/** Locks a data type until the end of the transaction; `conflict` where it has changed since it was read. */
async function lock(tx: Tx, { id, version }: { id: string; version: number }): Promise<void> {
  const row = await tx
    .selectFrom('dataType')
    .select('version')
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (row?.version !== version) throw conflict(version, row?.version ?? null)
}

/** Restores a data type of the place that was deleted up to 30 days ago; undefined when there is none. */
export async function restore(ctx: Context, request: NounRequest) {
  const condition = await whereDeletedIn(ctx, request.placeId ?? undefined)
  return (await restoreType(ctx, param(request, 'dataTypeId'), condition)) ? get(ctx, request) : undefined
}

/** Restores the data type that was deleted together with a source, at the same moment; nothing if there is none. */
export async function restoreDeletedWith(ctx: Context, source: { dataTypeId: string; deletedAt: Date }) {
  await restoreType(ctx, source.dataTypeId, sql<SqlBool>`deleted_at = ${source.deletedAt}`)
}

/** Restores a deleted data type under a condition; false when there is none. */
async function restoreType(ctx: Context, id: string, condition: RawBuilder<SqlBool>): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('dataType')
    .select(['name', 'version', 'ownerPlaceId'])
    .where('id', '=', id)
    .where(condition)
    .executeTakeFirst()
  if (!row) return false
  await write(ctx, async (tx) => {
    await updateRow(tx, ctx, 'dataType', { id, ...row }, { deletedAt: null, closedAt: null })
    // Pending moves continue: the restored data type may be deleted again.
    await tx
      .updateTable('dataTypeChange')
      .set({ status: 'withdrawn', finishedAt: ctx.now() })
      .where('dataTypeId', '=', id)
      .where('status', '=', 'moving')
      .execute()
    await announce(tx, ctx, 'restored', { id, name: row.name, placeId: row.ownerPlaceId })
  })
  return true
}

/**
 * Deletes a data type. `conflict` where its owner has sources of it. Sources of other places move to data types of their
 * own: until then this one is closed, and only they see it.
 */
export async function deleteById(ctx: Context, request: NounRequest) {
  const row = await getOwn(ctx, request)
  if (!row) return undefined
  const { id, name, ownerPlaceId: placeId } = row
  await write(ctx, async (tx) => {
    // A closed place may be reopened with its sources.
    await includeClosedPlaces(tx)
    await lock(tx, row)
    expectVersion(ctx, undefined, row)
    const source = await tx
      .selectFrom('source')
      .select('id')
      .where('dataTypeId', '=', id)
      .where('deletedAt', 'is', null)
      .$if(placeId !== null, (query) => query.where('placeId', '=', placeId))
      .limit(1)
      .executeTakeFirst()
    if (source) throw new Failure('conflict', { message: 'There are sources of this data type.' })
    const isLeft = await deferChange(tx, ctx, row, { kind: 'delete' })
    await updateRow(tx, ctx, 'dataType', row, { [isLeft ? 'closedAt' : 'deletedAt']: ctx.now() })
    await announce(tx, ctx, 'deleted', { id, name, placeId })
    if (isLeft) ctx.wake('jobs')
  })
  return { id }
}

/** Validates what the schema of a new data type cannot: its fields. */
export function check(_ctx: Context, { data }: NounRequest<unknown, Partial<NewDataType>>): void {
  if (data.schema) checkedSchema({ ...data, schema: data.schema })
}

async function get(ctx: Context, request: Pick<NounRequest, 'params'>) {
  const id = param(request, 'dataTypeId')
  dependsOn(ctx, { rows: { dataType: [id] } })
  const result = await ctx.db
    .selectFrom('dataType')
    .select([...columns, pendingChange])
    .where('dataType.id', '=', id)
    .where(whereVisible(ctx, request.params.placeId ?? null))
    .executeTakeFirst()
  if (!result) return undefined
  const { pendingChange: change, ...row } = result
  return { ...row, ...(change && { pendingChange: change }) }
}

/** The last change by the owner that is pending, or has failed without a later change. Null for others. */
const pendingChange = sql<PendingChange | null>`(
  select json_build_object('kind', c.kind, 'status', c.status, 'error', c.error, 'createdAt', c.created_at)
  from data_type_change c where c.data_type_id = ${sql.ref('dataType.id')} and (c.status = 'moving'
    or c.status = 'failed' and c.finished_at >= ${sql.ref('dataType.updatedAt')})
  order by c.created_at desc limit 1)`.as('pendingChange')

/** A data type that belongs to the place permission was checked for; global roles may access those of all places. */
export async function getOwn(ctx: Context, request: Pick<NounRequest, 'params' | 'placeId'>) {
  const row = await get(ctx, request)
  // Official data types belong to no place: permission was checked for them separately.
  const isOfficial = row?.ownerPlaceId === null && ctx.actor.user?.role === 'super_admin'
  const isOwn = row !== undefined && row.ownerPlaceId !== null && row.ownerPlaceId === request.placeId
  return readsAll(ctx.actor) || isOfficial || isOwn ? row : undefined
}

/** Makes the table fit the new schema of a data type. Only adds columns, so it waits for no other place. */
async function fitTable(ctx: Context, row: { id: string; schema: FieldSchema }, to: CheckedDocument) {
  const { id } = row
  const { tableName } = await ctx.db
    .selectFrom('dataType')
    .select('tableName')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (tableName === null) return
  refuseRetyped(row.schema, to.schema)
  await widen(ctx, { id, schema: to.schema, temporal: to.temporal ?? null, tableName })
}

/** A condition for the deleted data types that a place owns and could restore. */
async function whereDeletedIn(ctx: Context, placeId: string | undefined): Promise<RawBuilder<SqlBool>> {
  const owner = await placeOfDeleted(ctx, 'dataType.delete', placeId)
  const leaving = sql`exists (select from data_type_change c where c.data_type_id = ${sql.ref('dataType.id')}
    and c.kind = 'delete' and c.status = 'moving')`
  return sql<SqlBool>`((${isRestorable(ctx, 'dataType.deletedAt')} or ${leaving})
    and ${sql.ref('dataType.ownerPlaceId')} = ${owner})`
}

/** JSON columns as text; other columns unchanged. */
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

function toSlug(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63)
  if (slug) return slug
  throw new Failure('invalid', { issues: [{ path: ['id'], message: 'Required.', validator: 'required' }] })
}
