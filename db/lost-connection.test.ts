import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem, freshDatabase, hasRealPostgres, type TestDatabase } from './testing.ts'

let ending: TestDatabase
let staying: TestDatabase
beforeAll(async () => {
  ending = await freshDatabase()
  staying = await freshDatabase()
})
afterAll(() => staying.close())

/** Creates a gate: a promise and the function that resolves it. */
function opening() {
  let open = () => {}
  const promise = new Promise<void>((resolve) => (open = resolve))
  return { open, opened: promise }
}

test('end() resolves although the connection of an open transaction was lost', async () => {
  const { transaction, end } = ending.connect(asSystem)
  const [startGate, lost] = [opening(), opening()]
  const outcome = transaction(async (tx) => {
    await sql`select 1`.execute(tx)
    startGate.open()
    await lost.opened
    await sql`select 1`.execute(tx)
  }).catch((error: unknown) => error)
  await startGate.opened
  const ended = end()
  await ending.close()
  // A lost connection is noticed within this time.
  await new Promise((resolve) => setTimeout(resolve, 100))
  lost.open()
  expect(await outcome).toBeInstanceOf(Error)
  await ended
}, 10_000)

test.skipIf(!hasRealPostgres)(
  'a caller that waits for a connection that is lost meanwhile gets another at once',
  async () => {
    const { transaction, end } = staying.connect(asSystem)
    const startGate = opening()
    const first = transaction(async (tx) => {
      await sql`select 1`.execute(tx)
      startGate.open()
      await sql`select pg_sleep(5)`.execute(tx)
    }).catch((error: unknown) => error)
    await startGate.opened
    const second = transaction((tx) => sql<{ one: number }>`select 1 as one`.execute(tx))
    const startMs = Date.now()
    await staying.makeReadOnly(true)
    expect((await second).rows).toEqual([{ one: 1 }])
    expect(Date.now() - startMs).toBeLessThan(5_000)
    expect(await first).toBeInstanceOf(Error)
    await end()
  },
)
