import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from './differential/database.testing.ts'
import { openDatabase, runEach } from './differential/database.testing.ts'
import calendar from './examples/calendar.json'
import comparisons from './examples/comparisons.json'
import { getExampleTable } from './examples/fields.ts'
import filters from './examples/filters.json'
import functionExamples from './examples/functions.json'
import geospatial from './examples/geospatial.json'
import grouping from './examples/grouping.json'
import math from './examples/math.json'
import operatorExamples from './examples/operators.json'
import options from './examples/options.json'
import { run } from './examples/run.ts'
import time from './examples/time.json'
import { functions } from './library/index.ts'
import { logicKeys, operators } from './library/operators.ts'

/** A query, the SQL that the database gets for it, and its answer. */
interface Example {
  name: string
  fields: string
  query: unknown
  sql?: string
  parameters?: unknown[]
  rows?: unknown[]
  /** One row of numbers, with a relative error of at most 1e-9. */
  near?: Record<string, number | undefined>
  output?: unknown
}

const subjects: Record<string, Example[]> = {
  calendar,
  comparisons,
  filters,
  functions: functionExamples,
  geospatial,
  grouping,
  math,
  operators: operatorExamples,
  options,
  time,
}

/** Collapses white space in SQL. */
const even = (text: string) => text.replace(/\s+/g, ' ')

let database: Database
beforeAll(async () => {
  database = await openDatabase()
  for (const table of ['call', 'shape']) await runEach(database, getExampleTable(table).create)
})
afterAll(() => database.close())

describe.each(Object.entries(subjects))('%s', (_, examples) => {
  test.each(examples)('$name', async ({ fields, query, sql, parameters, rows, near, output }) => {
    const answer = await run(database, fields, query)
    if (sql !== undefined) expect(even(answer.text)).toBe(sql)
    if (parameters) expect(answer.parameters).toEqual(parameters)
    // As sent: JSON has no -0.
    if (rows) expect(JSON.parse(JSON.stringify(answer.rows))).toEqual(rows)
    for (const [alias, number = NaN] of Object.entries(near ?? {}))
      expect(Math.abs(Number(answer.rows[0]?.[alias]) - number)).toBeLessThanOrEqual(
        Math.max(number, 1) * 1e-9,
      )
    if (output) expect(answer.output).toEqual(output)
  })
})

/** The complete examples, for a query each: the SQL, its parameters and the answer. */
const exampleQueries = Object.values(subjects)
  .flat()
  .filter(({ sql, parameters, rows, near }) => sql !== undefined && parameters && (rows ?? near))
  .map(({ query }) => JSON.stringify(query))

test.each(functions.map(({ key, signature }) => ({ key, units: signature[0]?.options ?? [] })))(
  'the function $key has an example, with each of its units',
  ({ key, units }) => {
    expect(exampleQueries.some((query) => query.includes(`"function":"${key}"`))).toBe(true)
    for (const { value } of units)
      expect(
        exampleQueries.some((query) => query.includes(`"function":"${key}","arguments":["${value}"`)),
      ).toBe(true)
  },
)

test.each([...operators.keys(), ...logicKeys])('the operator %s has an example', (key) => {
  expect(exampleQueries.some((query) => query.includes(`"${key}":`))).toBe(true)
})
