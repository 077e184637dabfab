import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { disableFence, splitTransaction } from './planted.testing.ts'
import { runSeed, type Result } from './seed.testing.ts'
import { openImporterFixture, type ImporterFixture } from '../job/testing.ts'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'
import { sourcesHash } from '#scripts/stored-figures.ts'

// Two concurrent runs, three workers, and every kind of fault; the expected result is computed without the
// database.
const first = Number(process.env.FAULTS_SEED ?? 1)
const count = Number(process.env.FAULTS_SEEDS ?? (isFullRun ? 30 : 2))
const rows = isFullRun ? 1200 : 400
const seeds = Array.from({ length: count }, (_, i) => first + i)

let bed: ImporterFixture
beforeAll(async () => {
  bed = await openImporterFixture()
})
afterAll(() => bed.close())

/** Caches results for the same sources: an interrupted proof continues where it stopped. */
async function runCached(name: string, run: () => Promise<Result>): Promise<Result> {
  const folder = fileURLToPath(new URL('../../../../.cache/proofs/faults/', import.meta.url))
  const file = `${folder}${sourcesHash()}-${bed.world.database.kind}-${rows}-${name}.json`
  if (isFullRun && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Result
  const result = await run()
  mkdirSync(folder, { recursive: true })
  if (isFullRun) writeFileSync(file, JSON.stringify(result))
  return result
}

const results: Result[] = []
test.each(seeds)('seed %i: rows and ledger are correct', { timeout: 240_000 }, async (seed) => {
  const result = await runCached(`${seed}`, () => runSeed(bed, seed, rows))
  results.push(result)
  expect(result.wrong).toEqual([])
})

const planted = { noFence: disableFence, splitTransaction }
const caught: Record<string, number> = { noFence: 0, splitTransaction: 0 }
const tries = isFullRun ? 8 : 0
for (const [name, mistake] of Object.entries(planted))
  test.skipIf(!isFullRun)(`detects a product with a mistake (${name})`, { timeout: 1_200_000 }, async () => {
    for (let seed = first; seed < first + tries; seed += 1) {
      const { wrong } = await runCached(`${name}-${seed}`, () => runSeed(bed, seed, rows, mistake))
      if (wrong.length) caught[name] = (caught[name] ?? 0) + 1
    }
    expect(caught[name]).toBeGreaterThan(0)
  })

test('every kind of fault occurred', () => {
  const sum = (of: keyof Result) => results.reduce((all, each) => all + Number(each[of]), 0)
  const figures = {
    database: bed.world.database.kind,
    seeds: results.length,
    'seeds that went wrong': results.filter(({ wrong }) => wrong.length).length,
    'rows read': sum('rows'),
    'rows refused': sum('refused'),
    'connections cut': sum('cuts'),
    'before a COMMIT came': sum('before'),
    'between a COMMIT and its answer': sum('after'),
    'messages lost': sum('lost'),
    'messages doubled': sum('doubled'),
    'leases that lapsed': sum('lapses'),
    'runs that were stopped': sum('stopped'),
    'seeds that found no fence': caught.noFence ?? 0,
    'seeds that found a split transaction': caught.splitTransaction ?? 0,
    'seeds with a mistake': tries,
  }
  writeMeasurements('faults', figures)
  expect(results).toHaveLength(count)
  expect(figures['connections cut']).toBeGreaterThan(0)
  if (!isFullRun) return
  for (const figure of ['between a COMMIT and its answer', 'before a COMMIT came', 'messages lost'] as const)
    expect(figures[figure]).toBeGreaterThan(0)
})
