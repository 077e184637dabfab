import { expect, test } from 'vitest'
import { fuzz } from './fuzz/run.testing.ts'
import { isCrossSection, writeMeasurements } from './testing/figures.testing.ts'

/** `FUZZ_SEED=7 FUZZ_CASES=5000 npx vitest run functions/v1/fuzz.test.ts` generates other requests, or more of them. */
const seed = Number(process.env.FUZZ_SEED ?? 20261121)
const cases = Number(process.env.FUZZ_CASES ?? (isCrossSection ? 200 : 600))

test(`${cases} generated requests with the seed ${seed} break no rule`, { timeout: 600_000 }, async () => {
  const { findings, statuses, endpoints } = await fuzz(seed, cases)
  writeMeasurements('fuzz-small', { seed, cases, endpoints: endpoints.length, ...statuses })
  expect(findings).toEqual([])
})
