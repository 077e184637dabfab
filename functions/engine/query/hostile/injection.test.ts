import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import type { Database } from '../differential/database.testing.ts'
import { openDatabase, runEach } from '../differential/database.testing.ts'
import { parseGeoJson } from '../library/geojson.ts'
import { joinedTable } from '../examples/fields.ts'
import { getSqlParameters, toSqlText } from '../examples/run.ts'
import { analytics, QueryError, rows } from '../index.ts'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'
import { mark, payloads } from './payloads.testing.ts'
import { places, type Place } from './places.testing.ts'
import { strangers } from './tokens.testing.ts'

const { env, scope } = joinedTable

/**
 * The statement for the database; undefined if the query is rejected. Rethrows any error but a QueryError.
 */
function compileStatement(
  question: Record<string, unknown>,
): { text: string; parameters: readonly unknown[] } | undefined {
  try {
    if ('aggregations' in question) {
      const statement = analytics(question, env).query(scope)
      return { text: toSqlText(statement), parameters: getSqlParameters(statement) }
    }
    const { where, orderBy, limit, offset } = rows(question, env)
    const conditions = where.length > 0 ? sql`where ${sql.join(where, sql` and `)}` : sql``
    const statement = sql`select id from ${scope.from} ${conditions} order by ${sql.join(orderBy)} limit ${limit}::bigint offset ${offset}::bigint`
    return { text: toSqlText(statement), parameters: getSqlParameters(statement) }
  } catch (error) {
    if (error instanceof QueryError) return undefined
    throw error
  }
}

/** How a payload was mishandled at a place; undefined if it was not. */
function wrong(
  { name, isSilent }: Place,
  payload: string,
  statement: ReturnType<typeof compileStatement>,
): string | undefined {
  if (!statement) return undefined
  const { text, parameters } = statement
  const says = (what: string) => `${name} ${JSON.stringify(payload)}: ${what}\n${text}`
  if (text.toLowerCase().includes(mark)) return says('it is in the SQL')
  const unknown = strangers(text)
  if (unknown.length > 0) return says(`${JSON.stringify(unknown)} is no part of the language`)
  const isBound = parameters.some((each) => String(each).toLowerCase().includes(mark))
  if (!isSilent && !isBound && !isShape(payload)) return says('it was neither refused nor bound')
  return isSilent && isBound ? says('it was to be a label') : undefined
}

/** Of a geometry only its type and its coordinates are kept. */
const isShape = (payload: string) => typeof parseGeoJson(payload) !== 'string'

/** In `npm test` each place gets a twelfth of the payloads, another one than the place before. */
const selectPayloads = (at: number) => (isFullRun ? payloads : payloads.filter((_, i) => (i + at) % 12 === 0))

describe('SQL injection', () => {
  let database: Database
  beforeAll(async () => {
    database = await openDatabase()
    await runEach(database, joinedTable.create)
  })
  afterAll(() => database.close())

  test('each payload contains the marker', () => {
    expect(payloads.filter((payload) => !payload.includes(mark))).toEqual([])
    expect(new Set(payloads).size).toBe(payloads.length)
  })

  test('payloads are rejected or bound as parameters, at every place of a query', async () => {
    const findings: string[] = []
    const accepted: { place: Place; payload: string; text: string; parameters: readonly unknown[] }[] = []
    const counts = { payloads: payloads.length, places: places.length, questions: 0, refused: 0, bound: 0 }
    for (const [at, place] of places.entries()) {
      for (const payload of selectPayloads(at)) {
        const statement = compileStatement(place.question(payload))
        counts.questions += 1
        if (statement) {
          counts.bound += 1
          accepted.push({ place, payload, ...statement })
        } else counts.refused += 1
        const finding = wrong(place, payload, statement)
        if (finding !== undefined) findings.push(finding)
      }
    }
    expect(findings.slice(0, 20)).toEqual([])

    // Accepted queries are run: they return rows or a data error, never an SQL error.
    const step = Math.max(1, Math.floor(accepted.length / 600))
    const codes: Record<string, number> = {}
    let run = 0
    for (let i = 0; i < accepted.length; i += step) {
      const { place, payload, text, parameters } = accepted[i] as (typeof accepted)[number]
      run += 1
      try {
        await database.query(text, [...parameters])
      } catch (error) {
        const { code = '', message } = error as { code?: string; message: string }
        codes[code] = (codes[code] ?? 0) + 1
        if (!code.startsWith('22')) findings.push(`${place.name} ${payload}: ${code} ${message}\n${text}`)
      }
    }
    expect(findings.slice(0, 20)).toEqual([])
    writeMeasurements('hostile', { ...counts, run, ...codes })
    console.log(
      `  ${counts.questions} questions (${counts.payloads} payloads, ${counts.places} places): ${counts.refused} refused, ${counts.bound} bound, ${run} run`,
    )
    expect(counts.questions).toBeGreaterThan(7000)
    expect(run).toBeGreaterThan(300)
    expect(counts.bound).toBeGreaterThan(300)
  })

  test('the table is unchanged', async () => {
    const { rows: callRows } = await database.query<{ n: string }>('select count(*)::text as n from call')
    expect(callRows[0]?.n).toBe('4')
  })
})

test('detects a statement with an unknown token', () => {
  for (const text of [
    'select 1; drop table call',
    `select 'zq'`,
    'select "token"',
    'select pg_sleep(9)',
    'select 1 -- x',
    'select 1 /* x */',
    "select E'\\x27'",
  ])
    expect(strangers(text), text).not.toEqual([])
  expect(strangers(`select "c1" from call where ("type" = $1::text) limit $2::bigint`)).toEqual([])
})
