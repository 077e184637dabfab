import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoryBucket } from '#db/worlds/ports.ts'
import { system, type Context } from '#functions/context.ts'
import { changeWorld, type ChangeWorld } from '#functions/domain/data-type/schema-change/testing.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { boundaryKey, manifestKey, regionIndexKey } from '#functions/engine/tile/manifest.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { queueChangedSets } from './built-in-editions.ts'
import { areRegionsDue, processRegions } from './region-work.ts'
import { box } from './sets.testing.ts'

/** Releases change sets that everyone has: columns that are calculated by them follow. */
let world: ChangeWorld
let ctx: Context
const tiles = memoryBucket()

beforeAll(async () => {
  world = await changeWorld()
  ctx = Object.create(world.as(system), { tiles: { value: tiles } }) as Context
})
afterAll(() => world.close())

/** The files of a release: the code of the one region of each country, and its outline's hash. */
async function release(hash: string, codes: Record<'de' | 'fr', string>) {
  for (const [country, code] of Object.entries(codes)) {
    const feature = { type: 'Feature', properties: { gid: code, code, name: code }, geometry: box(0, 0, 2) }
    const file = JSON.stringify({ type: 'FeatureCollection', features: [feature] })
    await tiles.put(boundaryKey(`regions-${country}`), file)
  }
  const sets = Object.entries(codes).map(([country, code]) => ({ id: `regions-${country}`, hash: code }))
  await tiles.put(regionIndexKey(hash), JSON.stringify({ sets }))
  const atlas = { layers: ['country'], hash: '000000000000' }
  const boundaries = [{ id: 'world-countries', level: 'country' }]
  const manifest = { sets: [atlas], boundaries, regions: { inputHash: '', hash, bytes: 1 } }
  await tiles.put(manifestKey, JSON.stringify(manifest))
}

const calculated = (boundarySetId: string): FieldSchema => ({
  id: { name: 'Id', type: 'text' },
  at: { name: 'At', type: 'point' },
  district: { name: 'District', type: 'text', regionOf: { point: 'at', boundarySetId, value: 'code' } },
})
const records = Array.from({ length: 20 }, (_, i) => ({
  id: String(10 + i),
  at: { type: 'Point', coordinates: [i / 5, 1] },
}))
const districts = async (id: string) => (await world.readRows(id)).map((row) => row.f_district)
const expected = (code: string) => records.map(({ at }) => ((at.coordinates[0] ?? 0) < 2 ? code : null))

async function dueSources() {
  const { rows } = await sql<{ sourceId: string }>`
    select source_id from source_stat where regions_due_at is not null order by source_id`.execute(ctx.db)
  return rows.map(({ sourceId }) => sourceId)
}

test('a release that changes a set has its columns calculated again, once, and no others', async () => {
  await release('111111111111', { de: 'DE-OLD', fr: 'FR-A' })
  const german = await world.createSource(calculated('regions-de'), [])
  const french = await world.createSource(calculated('regions-fr'), [])
  await ingest(ctx, german.sourceId, records)
  await ingest(ctx, french.sourceId, records)
  // A database that knows of none yet: earlier releases may have changed any.
  expect([...(await queueChangedSets(ctx))].sort()).toEqual(['regions-de', 'regions-fr', 'world-countries'])
  await processRegions(ctx)
  expect(await queueChangedSets(ctx)).toEqual([])
  expect(await dueSources()).toEqual([])

  await release('222222222222', { de: 'DE-NEW', fr: 'FR-A' })
  const both = await Promise.all([queueChangedSets(ctx), queueChangedSets(ctx)])
  expect(both.flat()).toEqual(['regions-de'])
  expect(await dueSources()).toEqual([german.sourceId])
  await processRegions(ctx)
  expect(await districts(german.id)).toEqual(expected('DE-NEW'))
  expect(await districts(french.id)).toEqual(expected('FR-A'))
  expect([await queueChangedSets(ctx), await areRegionsDue(ctx)]).toEqual([[], false])
})

test('a release whose list is not there yet is noted when it is', async () => {
  await release('333333333333', { de: 'DE-NEW', fr: 'FR-B' })
  const list = await tiles.get(regionIndexKey('333333333333'))
  const text = (await list?.text()) ?? ''
  await tiles.delete(regionIndexKey('333333333333'))
  expect(await queueChangedSets(ctx)).toEqual([])
  await tiles.put(regionIndexKey('333333333333'), text)
  expect(await queueChangedSets(ctx)).toEqual(['regions-fr'])
})

test('a database without tiles has nothing to note', async () => {
  const empty = Object.create(ctx, { tiles: { value: memoryBucket() } }) as Context
  expect(await queueChangedSets(empty)).toEqual([])
})
