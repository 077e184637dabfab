import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, runEach, type Database } from './differential/database.testing.ts'
import { getExampleTable } from './examples/fields.ts'
import { run } from './examples/run.ts'
import { functions } from './index.ts'
import { operators, unusableOperators } from './library/operators.ts'
import readme from './README.md?raw'

const blocks = [...readme.matchAll(/```json query\n([\s\S]*?)```\s+```json answer\n([\s\S]*?)```/g)]

let db: Database
beforeAll(async () => {
  db = await openDatabase()
  await runEach(db, getExampleTable('joined').create)
})
afterAll(() => db.close())

test.each(blocks.map(([, query = '', answer = ''], i) => ({ i, query, answer })))(
  'query $i',
  async ({ query, answer }) => {
    const parsedQuery = JSON.parse(query) as object
    const table = 'joins' in parsedQuery ? 'joined' : 'call'
    expect((await run(db, table, parsedQuery)).rows).toEqual(JSON.parse(answer))
  },
)

test('lists every function and every usable operator', () => {
  expect(blocks.length).toBe(4)
  expect(functions.length).toBe(31)
  for (const { key } of functions) expect(readme).toMatch(new RegExp(`[\`" ]${key}[\`" ]`))
  for (const key of operators.keys()) expect(readme).toContain(key)
  expect(operators.size + unusableOperators.size + ['$and', '$or', '$not'].length).toBe(33)
})
