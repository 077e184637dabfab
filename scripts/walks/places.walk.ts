import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'
import { findFreePort } from '../local.ts'
import { inspectedHubs } from '../places/hubs.ts'
import { inspectHub, looks, pictures, type LookReport } from '../places/inspect-hub.ts'
import { openHubs } from '../places/open.ts'
import type { Engine } from './engines/engine.ts'
import { enginesWithWebGL, openEngine } from './engines/index.ts'

const only = process.env.PLACES_ONLY
const hubs = inspectedHubs.filter(({ id }) => !only || only.split(',').includes(id))
const outcome: LookReport = { pictures: 0, live: 0, faults: [] }

let port: number
let server: Awaited<ReturnType<typeof openHubs>> | undefined
beforeAll(async () => {
  if (!isFullRun) return
  port = await findFreePort()
  server = await openHubs(hubs, port, console.log)
}, 900_000)
afterAll(async () => {
  await server?.close()
  if (!isFullRun) return
  console.log(`The pictures are in ${pictures}`)
  writeMeasurements('places', {
    pictures: outcome.pictures,
    live: outcome.live,
    faults: outcome.faults.length,
  })
})

describe.skipIf(!isFullRun).each(enginesWithWebGL)('in $name', (walker) => {
  let engine: Engine | null = null
  beforeAll(() => {
    engine = openEngine(walker)
  })
  afterAll(async () => {
    await engine?.close()
  })

  test.for(hubs)(
    'the maps of $name are recognisable, still and live',
    { timeout: 600_000 },
    async (hub, { skip }) => {
      if (!engine) return skip(walker.missing)
      const before = outcome.faults.length
      for (const look of looks) await inspectHub(engine, { hub, look, port }, outcome)
      expect(outcome.faults.slice(before)).toEqual([])
    },
  )
})
