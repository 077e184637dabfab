import { sql } from 'kysely'
import { columnTypes } from '#db/data-table.ts'
import { changeTable, lockTableShape } from '#db/data-type-change.ts'
import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type {
  SchemaChange,
  SchemaChangeOptions,
  SchemaChangeReport,
} from '#functions/shapes/data-type-schema.ts'
import { isCalendarDate } from '#functions/shapes/field.ts'
import { parseCalendarDay } from '#functions/shapes/fields/dates.ts'
import { getOwnProperty } from '#functions/shapes/fields/plain.ts'
import { wallTime } from '#functions/shapes/wall-time.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import type { NounRequest as Request } from '#functions/domain/noun/requests.ts'
import { asActor, asProduct } from '../as-product.ts'
import { queueChangedRegions, requireSets } from '../regions.ts'
import { deferChange, openChange } from '../change.ts'
import { isCompatible } from '../compatible.ts'
import { checkedSchema, withKnowledge } from '../data-type-schema.ts'
import { getOwn } from '../data-types.ts'
import { emit } from '#functions/domain/outbox/outbox.ts'
import { emitDataType } from '../emit-data-type.ts'
import { storeChangedVersion } from '#functions/domain/records/change.ts'
import { recordVersion } from '#functions/domain/records/version.ts'
import { recountFields } from '#functions/domain/records/recount-fields.ts'
import { allowStatements } from '#functions/domain/noun/statement-timeout.ts'
import { updateRow } from '#functions/domain/noun/rows.ts'
import { conflict, expectVersion } from '#functions/domain/noun/versions.ts'
import { listDependents, rewrite } from './dependents.ts'
import { fieldChanges, needsConversion, getKeyOrigins, type FieldChange } from './fields.ts'
import { isIdle, buildTablePlan, type Shape } from './plan.ts'
import {
  countAffectedValues,
  buildFieldReports,
  findRemovedFields,
  lossIssues,
  renamesIn,
  type KnownChange,
} from './report.ts'
import type { FieldVisitor } from './references.ts'
import { renameUse } from './use.ts'

/**
 * Time-out of the statements of a change. Converting a column of a million records takes some seconds, with its indexes;
 * a data type is partitioned long before it has a hundred million.
 */
const statementTimeout = '15min'
/** How long it waits for readers and writers of the records, and how long new readers queue behind it. */
const lockTimeout = '15s'
/** Postgres allows 1600 columns; those that every table has and some that come and go need room. */
const maxFields = 1500

/**
 * Changes the schema of a data type and migrates its records: fields are added, renamed, converted and dropped in one
 * transaction with everything derived from them and everything that refers to them. With `dryRun` it only reports the
 * effects. Failure `conflict` with the path of every field of which values would be lost (unless `otherwise` is 'null'),
 * and where two records would get one id; `unavailable` when the records are in use for too long. Undefined without such
 * a data type that the actor may change. An incompatible change of a type that other places use is `pending` until their
 * sources have moved to data types of their own (`../data-type`).
 */
export async function changeSchema(
  ctx: Context,
  request: Request<SchemaChangeOptions, SchemaChange>,
): Promise<SchemaChangeReport | undefined> {
  const row = await getOwn(ctx, request)
  if (!row) return undefined
  const { options, data } = request
  expectVersion(ctx, data.version, row)
  if (Object.keys(data.schema).length > maxFields)
    throw new Failure('invalid', {
      issues: [{ path: ['schema'], message: `Must not have more than ${maxFields} fields.` }],
    })
  const isDry = options.dryRun === true
  try {
    const report = await ctx.transaction((tx) =>
      isDry ? previewChange(ctx, tx, row.id, data) : makeChange(ctx, tx, row.id, row.version, data),
    )
    if (!isDry) ctx.wake()
    if (report.pending) ctx.wake('jobs')
    return report
  } catch (error) {
    throw explainError(error)
  }
}

/** Reports the effects of a change without making it. */
async function previewChange(
  ctx: Context,
  tx: Tx,
  id: string,
  data: SchemaChange,
): Promise<SchemaChangeReport> {
  await allowStatements(tx, statementTimeout)
  const { version, ...dataType } = await read(tx, id, false)
  const { knownChange: request } = await prepare(tx, id, dataType, data)
  const { report } = await reportChange(ctx, tx, request)
  return { dryRun: true, pending: false, version, ...report }
}

/**
 * Makes the change, or stores it where sources of other places have to move first. The lock order is that of every
 * writer: the schema of the table, the data type, the sources, the table itself. Writers of records lock the source
 * first, so they come before or after the change. `hasWaited`: they have moved.
 */
export async function makeChange(
  ctx: Context,
  tx: Tx,
  id: string,
  version: number,
  data: SchemaChange,
  hasWaited = false,
): Promise<SchemaChangeReport> {
  await sql`select set_config('lock_timeout', ${lockTimeout}, true)`.execute(tx)
  await allowStatements(tx, statementTimeout)
  const table = (await read(tx, id, false)).tableName
  if (table !== null) await lockTableShape(tx, table)
  const { version: current, ...dataType } = await read(tx, id, true)
  if (current !== version || dataType.tableName !== table) throw conflict(version, current)
  if (!hasWaited && (await isLeftToWork(ctx, tx, id, dataType, data))) {
    const { knownChange: request } = await prepare(tx, id, dataType, data)
    const { report, issues } = await reportChange(ctx, tx, request)
    refuseLosses(report, issues, data)
    await updateRow(tx, ctx, 'dataType', { id, version }, {})
    await emitDataType(tx, id, null)
    return { dryRun: false, pending: true, version: version + 1, ...report }
  }
  await asProduct(tx)
  const sources = await tx
    .selectFrom('source')
    .select(['id', 'placeId', 'dataVersion'])
    .where('dataTypeId', '=', id)
    .orderBy('id')
    .forUpdate()
    .execute()
  const { knownChange: input, after, labels } = await prepare(tx, id, dataType, data)
  const { report, issues } = await reportChange(ctx, tx, input)
  refuseLosses(report, issues, data)
  await asProduct(tx)
  const { plan } = input
  const changing = isIdle(plan) ? null : table
  if (changing !== null) await changeTable(tx, id, changing, plan)
  await updateRow(
    tx,
    ctx,
    'dataType',
    { id, version },
    {
      schema: JSON.stringify(after.schema),
      temporal: after.temporal && JSON.stringify(after.temporal),
      mappingLabelSchema: labels && JSON.stringify(labels),
    },
  )
  if (changing !== null) {
    const schema = after.schema
    const mapping = findUnchangedFields(input, after, data)
    for (const { id: sourceId, placeId, dataVersion } of sources) {
      await recountFields(tx, { sourceId, placeId, table: changing, schema }, mapping)
      // A source without any write has data version 0: no client can have cached its records.
      if (dataVersion > 0) await raiseData(tx, sourceId, placeId, dataVersion + 1)
    }
  }
  const renames = renamesIn(input.changes)
  await queueChangedRegions(tx, ctx, id, input.before.schema, after.schema)
  await asProduct(tx)
  await rewrite(
    tx,
    ctx,
    input.dependents,
    renames,
    findRemovedFields(input.changes),
    daysFor(input.changes, data),
  )
  await renameUse(tx, id, renames, findRemovedFields(input.changes))
  const placeId = dataType.ownerPlaceId
  await recordActivity(tx, ctx, { verb: 'updated', type: 'dataType', id, name: dataType.name, placeId })
  await emitDataType(tx, id, null)
  return { dryRun: false, pending: false, version: version + 1, ...report }
}

/**
 * Whether the change waits until sources of other places have moved: then it is stored. A compatible one applies to them
 * too, unless another change is pending, which it then replaces.
 */
async function isLeftToWork(
  ctx: Context,
  tx: Tx,
  id: string,
  dataType: ChangedType,
  { version: _known, ...data }: SchemaChange,
): Promise<boolean> {
  if (dataType.ownerPlaceId === null) return false
  const { isForAll } = await plan(tx, dataType, data)
  if (isForAll && !(await openChange(tx, id))) return false
  return deferChange(tx, ctx, { id, ownerPlaceId: dataType.ownerPlaceId }, { kind: 'schema', data })
}

function refuseLosses(report: { idConflicts: number }, issues: Issue[], { otherwise }: SchemaChange): void {
  const all = report.idConflicts > 0 ? [...issues, idIssue(report.idConflicts)] : issues
  if (report.idConflicts > 0 || (otherwise === 'refuse' && all.length > 0))
    throw new Failure('conflict', { message: 'Values would be lost.', issues: all })
}

/** A data type with its table; as the actor, and locked only if it is the actor's to change. */
async function read(tx: Tx, id: string, isLocked: boolean) {
  const row = await tx
    .selectFrom('dataType')
    .select(['name', 'schema', 'temporal', 'mappingLabelSchema', 'ownerPlaceId', 'version', 'tableName'])
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirst()
  if (!row) throw new Failure('notFound')
  return row
}

type ChangedType = Omit<Awaited<ReturnType<typeof read>>, 'version'>

/** The plan of a change: validated, by field and by column. `isForAll`: it is compatible for other places that use the type. */
async function plan(tx: Tx, dataType: ChangedType, data: Omit<SchemaChange, 'version'>) {
  const before: Shape = { schema: dataType.schema, temporal: dataType.temporal }
  const renames = data.renames ?? {}
  const document = checkedSchema({
    schema: withKnowledge(before.schema, data.schema, renames),
    temporal: data.temporal === undefined ? renamePrimaryDate(before.temporal, renames) : data.temporal,
    mappingLabelSchema:
      data.mappingLabelSchema === undefined
        ? renameLabels(dataType.mappingLabelSchema, data.schema, renames)
        : data.mappingLabelSchema,
  })
  const after: Shape = { schema: document.schema, temporal: document.temporal ?? null }
  const mayReplace = data.otherwise === 'null'
  await requireSets(tx, dataType.ownerPlaceId, before.schema, after.schema, renames, mayReplace)
  const changes = fieldChanges(before.schema, after.schema, renames)
  const table = dataType.tableName
  const present = table === null ? new Map<string, string>() : await columnTypes(tx, table)
  const zones = {
    ...(data.timeZones && { zones: data.timeZones }),
    ...(data.timeZone && { zone: data.timeZone }),
  }
  const plan = buildTablePlan(before, after, renames, changes, present, data.otherwise === 'null', zones)
  const isForAll = plan.drops.length === 0 && isCompatible(before, after, renames)
  return {
    before,
    after,
    changes,
    table,
    present,
    plan,
    isForAll,
    labels: document.mappingLabelSchema ?? null,
  }
}

/** Adds everything that refers to the fields. */
async function prepare(
  tx: Tx,
  dataTypeId: string,
  dataType: ChangedType,
  data: SchemaChange,
): Promise<{ knownChange: KnownChange; after: Shape; labels: Record<string, string> | null }> {
  const { after, labels, isForAll, ...change } = await plan(tx, dataType, data)
  await asProduct(tx)
  const onlyPlace = isForAll ? null : dataType.ownerPlaceId
  const dependents = await listDependents(tx, dataTypeId, change.before.schema)
  const concernedDependents = dependents.filter(({ placeId }) => onlyPlace === null || placeId === onlyPlace)
  const oldLabels = dataType.mappingLabelSchema ?? {}
  return {
    knownChange: { ...change, dataTypeId, labels: oldLabels, dependents: concernedDependents, onlyPlace },
    after,
    labels,
  }
}

/** Counts cover everything that the change concerns; examples only what the actor may see. */
async function reportChange(ctx: Context, tx: Tx, request: KnownChange) {
  await asProduct(tx)
  const counts = await countAffectedValues(tx, request)
  await asActor(tx, ctx)
  const fields = await buildFieldReports(ctx, tx, request, counts)
  const { records, idConflicts } = counts.measured
  const lost = fields.reduce((sum, field) => sum + field.lost, 0)
  const movesOthers = request.onlyPlace !== null
  return { report: { records, lost, idConflicts, movesOthers, fields }, issues: lossIssues(fields) }
}

async function raiseData(tx: Tx, sourceId: string, placeId: string, version: number) {
  await tx
    .updateTable('source')
    .set({ dataVersion: version, dataUpdatedAt: sql<Date>`now()` })
    .where('id', '=', sourceId)
    .execute()
  await storeChangedVersion(tx, sourceId, version)
  const none = { created: 0, updated: 0, removed: 0 }
  await recordVersion(tx, { sourceId, placeId, version }, none, { fieldsChanged: true })
  await emit(tx, { kind: 'data', placeId, payload: { sourceId, version } })
}

/**
 * Converts constants that are compared with fields which become calendar dates: an instant at midnight becomes that day,
 * so that a stored query means the same. Any other instant stays, and the query reports that it cannot be answered.
 * Null: there are no such fields.
 */
function daysFor(
  changes: FieldChange[],
  { timeZone = 'UTC', timeZones = {} }: SchemaChange,
): NonNullable<FieldVisitor['constant']> | null {
  const becoming = new Set(
    changes.flatMap(({ was, before, after }) =>
      was !== null && before && after && !isCalendarDate(before) && isCalendarDate(after) ? [was] : [],
    ),
  )
  if (becoming.size === 0) return null
  const zones = [...new Set([timeZone, ...Object.values(timeZones), 'UTC'])]
  return (key, value) => {
    const instant = becoming.has(key) && typeof value === 'string' ? Date.parse(value) : NaN
    if (Number.isNaN(instant) || parseCalendarDay(value) === value) return value
    const walls = zones.map((zone) => wallTime(instant, zone))
    const midnight = walls.find((wall) => wall % 86_400_000 === 0)
    return midnight === undefined ? value : new Date(midnight).toISOString().slice(0, 10)
  }
}

/** The fields whose values have not changed, and whether records may have another location. */
function findUnchangedFields({ before, plan }: KnownChange, after: Shape, { renames = {} }: SchemaChange) {
  const origins = [...getKeyOrigins(before.schema, after.schema, renames)]
  const same = origins.filter(([key, was]) => {
    const [old, now] = [before.schema[was], after.schema[key]]
    return old !== undefined && now !== undefined && !needsConversion(old, now)
  })
  return { same: new Map(same), isMoved: plan.shapes !== null }
}

function renamePrimaryDate(temporal: Shape['temporal'], renames: Record<string, string>): Shape['temporal'] {
  return temporal && { primary: getOwnProperty(renames, temporal.primary) ?? temporal.primary }
}

/** Labels of fields that go, go as well. */
function renameLabels(
  labels: Record<string, string> | null,
  schema: object,
  renames: Record<string, string>,
) {
  if (!labels) return null
  const newLabels = Object.entries(labels).map(
    ([key, label]) => [getOwnProperty(renames, key) ?? key, label] as const,
  )
  return Object.fromEntries(newLabels.filter(([key]) => Object.hasOwn(schema, key)))
}

function idIssue(count: number) {
  const message = `${count} record${count === 1 ? '' : 's'} would have the id of another, or one of more than 512 characters.`
  return { path: ['schema', 'id'], message }
}

/** Translates database errors that a person can do something about. */
function explainError(error: unknown): unknown {
  const { code } = error as { code?: unknown }
  if (code === '55P03' || code === '40P01')
    return new Failure('unavailable', {
      message: 'The records are in use. Try again in a minute.',
      cause: error,
    })
  if (code === '54011' || code === '54000')
    return new Failure('invalid', {
      issues: [{ path: ['schema'], message: 'Has more fields than a record can have.' }],
      cause: error,
    })
  return error
}
