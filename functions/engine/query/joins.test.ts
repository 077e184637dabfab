import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from './differential/database.testing.ts'
import { openDatabase, runEach } from './differential/database.testing.ts'
import { joinedTable } from './examples/fields.ts'
import examples from './examples/joins.json'
import { run, toSqlText } from './examples/run.ts'
import { analytics, readsClock, rows } from './index.ts'

/** Text of SQL with its white space evened out. */
const even = (text: string) => text.replace(/\s+/g, ' ')

describe('examples', () => {
  let db: Database
  beforeAll(async () => {
    db = await openDatabase()
    await runEach(db, joinedTable.create)
  })
  afterAll(() => db.close())

  test.each(examples)('$name', async (example) => {
    const { fields, query, parameters } = example
    const answer = await run(db, fields, query)
    expect(even(answer.text)).toBe(example.sql)
    expect(answer.parameters).toEqual(parameters)
    expect(answer.rows).toEqual(example.rows)
    if (example.output) expect(answer.output).toEqual(example.output)
  })
})

const { env, scope } = joinedTable
const count = { alias: 'n', value: { function: 'count' } }
const countDistinct = (field: string) => ({
  alias: 'x',
  value: { function: 'distinctCount', arguments: [{ field }] },
})

test('an alias never appears in SQL', () => {
  const alias = 'x_DROP-table'
  const offeredJoins = (env.joins?.offered ?? []).slice(0, 1).map((each) => ({ ...each, alias }))
  const ours = { ...env, joins: { rowId: sql.ref('t.id'), offered: offeredJoins } }
  const joins = [{ alias, filters: { 'data.type': { field: '~parent.data.type' } } }]
  const { query } = analytics({ joins, aggregations: [count, countDistinct(`~${alias}.id`)] }, ours)
  expect(toSqlText(query(scope))).not.toContain('DROP')
  const { union } = rows({ joins }, ours)
  expect(union?.aliases).toEqual([null, alias])
  expect(union && toSqlText(union.query(scope))).not.toContain('DROP')
})

test('the fields of a join are accessible by its alias only, and only where rows are joined', () => {
  const joins = [{ alias: 'crew' }]
  expect(() => analytics({ joins, aggregations: [countDistinct('~other.id')] }, env)).toThrow(
    'Must be a defined join!',
  )
  expect(() => analytics({ joins, aggregations: [countDistinct('~parent.id')] }, env)).toThrow(
    'Must be a defined join!',
  )
  expect(() => rows({ joins, filters: { '~crew.id': 1 } }, env)).toThrow(
    'filters,~crew,id: Must be a defined join!',
  )
})

test('a query with `now` anywhere in a join reads the clock', () => {
  const now = { function: 'now' }
  expect(readsClock({ joins: [{ alias: 'crew', filters: { createdAt: { $lt: now } } }] })).toBe(true)
  expect(readsClock({ joins: [{ alias: 'crew', where: [{ $or: [{ createdAt: now }] }] }] })).toBe(true)
  expect(readsClock({ joins: [{ alias: 'crew', filters: { id: 1 } }] })).toBe(false)
})
