import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildCase, formats } from './formats.testing.ts'
import { listParserCases } from './parsed.testing.ts'
import { runCase, type Outcome } from './run.testing.ts'
import { themes } from './themes.testing.ts'
import { openImporterFixture, type ImporterFixture } from '../job/testing.ts'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'

let bed: ImporterFixture
beforeAll(async () => {
  bed = await openImporterFixture()
})
afterAll(() => bed.close())

const all = [
  ...themes.flatMap((theme) => formats.flatMap((format) => buildCase(theme, format) ?? [])),
  ...listParserCases(),
]
// The selection has cases of each format and each theme.
const cases = isFullRun ? all : all.filter((_, i) => i % 16 === 0)

const sum: Omit<Outcome, 'wrong'> = { seeded: 0, located: 0, good: 0, came: 0, changed: 0 }

test.each(cases.map((each) => [each.is, each] as const))('%s', async (_, each) => {
  const outcome = await runCase(bed, each)
  for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += outcome[key]
  expect(outcome.wrong).toEqual([])
})

test('locates every fault, imports good rows, and changes nothing silently', () => {
  if (isFullRun) expect(cases.length).toBeGreaterThanOrEqual(60)
  expect(sum.located).toBe(sum.seeded)
  expect(sum.came / sum.good).toBeGreaterThanOrEqual(0.99)
  expect(sum.changed).toBe(0)
  writeMeasurements('corpus', { files: cases.length, ...sum, database: bed.world.database.kind })
})
