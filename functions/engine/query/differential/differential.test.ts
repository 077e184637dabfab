import { expect, onTestFinished, test } from 'vitest'
import { functions } from '../index.ts'
import { logicKeys, operators } from '../library/operators.ts'
import { openDatabase } from './database.testing.ts'
import { differential } from './run.testing.ts'
import { isCrossSection, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'

/**
 * `DIFFERENTIAL_SEED=7 DIFFERENTIAL_CASES=20000 npx vitest run functions/engine/query/differential` runs
 * other cases, or more of them.
 */
const seed = Number(process.env.DIFFERENTIAL_SEED ?? 20261121)
const cases = Number(process.env.DIFFERENTIAL_CASES ?? (isCrossSection ? 400 : 1000))

test(
  `${cases} generated questions with the seed ${seed} mean what they say`,
  { timeout: 3_600_000 },
  async () => {
    const database = await openDatabase()
    onTestFinished(() => database.close())
    const run = await differential(database, seed, cases, (line) => console.log(line))
    const { findings, functions: callCounts, operators: used, ...counts } = run
    writeMeasurements('differential', {
      seed,
      'cases asked for': cases,
      ...counts,
      functions: functions.filter(({ key }) => callCounts[key]).length,
      operators: [...operators.keys(), ...logicKeys].filter((key) => used[key]).length,
      differences: findings.length,
    })
    expect(findings).toEqual([])
    if (cases < 1000) return
    for (const { key } of functions) expect(callCounts[key], key).toBeGreaterThan(0)
    for (const key of [...operators.keys(), ...logicKeys]) expect(used[key], key).toBeGreaterThan(0)
    // The test would prove nothing if all queries were rejected or empty.
    expect(counts.answered).toBeGreaterThan(cases * 0.6)
    expect(counts.undecided).toBeLessThan(cases * 0.02)
  },
)
