import { afterAll, beforeAll, expect, test } from 'vitest'
import { ingest } from '../records/ingest.ts'
import { recordsWorld, type RecordsWorld } from '../records/testing.ts'
import { exportRows } from './export.ts'
import { anonymous, system } from '#functions/context.ts'

let world: RecordsWorld
const type = 'many-sources-of-one-data-type'
beforeAll(async () => {
  world = await recordsWorld()
  await world.dataType(type, { n: { name: 'N', type: 'number' } })
})
afterAll(() => world.close())

test('the data version of many sources fits into a header, and differs when one of them changes', async () => {
  const version = async () => {
    const ctx = world.as(anonymous)
    ctx.responseHeaders = new Headers()
    await exportRows(ctx, { placeId: 'oak', dataTypeId: type }, { format: 'ndjson' })
    return ctx.responseHeaders.get('x-data-version') ?? ''
  }
  const ids: string[] = []
  for (let i = 0; i < 3; i++) ids.push(await world.source(type, 'public'))
  expect(await version()).toBe(
    [...ids]
      .sort()
      .map((id) => `${id}=0`)
      .join(','),
  )
  for (let i = 3; i < 80; i++) ids.push(await world.source(type, 'public'))
  const before = await version()
  expect(before).toMatch(/^sources=80,sha256=[0-9a-f]{64}$/)
  expect(await version()).toBe(before)
  await ingest(world.as(system), ids[0] ?? '', [{ n: 1 }])
  expect(await version()).not.toBe(before)
})
