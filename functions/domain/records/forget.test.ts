import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetImages } from './forget.ts'
import { ingest } from './ingest.ts'
import { recordsWorld, type RecordsWorld } from './testing.ts'
import { asSystem } from '#db/testing.ts'
import { system } from '#functions/context.ts'

let world: RecordsWorld
beforeAll(async () => {
  world = await recordsWorld()
})
afterAll(() => world.close())

test('images of replaced records are kept for 30 days, newer ones longer', async () => {
  const type = await world.dataType('leaf', {
    id: { name: 'Id', type: 'text' },
    n: { name: 'N', type: 'number' },
  })
  const source = await world.source(type)
  const ctx = world.as(system)
  for (const n of [1, 2, 3])
    await ingest(ctx, source, [
      { id: 'a', n },
      { id: 'b', n: 10 * n },
    ])
  const { db } = world.database.connect(asSystem)
  const versions = async () => {
    const { rows } = await sql<{ version: number; n: number }>`
      select version, count(*)::int as n from data_history where source_id = ${source} group by 1 order by 1`.execute(
      db,
    )
    return rows.map(({ version, n }) => [version, n])
  }
  expect(await versions()).toEqual([
    [2, 2],
    [3, 2],
  ])
  expect(await forgetImages(ctx)).toBe(0)
  await sql`update data_history set created_at = now() - interval '31 days' where version = 2`.execute(db)
  expect(await forgetImages(ctx)).toBe(2)
  expect(await versions()).toEqual([[3, 2]])
  expect(await forgetImages(ctx)).toBe(0)
})
