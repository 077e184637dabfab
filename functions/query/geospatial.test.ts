import type { PGlite } from '@electric-sql/pglite'
import { postgis } from '@electric-sql/pglite-postgis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import geospatial from './examples/geospatial.json'
import { shapeTable } from './examples/fields.ts'
import { database, run } from './examples/run.ts'

interface Example {
  name: string
  fields: string
  query: unknown
  sqlContains?: string[]
  rows?: unknown[]
  /** One row of numbers, each right to a part in a thousand million. */
  near?: Record<string, number>
  output?: unknown
}

describe('geospatial examples', () => {
  let db: PGlite
  beforeAll(async () => {
    db = await database([], { extensions: { postgis } })
    await db.exec('create extension postgis')
    await db.exec(shapeTable.create)
  })
  afterAll(() => db.close())

  const examples: Example[] = geospatial
  test.each(examples)('$name', async ({ fields, query, sqlContains = [], rows, near, output }) => {
    const answer = await run(db, fields, query)
    for (const part of sqlContains) expect(answer.text).toContain(part)
    if (rows) expect(answer.rows).toEqual(rows)
    for (const [alias, number] of Object.entries(near ?? {})) {
      expect(Math.abs(Number(answer.rows[0]?.[alias]) - number)).toBeLessThanOrEqual(
        Math.max(number, 1) * 1e-9,
      )
    }
    if (output) expect(answer.output).toEqual(output)
  })
})
