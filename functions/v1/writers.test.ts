import { afterAll, beforeAll, expect, test } from 'vitest'
import { isFullRun, writeMeasurements } from './testing/figures.testing.ts'
import { ask } from './testing/wire.testing.ts'
import { toIdentity } from '#functions/domain/access/identity.ts'
import { maxConnections } from '#db/embedded/backends.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  // As many connections as the product has to a Postgres.
  world = await openWorld(city, { maxOpen: maxConnections })
})
afterAll(() => world.close())

/** Each of fifty writers retries until it succeeds: thirteen hundred attempts on a row. */
const writers = isFullRun ? 50 : 8

const counts = { changes: 0, conflicts: 0 }

/**
 * Sends a request over a connection of its own that ends after the response, as the Worker does: the connections of
 * all attempts together would be more than a server permits.
 */
async function askOnce(requestLine: string, body?: unknown): ReturnType<typeof ask> {
  const { actor } = world.as('organization_admin')
  const connection = world.database.connect(toIdentity(actor))
  try {
    return await ask(world.over(connection, actor), requestLine, body)
  } finally {
    await connection.end()
  }
}

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
    const read = async () =>
      (await askOnce(`GET ${path}`)).body as Record<string, unknown> & { version: number }
    let conflicts = 0
    const write = async (n: number) => {
      for (;;) {
        const currentRow = await read()
        const before = typeof currentRow[field] === 'string' ? (currentRow[field] as string) : ''
        const update = { version: currentRow.version, [field]: `${before}.${n}` }
        const { status, body } = await askOnce(`PATCH ${path}`, update)
        if (status === 200) return
        // A conflict returns the current version.
        expect([status, (body.error as unknown as { kind: string }).kind]).toEqual([409, 'conflict'])
        conflicts += 1
      }
    }
    await Promise.all(Array.from({ length: writers }, (_none, n) => write(n)))
    const { [field]: text, version } = await read()
    const lines = String(text).split('.')
    for (let n = 0; n < writers; n += 1) expect(lines).toContain(String(n))
    expect(version).toBeGreaterThanOrEqual(writers)
    expect(conflicts).toBeGreaterThan(0)
    counts.changes += writers
    counts.conflicts += conflicts
    writeMeasurements('writers', counts)
  },
  180_000,
)
