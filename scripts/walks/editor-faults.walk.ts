import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openWindow, type Browser } from './browser.ts'
import { run } from '../draft-faults/runs.ts'
import { openFaultSetup, type FaultSetup } from '../draft-faults/fault-setup.ts'
import { writeMeasurements } from '#functions/v1/testing/figures.testing.ts'

/** A Worker and a database of this file alone, which fail at random while someone writes. */
let setup: FaultSetup
let browser: Browser

beforeAll(async () => {
  setup = await openFaultSetup()
  browser = await openBrowser()
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await setup?.close()
})

/** The number of random runs, and the first seed: few here, 200 by `npm run test:full -- faults`. */
const runs = Number(process.env.EDITOR_RUNS ?? 1)
const firstSeed = Number(process.env.EDITOR_SEED ?? 1)

test(
  `nothing typed a second or more before a fault is lost, in ${runs} runs`,
  async () => {
    const figures = { asked: runs, runs: 0, faults: 0, lost: 0, wrong: 0 }
    const losses: string[] = []
    const startMs = performance.now()
    for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
      setup.proxy.set('pass')
      setup.gate.open()
      const open = async () => (await openWindow(browser)).page
      const result = await run(seed, { setup, open })
      figures.runs += 1
      figures.faults += result.faults.length
      figures.lost += result.lost.length
      figures.wrong += result.wrong.length
      const seconds = Math.round((performance.now() - startMs) / 1000)
      console.log(`seed ${seed}, ${seconds} s: ${result.faults.join(', ')}`)
      losses.push(...[...result.lost, ...result.wrong].map((each) => `seed ${seed}: ${each}`))
    }
    writeMeasurements('editor', figures)
    expect(losses).toEqual([])
  },
  runs * 180_000,
)
