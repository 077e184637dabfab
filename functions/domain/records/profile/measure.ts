import { sql, type RawBuilder } from 'kysely'
import { dataTable } from '#db/data-table.ts'
import type { Tx } from '#db/schema.ts'
import type { Column } from '../columns.ts'
import { bucketsFrom, edgeAt, computeBin, stepFor, sumCounts, type Bins } from './numbers.ts'
import { periodsFrom } from './periods.ts'
import {
  byCount,
  emptyState,
  getFieldKind,
  longestValue,
  mostFrequent,
  maxValues,
  registersFrom,
  getFieldUnit,
  type FieldState,
  type Kind,
  type Value,
} from './state.ts'

/** A part of a source's records: those with an id greater than `after`. `records`: how many there are. */
export interface Part {
  table: string
  sourceId: string
  after: string
  records: number
}

/**
 * Aggregates a field's values in a part of the records, in one statement that groups them by value. `range`:
 * the smallest and largest number of the source; null for other fields.
 */
export async function measure(
  tx: Tx,
  part: Part,
  { field, name }: Pick<Column, 'field' | 'name'>,
  range: readonly [number, number] | null,
): Promise<FieldState> {
  const kind = getFieldKind(field)
  if (part.records === 0) return emptyState(kind)
  const rows = sql`${dataTable(part.table)} where source_id = ${part.sourceId} and id > ${part.after}::bigint`
  if (kind === 'other') {
    const { rows: matches } = await sql<{ n: number }>`select count(${name})::int as n from ${rows}`.execute(
      tx.withoutPlugins(),
    )
    return { ...emptyState(kind, part.records), empty: part.records - (matches[0]?.n ?? 0) }
  }
  const step = kind === 'number' && range ? stepFor(...range) : null
  const { rows: results } = await sql<ColumnRow>`
    with g as materialized (
      select ${name} as v, count(*)::int as n from ${rows} and ${name} is not null group by 1
    ), size as materialized (
      select count(*) as n, sum(n)::int as filled${hasRange(kind) ? sql`, min(v) as min, max(v) as max` : sql``} from g
    )
    select filled, ${hasRange(kind) ? sql`${buildOutput(kind, sql`min`)} as min, ${buildOutput(kind, sql`max`)} as max,` : sql``}
      (select json_agg(json_build_array(${buildOutput(kind, sql`v`)}, n))::text from (
        select v, n from g where n > 1 or (select n from size) <= ${maxValues}::int
        order by n desc, ${kind === 'text' ? sql`v collate "C"` : sql`v`}
        limit (select case when n > ${maxValues}::int then ${mostFrequent + 1}::int else ${maxValues}::int end from size)) t) as top,
      ${kind === 'boolean' ? sql`null` : smallestRests(kind)} as rests,
      ${whereMany(countsBy(kind))} as counts,
      ${step === null || !range ? sql`null` : whereMany(toBins(step, range))} as bins
    from size`.execute(tx.withoutPlugins())
  return stateFrom(results[0], kind, part.records, { step, range, unit: getFieldUnit(field) })
}

interface ColumnRow {
  filled: number | null
  min?: number | null
  max?: number | null
  /** JSON as text, like the others, so that the driver does not parse it. */
  top: string | null
  rests: string | null
  counts: string | null
  bins: string | null
}

function stateFrom(
  row: ColumnRow | undefined,
  kind: Kind,
  records: number,
  {
    step,
    range,
    unit,
  }: { step: number | null; range: readonly [number, number] | null; unit: ReturnType<typeof getFieldUnit> },
): FieldState {
  const state = emptyState(kind, records)
  if (!row?.filled) return state
  const pairs = <T>(text: string | null) => JSON.parse(text ?? '[]') as [T, number][]
  const values = pairs<number | string | boolean>(row.top)
    .map(([value, count]): [Value, number] => [valueFrom(kind, value), count])
    .sort(byCount)
  const isMany = row.counts !== null
  Object.assign(state, {
    empty: records - row.filled,
    top: isMany ? values.slice(0, mostFrequent) : values,
    // With many values, those that occur once are not selected: if fewer than `mostFrequent` others exist,
    // the most frequent one left out occurs once.
    leftOut: isMany ? (values[mostFrequent]?.[1] ?? 1) : 0,
    registers: row.rests === null ? null : registersFrom(pairs<number>(row.rests)),
  })
  if (hasRange(kind))
    Object.assign(state, { min: valueFrom(kind, row.min ?? 0), max: valueFrom(kind, row.max ?? 0) })
  if (!isMany) return state
  const counts = pairs<number>(row.counts)
  if (kind === 'number') state.buckets = bucketsFrom(counts)
  else if (kind !== 'text') state.periods = periodsFrom(counts, unit)
  if (step !== null && range) state.bins = binsIn(step, range, pairs<number>(row.bins))
  return state
}

const hasRange = (kind: Kind) => kind === 'number' || kind === 'instant' || kind === 'day'

/**
 * SQL for a value as it is returned: instants as milliseconds and dates as days since 1970, long texts as
 * prefix and hash.
 */
function buildOutput(kind: Kind, value: RawBuilder<unknown>): RawBuilder<unknown> {
  if (kind === 'instant') return sql`round(extract(epoch from ${value}) * 1000)::float8`
  if (kind === 'day') return sql`(${value} - date '1970-01-01')`
  return kind === 'text' ? buildTextKey(value) : value
}

const buildTextKey = (value: RawBuilder<unknown>) =>
  sql`case when char_length(${value}) > ${longestValue}::int
    then left(${value}, ${longestValue}::int) || '…' || md5(${value}) else ${value} end`

function valueFrom(kind: Kind, value: number | string | boolean): Value {
  if (kind === 'number') return Number(value)
  if (kind === 'instant') return new Date(Number(value)).toISOString()
  if (kind === 'day') return new Date(Number(value) * 86_400_000).toISOString().replace(/T.*$/, '')
  return String(value)
}

/** In UTC by a constant offset: the name of a zone would be looked up for each value. */
const toUtc = (value: RawBuilder<unknown>) => sql`(${value} at time zone interval '0')`

const hashes: Partial<Record<Kind, (value: RawBuilder<unknown>) => RawBuilder<unknown>>> = {
  text: (value) => sql`hashtextextended(${value} collate "C", 0)`,
  number: (value) => sql`hashfloat8extended(${value}, 0)`,
  instant: (value) => sql`timestamp_hash_extended(${toUtc(value)}, 0)`,
  day: (value) => sql`hashint8extended((${value} - date '1970-01-01')::int8, 0)`,
}

/**
 * Input of HyperLogLog, from a 53-bit hash of each value: by register (the low 14 bits) the smallest
 * remainder.
 */
function smallestRests(kind: Kind): RawBuilder<unknown> {
  const hash = hashes[kind]?.(sql`v`) ?? sql`0`
  return sql`(select json_agg(json_build_array(register, rest))::text from (
    select h & 16383 as register, min(h >> 14 & 549755813887) as rest from (select ${hash} as h from g) hashed group by 1) r)`
}

/** Counts by number bucket or by day; an empty list for other kinds. */
function countsBy(kind: Kind): RawBuilder<unknown> {
  const by =
    kind === 'number'
      ? bucket
      : kind === 'instant'
        ? sql`${toUtc(sql`v`)}::date - date '1970-01-01'`
        : kind === 'day'
          ? sql`v - date '1970-01-01'`
          : null
  // An empty list instead of null says that there are too many values to list.
  if (!by) return sql`select '[]'`
  return sql`select json_agg(json_build_array(k, n))::text from (select ${by} as k, sum(n)::int as n from g group by 1) c`
}

/** `computeBucket` in SQL: sign, exponent and the first six digits of the binary form. */
const bucket = sql`(select case when b < 131072 then b else -(b & 131071) - 1 end from (
  select (get_byte(f, 0) << 10) | (get_byte(f, 1) << 2) | (get_byte(f, 2) >> 6) as b
  from (select float8send(v + 0.0) as f) sent) bits)`

function toBins(step: number, range: readonly [number, number]): RawBuilder<unknown> {
  const [first, last] = [computeBin(step, range[0]), computeBin(step, range[1])]
  const edges = Array.from({ length: last - first + 1 }, (_none, i) => edgeAt(step, first + i))
  return sql`select json_agg(json_build_array(k, n))::text from (
    select width_bucket(v, ${edges}::float8[]) as k, sum(n)::int as n from g group by 1) c`
}

/** Bins from the numbers of `width_bucket`, which start at 1. */
function binsIn(step: number, [min]: readonly [number, number], counts: [number, number][]): Bins {
  const first = computeBin(step, min)
  return { step, counts: sumCounts(counts.map(([bin, count]) => [bin - 1 + first, count] as const)) }
}

/** Computes counts only where there are too many distinct values to store all. */
const whereMany = (counts: RawBuilder<unknown>) =>
  sql`(case when size.n > ${maxValues}::int then (${counts}) end)`

/**
 * The state of a text or boolean field from its complete value list, without reading records: only the hashes
 * of the values are queried.
 */
export async function fromList(
  tx: Tx,
  kind: 'text' | 'boolean',
  records: number,
  { nulls, values }: { nulls: number; values: Record<string, number> },
): Promise<FieldState> {
  const state = { ...emptyState(kind, records), empty: nulls }
  const names = Object.keys(values)
  if (names.length === 0) return state
  if (kind === 'boolean') return { ...state, top: Object.entries(values).sort(byCount) }
  const { rows } = await sql<{ keys: string; rests: string }>`
    with g as materialized (select v, i from unnest(${names}::text[]) with ordinality as u(v, i))
    select (select json_agg(${buildTextKey(sql`v`)} order by i)::text from g) as keys, ${smallestRests('text')} as rests`.execute(
    tx.withoutPlugins(),
  )
  const keys = JSON.parse(rows[0]?.keys ?? '[]') as string[]
  const rests = JSON.parse(rows[0]?.rests ?? '[]') as [number, number][]
  const top = keys.map((key, i): [Value, number] => [key, values[names[i] ?? ''] ?? 0]).sort(byCount)
  return { ...state, top, registers: registersFrom(rests) }
}

/** The smallest and largest number of a field, queried from the table. */
export async function findFieldRange(
  tx: Tx,
  { table, sourceId }: Pick<Part, 'table' | 'sourceId'>,
  { name }: Pick<Column, 'name'>,
): Promise<[number, number] | null> {
  const { rows } = await sql<{ min: number | null; max: number | null }>`
    select min(${name}), max(${name}) from ${dataTable(table)} where source_id = ${sourceId}`.execute(
    tx.withoutPlugins(),
  )
  const { min = null, max = null } = rows[0] ?? {}
  return min === null || max === null ? null : [min, max]
}
