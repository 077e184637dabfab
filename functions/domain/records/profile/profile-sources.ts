import { sql } from 'kysely'
import { columnsIn, dataTable } from '#db/data-table.ts'
import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import { allowStatements } from '#functions/domain/noun/statement-timeout.ts'
import { emit } from '#functions/domain/outbox/outbox.ts'
import { buildColumns, type Column } from '../columns.ts'
import { describe } from './describe.ts'
import { fromList, measure, findFieldRange, type Part } from './measure.ts'
import { mergeStates, emptyState, isWhole, getFieldKind, getFieldUnit, type FieldState } from './state.ts'

/** Time-out of each statement: enough to count all records of a large source. */
const statementTimeout = '15min'
/**
 * `work_mem`: a hash of a million distinct texts takes 131 MB, and Postgres allows twice this setting for
 * hashes; with less it spills to disk.
 */
const memory = '128MB'

/**
 * The result for one source. `changed`: its records changed meanwhile, and the write that did so requests a
 * profile itself; `none`: there are no records.
 */
export type Outcome = 'made' | 'current' | 'changed' | 'none'

/** Updates the profiles of these sources where they are stale. Failures are reported and skipped. */
export async function profileSources(ctx: Context, sourceIds: readonly string[]): Promise<void> {
  for (const sourceId of sourceIds) {
    try {
      await profileSource(ctx, sourceId)
    } catch (error) {
      ctx.report(error, { sourceId, during: 'profileSources' })
    }
  }
}

class Changed extends Error {}

/**
 * Updates the profiles of a source's fields to its current data version; pages that show them are rendered again.
 * Where records were only added since the stored version, only the new ones are read; otherwise all are, once for the
 * version. Must run as the system actor.
 */
export async function profileSource(ctx: Context, sourceId: string): Promise<Outcome> {
  try {
    return await ctx.transaction(async (tx) => {
      await allowStatements(tx, statementTimeout)
      await sql`select set_config('work_mem', ${memory}, true)`.execute(tx)
      const source = await read(tx, sourceId)
      if (!source) return 'none'
      const outcome = await updateProfiles(tx, source)
      // Each statement sees what was committed before it (READ COMMITTED): only if the version is unchanged
      // did all of them see the same records.
      const now = await read(tx, sourceId)
      if (now?.dataVersion !== source.dataVersion || now.typeVersion !== source.typeVersion)
        throw new Changed()
      // No wake-up: the next change or the next minute of cron handles the event.
      if (outcome === 'made' && source.visibility === 'public')
        await emit(tx, { kind: 'profile', placeId: source.placeId, payload: { id: sourceId } })
      return outcome
    })
  } catch (error) {
    if (error instanceof Changed) return 'changed'
    throw error
  }
}

type Source = NonNullable<Awaited<ReturnType<typeof read>>>
type ProfileTarget = Source & { table: string }

async function read(tx: Tx, sourceId: string) {
  const row = await tx
    .selectFrom('source')
    .innerJoin('dataType', 'dataType.id', 'source.dataTypeId')
    .leftJoin('sourceStat', 'sourceStat.sourceId', 'source.id')
    .select(['source.id', 'source.placeId', 'source.dataVersion', 'source.dataTypeId', 'source.visibility'])
    .select(['dataType.schema', 'dataType.tableName', 'dataType.version as typeVersion'])
    .select(columnsIn(sql.ref('dataType.tableName')).as('columns'))
    .select(['sourceStat.count', 'sourceStat.fields', 'sourceStat.changedVersion'])
    .where('source.id', '=', sourceId)
    .where('source.deletedAt', 'is', null)
    .where('dataType.deletedAt', 'is', null)
    .executeTakeFirst()
  return (
    row && {
      ...row,
      schema: row.schema,
      count: row.count ?? 0,
      changedVersion: row.changedVersion ?? 0,
      stats: new Map(Object.entries(row.fields ?? {})),
    }
  )
}

async function updateProfiles(tx: Tx, source: Source): Promise<Outcome> {
  const { id: sourceId, schema, count, tableName: table, dataVersion, dataTypeId } = source
  const columns = buildColumns(schema)
  const profiles = await tx
    .selectFrom('fieldProfile')
    .select(['field', 'kind', 'dataTypeId', 'dataVersion', 'lastId', 'wholeRecords'])
    .where('sourceId', '=', sourceId)
    .execute()
  const goneFields = profiles
    .filter(({ field }) => count === 0 || !Object.hasOwn(schema, field))
    .map(({ field }) => field)
  if (goneFields.length > 0)
    await tx
      .deleteFrom('fieldProfile')
      .where('sourceId', '=', sourceId)
      .where('field', 'in', goneFields)
      .execute()
  if (count === 0 || table === null) return 'none'
  const alike = new Map(
    profiles.filter((each) => each.dataTypeId === dataTypeId).map((each) => [each.field, each]),
  )
  const stale = columns.filter(({ key, field }) => {
    const profile = alike.get(key)
    return profile?.dataVersion !== dataVersion || profile.kind !== getFieldSignature(field)
  })
  if (stale.length === 0) return 'current'
  const lastId = await readLastId(tx, { table, sourceId })
  const target = { ...source, table }
  for (const column of stale) {
    const profile = alike.get(column.key)
    const storeState = (state: FieldState, wholeRecords: number) =>
      storeProfile(tx, source, column, { state, lastId, wholeRecords })
    const state = await withoutReading(tx, target, column)
    const before =
      state || !profile || !isOfNow(source, column, profile)
        ? null
        : await readFieldState(tx, sourceId, column.key)
    if (before && profile && (isWhole(before) || count < 2 * profile.wholeRecords))
      await storeState(await addPart(tx, target, column, before, profile.lastId), profile.wholeRecords)
    else
      await storeState(
        state ?? (await measurePart(tx, target, column, { after: '0', records: count })),
        count,
      )
  }
  return 'made'
}

/** Whether the stored profile still describes the current records. */
function isOfNow(
  { changedVersion }: Source,
  { field }: Column,
  profile: { kind: string; dataVersion: number },
): boolean {
  return profile.kind === getFieldSignature(field) && profile.dataVersion >= changedVersion
}

/** How a field's values are counted. A stored profile of another kind or date precision cannot be used. */
export const getFieldSignature = (field: Column['field']): string =>
  `${getFieldKind(field)}:${getFieldUnit(field)}`

async function readLastId(tx: Tx, { table, sourceId }: Pick<Part, 'table' | 'sourceId'>): Promise<string> {
  const { rows } = await sql<{ last: string | null }>`
    select max(id)::text as last from ${dataTable(table)} where source_id = ${sourceId}`.execute(
    tx.withoutPlugins(),
  )
  return rows[0]?.last ?? '0'
}

async function readFieldState(tx: Tx, sourceId: string, field: string): Promise<FieldState> {
  const { state } = await tx
    .selectFrom('fieldProfile')
    .select('state')
    .where('sourceId', '=', sourceId)
    .where('field', '=', field)
    .executeTakeFirstOrThrow()
  return JSON.parse(state) as FieldState
}

/** A field's profile from the stat that every write maintains; null where the records have to be read. */
async function withoutReading(tx: Tx, source: ProfileTarget, column: Column): Promise<FieldState | null> {
  const { count, stats, columns } = source
  const kind = getFieldKind(column.field)
  if (!columns?.includes(column.columnName)) return emptyState(kind, count)
  const stat = stats.get(column.key)
  if (stat?.values && (kind === 'text' || kind === 'boolean'))
    return fromList(tx, kind, count, { nulls: stat.nulls, values: stat.values })
  return stat && (kind === 'other' || stat.nulls === count)
    ? { ...emptyState(kind, count), empty: stat.nulls }
    : null
}

/** Reads a field's values in a part of the source's records. */
async function measurePart(
  tx: Tx,
  source: ProfileTarget,
  column: Column,
  part: Pick<Part, 'after' | 'records'>,
): Promise<FieldState> {
  const { id: sourceId, table } = source
  return measure(tx, { table, sourceId, ...part }, column, await rangeFor(tx, source, column))
}

/** A field's profile for all records: the stored one, plus that of the records with an id above `after`. */
async function addPart(
  tx: Tx,
  source: ProfileTarget,
  column: Column,
  before: FieldState,
  after: string,
): Promise<FieldState> {
  const more = await measurePart(tx, source, column, { after, records: source.count - before.records })
  return mergeStates(before, more, getFieldUnit(column.field))
}

/** A number field's smallest and largest value; null for other fields. */
async function rangeFor(tx: Tx, { id: sourceId, table, stats }: ProfileTarget, column: Column) {
  if (getFieldKind(column.field) !== 'number') return null
  const { min = null, max = null } = stats.get(column.key) ?? {}
  if (typeof min === 'number' && typeof max === 'number') return [min, max] as const
  return findFieldRange(tx, { table, sourceId }, column)
}

async function storeProfile(
  tx: Tx,
  { id: sourceId, placeId, dataTypeId, dataVersion }: Source,
  { key: field, field: fieldSchema }: Column,
  { state, lastId, wholeRecords }: { state: FieldState; lastId: string; wholeRecords: number },
): Promise<void> {
  const values = {
    ...{ dataTypeId, kind: getFieldSignature(fieldSchema), dataVersion, lastId, wholeRecords },
    profile: JSON.stringify(describe(state, getFieldUnit(fieldSchema))),
    state: JSON.stringify(state),
  }
  await tx
    .insertInto('fieldProfile')
    .values({ sourceId, placeId, field, ...values })
    .onConflict((conflict) => conflict.columns(['sourceId', 'field']).doUpdateSet(values))
    .execute()
}

/** How long one nightly run creates missing profiles, in milliseconds. */
const tendMs = 5 * 60_000

/**
 * Creates missing profiles, once a day: the queue message that requests one can be lost, or its handling
 * fail. Returns how many sources were processed.
 */
export async function maintainProfiles(ctx: Context): Promise<number> {
  const until = ctx.now().getTime() + tendMs
  const { rows } = await sql<{ id: string }>`
    select s.id from source s join source_stat c on c.source_id = s.id
    where s.deleted_at is null and c.count > 0 and not exists (
      select from field_profile p where p.source_id = s.id and p.data_version = s.data_version)
    order by s.id`.execute(ctx.db)
  let count = 0
  for (const { id } of rows) {
    if (ctx.now().getTime() >= until) break
    await profileSources(ctx, [id])
    count += 1
  }
  return count
}
