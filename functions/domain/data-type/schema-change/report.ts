import { sql } from 'kysely'
import { getColumnName, dataTable } from '#db/data-table.ts'
import {
  measureChange,
  unconvertedValues,
  type ConversionCounts,
  type TablePlan,
} from '#db/data-type-change.ts'
import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import type { SchemaChangeField } from '#functions/shapes/data-type-schema.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import { whereRowsVisible } from '#functions/domain/noun/visible.ts'
import { isRewritten, listVisibleIds, type Dependent, type DependentKind } from './dependents.ts'
import type { FieldChange } from './fields.ts'
import type { Shape } from './plan.ts'
import { countInvalid } from './rules.ts'

/** Values that are shown of those that do not convert. */
const maxExamples = 5
/** Long values are truncated. */
const maxShown = 500
/** The maximal number of listed dependents of a field. */
const maxListed = 100

/** A change with its context. `table` null: there are no records yet. */
export interface KnownChange {
  dataTypeId: string
  table: string | null
  present: ReadonlyMap<string, string>
  before: Shape
  labels: Record<string, string>
  changes: FieldChange[]
  plan: TablePlan
  dependents: Dependent[]
  /** Restricts records and dependents to one place, where the others move away first; null: all. */
  onlyPlace: string | null
}

/** Counts over the records that the change concerns. Must run as the product. */
export async function countAffectedValues(tx: Tx, request: KnownChange): Promise<Counts> {
  const { table, changes, plan, present, onlyPlace } = request
  if (table === null)
    return {
      measured: { records: 0, idConflicts: 0, values: new Map() },
      invalid: new Map(),
      zones: new Map(),
    }
  const columns = new Set([
    ...changes.flatMap(({ was }) => (was === null ? [] : getColumnName(was))),
    ...plan.drops,
    ...changes.map(({ key }) => getColumnName(key)),
  ])
  const measured = await measureChange(
    tx,
    table,
    plan,
    [...columns].filter((name) => present.has(name)),
    onlyPlace,
  )
  const invalid = await countInvalid(tx, table, changes, present, onlyPlace)
  return { measured, invalid, zones: await countZones(tx, table, request) }
}

/** What `countAffectedValues` counts: `invalid` by the key of a field, `zones` by the name of its column. */
interface Counts {
  measured: ConversionCounts
  invalid: Map<string, number>
  zones: Map<string, { timeZone: string; converts: number }[]>
}

/**
 * For each field of instants that becomes calendar dates, the number of instants that are midnight in the time zones of
 * its places, and in UTC.
 */
async function countZones(
  tx: Tx,
  table: string,
  { dataTypeId, plan, onlyPlace }: KnownChange,
): Promise<Counts['zones']> {
  const byKey: Counts['zones'] = new Map()
  const becoming = plan.retypes.filter(({ was, type }) => was === 'timestamptz' && type === 'date')
  if (becoming.length === 0) return byKey
  const { rows: places } = await sql<{ zone: string }>`
    select distinct p.time_zone as zone from source s join place p on p.id = s.place_id
    where s.data_type_id = ${dataTypeId} and (${onlyPlace}::text is null or s.place_id = ${onlyPlace}) limit 20`.execute(
    tx.withoutPlugins(),
  )
  const timeZones = [...new Set([...places.map(({ zone }) => zone), 'UTC'])].sort()
  for (const { old, name, to } of becoming) {
    const counts = timeZones.map(
      (zone, i) =>
        sql`count(day_of_wall(${sql.id(old)} at time zone ${zone}::text, ${to.precision ?? 'day'}::text, false))::int as ${sql.id(`z${i}`)}`,
    )
    const { rows } = await sql<Record<string, number>>`
      select ${sql.join(counts)} from ${dataTable(table)}
      where ${onlyPlace}::text is null or place_id = ${onlyPlace}`.execute(tx.withoutPlugins())
    const all = timeZones.map((timeZone, i) => ({ timeZone, converts: rows[0]?.[`z${i}`] ?? 0 }))
    byKey.set(
      name,
      all.sort((a, b) => b.converts - a.converts),
    )
  }
  return byKey
}

/** The report of every changed field; example records and dependents only if the actor may see them. */
export async function buildFieldReports(
  ctx: Context,
  tx: Tx,
  request: KnownChange,
  { measured, invalid, zones }: Counts,
): Promise<SchemaChangeField[]> {
  const { changes, dependents, before, labels } = request
  const visible = await listVisibleIds(ctx, tx, dependents)
  const sourceIds = await visibleSources(ctx, tx, request)
  const renames = renamesIn(changes)
  const removedKeys = findRemovedFields(changes)
  const fields: SchemaChangeField[] = []
  for (const change of changes) {
    const { key, was, kinds, before: from, after: to } = change
    const counts = countLoss(change, request, measured)
    const affectedDependents = dependents.filter(
      (each) => was !== null && each.fields.has(was) && !each.isDeleted && !(each.isByName && to === null),
    )
    const summarizeDependents = (kind: DependentKind) => {
      const some = affectedDependents.filter((each) => each.kind === kind)
      const sample = some.filter(({ id }) => visible.has(`${kind}:${id}`)).slice(0, maxListed)
      return {
        count: some.length,
        rewritten:
          was !== null && renames.has(was)
            ? some.filter((each) => isRewritten(each, renames, removedKeys)).length
            : 0,
        visible: sample.map(({ id, name, placeId }) => ({ id, name, placeId })),
      }
    }
    fields.push({
      ...{ key, was, kinds, from: from?.type ?? null, to: to?.type ?? null, ...counts },
      invalid: invalid.get(key) ?? null,
      ...(zones.has(getColumnName(key)) && { zones: zones.get(getColumnName(key)) }),
      examples: counts.lost > 0 ? await listExamples(tx, request, change, sourceIds) : [],
      ...{
        insights: summarizeDependents('insight'),
        observers: summarizeDependents('observer'),
        importers: summarizeDependents('importer'),
      },
      isPrimaryDate: was !== null && before.temporal?.primary === was,
      isLabelled: was !== null && Object.hasOwn(labels, was),
    })
  }
  return fields
}

/** The issues that prevent the change where no value may be lost, at the path of each field. */
export function lossIssues(fields: SchemaChangeField[]): Issue[] {
  return fields
    .filter(({ lost }) => lost > 0)
    .map(({ key, from, to, lost, values, converts, kinds }) => {
      if (to === null)
        return { path: ['schema', key], message: `${formatCount(lost, 'value')} would be lost.` }
      const path = ['schema', key, 'type']
      if (kinds.includes('added') || values === converts)
        return {
          path,
          value: to,
          message: `${formatCount(lost, 'value')} of a field that had this key before would be lost.`,
        }
      const message = `${values - converts} of ${formatCount(values, 'value')} would not convert from ${from} to ${to}.`
      return { path, value: to, message }
    })
}

/** New keys by old ones, of fields that get another. */
export function renamesIn(changes: FieldChange[]): Map<string, string> {
  const renames = changes.filter(({ key, was, after }) => after !== null && was !== null && was !== key)
  return new Map(renames.map(({ key, was }) => [was ?? key, key]))
}

/** The keys of fields that go. */
export function findRemovedFields(changes: FieldChange[]): Set<string> {
  return new Set(changes.filter(({ after }) => after === null).map(({ key }) => key))
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function countLoss(
  { key, was, after, kinds }: FieldChange,
  { plan, before }: KnownChange,
  { values }: ConversionCounts,
) {
  const column = getColumnName(was ?? key)
  // A new field may reuse the column of a removed one.
  const isEmpty = was === null && plan.renames.some(({ from }) => from === column)
  const all = isEmpty ? 0 : (values.get(column) ?? 0)
  if (after === null) return { values: all, converts: 0, lost: all }
  if (was === null) {
    const lost = plan.drops.includes(column) ? all : 0
    return { values: all, converts: all - lost, lost }
  }
  const converts = kinds.includes('retyped') ? (values.get(`> ${column}`) ?? 0) : all
  // The column of a removed field, which is in the way of a new name.
  const isHidden =
    was !== key && !Object.hasOwn(before.schema, key) && plan.drops.includes(getColumnName(key))
  return {
    values: all,
    converts,
    lost: all - converts + (isHidden ? (values.get(getColumnName(key)) ?? 0) : 0),
  }
}

async function visibleSources(
  ctx: Context,
  tx: Tx,
  { dataTypeId, onlyPlace }: KnownChange,
): Promise<string[]> {
  const rows = await tx
    .selectFrom('source')
    .select('source.id')
    .where('source.dataTypeId', '=', dataTypeId)
    .$if(onlyPlace !== null, (query) => query.where('source.placeId', '=', onlyPlace))
    .where(whereRowsVisible(ctx, 'source'))
    .execute()
  return rows.map(({ id }) => id)
}

async function listExamples(
  tx: Tx,
  { table, plan }: KnownChange,
  { key, after }: FieldChange,
  sourceIds: string[],
) {
  const retype = plan.retypes.find(({ name }) => name === getColumnName(key))
  if (table === null || after === null || !retype || sourceIds.length === 0) return []
  const rows = await unconvertedValues(tx, table, retype, sourceIds, maxExamples)
  return rows.map(({ sourceId, id, value }) => ({ sourceId, id, value: shorten(value) }))
}

function shorten(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : value
}
