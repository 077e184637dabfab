import type { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import comparisons from './examples/comparisons.json'
import filters from './examples/filters.json'
import grouping from './examples/grouping.json'
import math from './examples/math.json'
import options from './examples/options.json'
import time from './examples/time.json'
import { database, run } from './examples/run.ts'

interface Example {
  name: string
  fields: string
  query: unknown
  sqlContains?: string[]
  rows: unknown[]
  output?: unknown
}

describe('examples', () => {
  let db: PGlite
  beforeAll(async () => {
    db = await database(['call'])
  })
  afterAll(() => db.close())

  const subjects: Record<string, Example[]> = { comparisons, filters, grouping, math, options, time }
  for (const [subject, examples] of Object.entries(subjects)) {
    test.each(examples)(`${subject}: $name`, async ({ fields, query, sqlContains = [], rows, output }) => {
      const answer = await run(db, fields, query)
      for (const part of sqlContains) expect(answer.text).toContain(part)
      expect(answer.rows).toEqual(rows)
      if (output) expect(answer.output).toEqual(output)
    })
  }
})
