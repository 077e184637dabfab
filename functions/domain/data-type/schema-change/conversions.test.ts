import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { columnType } from '#db/data-table.ts'
import { asSystem, freshDatabase, type TestDatabase } from '#db/testing.ts'
import type { Field } from '#functions/shapes/field.ts'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'
import { converted, randomField, randomFrom, randomValue, texts } from './oracle.testing.ts'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const cases = isFullRun ? 100_000 : 6000
const text: Field = { name: 'T', type: 'text' }
const scalars = ['text', 'number', 'boolean', 'date', 'point', 'line', 'polygon'] as const

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

test(`the database converts a value as the rules say (SEED=${seed})`, async () => {
  const { db } = database.connect(asSystem)
  const random = randomFrom(seed)
  let convertedCount = 0
  for (let from = 0; from < cases; from += 1000) {
    const batch = Array.from({ length: 1000 }, () => {
      const was = random(3) === 0 ? text : randomField(random)
      return { v: randomValue(random, was), f: was, t: randomField(random), l: random(2) === 0 }
    })
    const { rows } = await sql<{ made: unknown }>`
      select converted(x->'v', x->'f', x->'t', (x->>'l')::boolean) as made
      from jsonb_array_elements(${JSON.stringify(batch)}::jsonb) with ordinality u(x, i) order by i`.execute(
      db.withoutPlugins(),
    )
    batch.forEach((each, i) => {
      const { v, f, t, l } = each
      const rule = converted(v, f, t, l)
      expect({ ...each, made: rows[i]?.made ?? undefined }).toEqual({ ...each, made: rule })
      if (rule !== undefined) convertedCount += 1
    })
  }
  expect(convertedCount).toBeGreaterThan(cases / 10)
  writeMeasurements('conversions', { cases, kept: convertedCount, seed })
}, 600_000)

test('every text, as a column of each other type', async () => {
  const { db } = database.connect(asSystem)
  for (const type of scalars) {
    const to: Field = { name: 'X', type }
    const { rows: names } = await sql<{ expression: string }>`
      select column_conversion('x', 'text', ${columnType(to)}, ${JSON.stringify(text)}::jsonb,
        ${JSON.stringify(to)}::jsonb, false) as expression`.execute(db.withoutPlugins())
    // oxlint-disable-next-line house/unsafe-sql -- an expression is what the function under test makes
    const expression = sql.raw(names[0]?.expression ?? '')
    const { rows } = await sql<{ isKept: boolean }>`
      select ${expression} is not null as "isKept"
      from unnest(${texts}::text[]) with ordinality u(x, i) order by i`.execute(db.withoutPlugins())
    const ruled = texts.map((each) => [each, converted(each, text, to, false) !== undefined])
    expect({ type, kept: texts.map((each, i) => [each, rows[i]?.isKept]) }).toEqual({ type, kept: ruled })
  }
})
