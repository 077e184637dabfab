import { sql } from 'kysely'
import { bucketStart, datePart } from '../differential/calendar.testing.ts'
import type { Database } from '../differential/database.testing.ts'
import { bucketUnits, extractUnits } from '../differential/functions.testing.ts'
import { getSqlParameters, toSqlText } from '../examples/run.ts'
import { analytics, present } from '../index.ts'
import type { QueryEnv, Scope } from '../types.ts'
import { listMoments } from './moments.testing.ts'

const env: QueryEnv = {
  fields: [
    { path: 'id', name: 'Id', type: 'number', sql: sql`id` },
    { path: 'data.at', name: 'At', type: 'date', sql: sql`at` },
  ],
  timeZone: 'UTC',
  defaultLimit: 100_000,
  maxLimit: 100_000,
}

/** Whether a unit depends on the start of the custom year. */
const isCustom = (unit: string) => unit.startsWith('custom')
/** Clocks that are set back before midnight show a date again: only spans within the hour follow each other in any zone. */
const isOfClock = (unit: string) => ['second', 'minute', 'hour'].includes(unit)
const at = { field: 'data.at' }
const max = (value: unknown) => ({ function: 'max', arguments: [value] })
const bucket = (unit: string, value: unknown) => ({ function: 'bucket', arguments: [unit, value] })

/** The moments as rows; the last row has no date. */
function buildScope(moments: readonly number[]): Scope {
  const texts = JSON.stringify(moments.map((ms) => new Date(ms).toISOString()))
  return {
    from: sql`(select ordinality as id, value::timestamptz as at
      from jsonb_array_elements_text((${texts}::text::jsonb) || 'null'::jsonb) with ordinality) as moment`,
    where: [],
  }
}

async function ask(database: Database, question: unknown, scope: Scope) {
  const { query, output } = analytics(question, env)
  const statement = query(scope)
  const { rows } = await database.query(toSqlText(statement), [...getSqlParameters(statement)])
  return present(rows, output)
}

interface ConservationReport {
  /** The number of bucketed moments, and of distinct buckets, over all units. */
  moments: number
  placed: number
  buckets: number
  findings: string[]
}

/**
 * Buckets moments around the offset changes of a zone by every unit, and returns violated invariants: each moment is in
 * exactly one bucket, totals match the rows, a bucket's start is in its own bucket, order is preserved, and all buckets
 * and date parts match an independent calendar.
 */
export async function conserve(
  database: Database,
  zone: string,
  years: readonly number[],
  yearStarts: readonly number[],
): Promise<ConservationReport> {
  const moments = listMoments(zone, years)
  const scope = buildScope(moments)
  const result: ConservationReport = { moments: moments.length, placed: 0, buckets: 0, findings: [] }
  for (const [i, yearStart] of yearStarts.entries()) {
    const buckets = bucketUnits.filter((unit) => i === 0 || isCustom(unit))
    const parts = extractUnits.filter((unit) => i === 0 || isCustom(unit))
    const options = { timezone: zone, customYearStart: yearStart }
    const rows = await ask(
      database,
      {
        ...options,
        aggregations: [
          { alias: 'id', value: { field: 'id' } },
          ...buckets.map((unit) => ({ alias: unit, value: max(bucket(unit, at)) })),
          ...buckets.map((unit) => ({ alias: `${unit}-again`, value: max(bucket(unit, bucket(unit, at))) })),
          ...parts.map((unit) => ({
            alias: `${unit}-part`,
            value: max({ function: 'extract', arguments: [unit, at] }),
          })),
        ],
        groupings: [{ field: 'id' }],
        orderings: [{ value: { field: 'id' }, direction: 'asc' }],
      },
      scope,
    )
    const addFinding = (unit: string, ms: number | undefined, what: string) =>
      result.findings.push(
        `${zone} ${unit} from month ${yearStart} of ${ms === undefined ? 'null' : new Date(ms).toISOString()}: ${what}`,
      )
    if (rows.length !== moments.length + 1)
      addFinding('rows', undefined, `${rows.length} instead of ${moments.length + 1}`)
    for (const unit of buckets) {
      const expected = new Map<string | null, number>([[null, 1]])
      let before = -Infinity
      rows.slice(0, -1).forEach((row, at) => {
        const ms = moments[at] as number
        const actualStart = String(row[unit])
        const expectedStart = new Date(bucketStart(unit, ms, zone, yearStart)).toISOString()
        if (actualStart !== expectedStart) addFinding(unit, ms, `${actualStart} instead of ${expectedStart}`)
        if (row[`${unit}-again`] !== row[unit])
          addFinding(unit, ms, `${actualStart} is in ${String(row[`${unit}-again`])}`)
        if (isOfClock(unit) && Date.parse(actualStart) < before)
          addFinding(unit, ms, `${actualStart} is before the bucket of an earlier moment`)
        before = Date.parse(actualStart)
        expected.set(actualStart, (expected.get(actualStart) ?? 0) + 1)
      })
      if (rows.at(-1)?.[unit] !== null) addFinding(unit, undefined, 'has a bucket')
      const totals = await ask(
        database,
        {
          ...options,
          aggregations: [
            { alias: 'start', value: bucket(unit, at) },
            { alias: 'n', value: { function: 'count' } },
          ],
          groupings: [{ field: 'start' }],
        },
        scope,
      )
      const sum = totals.reduce((all, { n }) => all + Number(n), 0)
      if (sum !== moments.length + 1)
        addFinding(unit, undefined, `totals are ${sum} instead of ${moments.length + 1}`)
      if (
        totals.length !== expected.size ||
        totals.some(({ start, n }) => expected.get(start as string) !== n)
      )
        addFinding(unit, undefined, 'totals are not those of the rows')
      result.placed += moments.length
      result.buckets += totals.length
    }
    for (const unit of parts)
      rows.slice(0, -1).forEach((row, at) => {
        const expectedPart = datePart(unit, moments[at] as number, zone, yearStart)
        if (row[`${unit}-part`] !== expectedPart)
          addFinding(`${unit} part`, moments[at], `${String(row[`${unit}-part`])} instead of ${expectedPart}`)
      })
  }
  return result
}
