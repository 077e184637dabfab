import { afterAll, beforeAll, expect, test } from 'vitest'
import { isFullRun, writeMeasurements } from './testing/figures.testing.ts'
import { ask } from './testing/wire.testing.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

/** Each of fifty writers retries until it succeeds: thirteen hundred attempts on a row. */
const writers = isFullRun ? 50 : 8

const counted = { changes: 0, conflicts: 0 }

/** A text field to which all writers append a line. */
test.each([
  ['/places/oakton/sources/open', 'notes'],
  ['/places/oakton/pages/story', 'description'],
  ['/insights/calls', 'notes'],
  ['/places/oakton/collections/best', 'notes'],
  ['/places/oakton', 'description'],
  ['/dataTypes/tree', 'notes'],
  ['/sources/inner/importers/feed', 'name'],
])(
  'when many change %s concurrently, no change is lost',
  async (path, field) => {
    const as = () => world.as('organization_admin')
    const read = async () =>
      (await ask(as(), `GET ${path}`)).body as Record<string, unknown> & { version: number }
    let conflicts = 0
    const write = async (n: number) => {
      for (;;) {
        const found = await read()
        const before = typeof found[field] === 'string' ? (found[field] as string) : ''
        const changed = { version: found.version, [field]: `${before}.${n}` }
        const { status, body } = await ask(as(), `PATCH ${path}`, changed)
        if (status === 200) return
        // A conflict returns the current version.
        expect([status, (body.error as unknown as { kind: string }).kind]).toEqual([409, 'conflict'])
        conflicts += 1
      }
    }
    await Promise.all(Array.from({ length: writers }, (_none, n) => write(n)))
    const { [field]: said, version } = await read()
    const lines = String(said).split('.')
    for (let n = 0; n < writers; n += 1) expect(lines).toContain(String(n))
    expect(version).toBeGreaterThanOrEqual(writers)
    expect(conflicts).toBeGreaterThan(0)
    counted.changes += writers
    counted.conflicts += conflicts
    writeMeasurements('writers', counted)
  },
  180_000,
)
