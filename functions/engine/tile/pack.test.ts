import { afterAll, beforeAll, expect, test } from 'vitest'
import { anonymous, system, type Context } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { toCell, interleave } from './morton.ts'
import { recordsWorld, type RecordsWorld } from '#functions/domain/records/testing.ts'
import { pack, tile } from '#functions/domain/dataset/tile.ts'
import { countIn, toTiles } from '#functions/domain/dataset/tile.testing.ts'
import { PackReader, packedTile, type Pack } from './pack.ts'

const schema: FieldSchema = {
  id: { name: 'Id', type: 'text' },
  kind: { name: 'Kind', type: 'text' },
  amount: { name: 'Amount', type: 'number' },
  at: { name: 'At', type: 'date' },
  location: { name: 'Where', type: 'point' },
}

/** A crowd, a line of places, some at the same place, some without one. */
const rows = Array.from({ length: 2600 }, (_, i) => {
  const [lon, lat] =
    i < 2200 ? [10 + (i % 61) / 700, 50 + (i % 97) / 900] : i < 2500 ? [i / 20 - 60, i / 40 - 50] : [7, 7]
  return {
    id: String(i),
    ...(i % 3 ? { kind: i % 2 ? 'fire' : 'tree'.repeat(40) } : {}),
    amount: i / 3,
    at: new Date(Date.UTC(2026, 0, 1 + (i % 300))).toISOString(),
    ...(i === 2599 ? {} : { location: { type: 'Point', coordinates: [lon, lat] } }),
  }
})
const keys = rows.flatMap(({ location }) => {
  const [lon = 0, lat = 0] = location?.coordinates ?? []
  return location ? [interleave(toCell(lon, lat))] : []
})

let world: RecordsWorld
let source: string
let ctx: Context

beforeAll(async () => {
  world = await recordsWorld()
  await world.dataType('spot', schema)
  source = await world.source('spot', 'public')
  await ingest(world.as(system), source, rows)
  ctx = world.as(anonymous)
})
afterAll(() => world.close())

const buildRequest = (fields: string[], query = {}) => ({ fields, query, versions: { [source]: 1 } })
const scope = () => ({ placeId: 'oak', sourceId: source })
// As stored in the bucket.
const openStoredPack = (packed: Pack | null) => new PackReader(JSON.parse(JSON.stringify(packed)) as Pack)

test('every tile of a pack equals that of the database, byte for byte', async () => {
  const fields = ['kind', 'amount', 'at']
  const reader = openStoredPack(await pack(ctx, scope(), buildRequest(fields)))
  let compared = 0
  for (const z of [0, 1, 4, 7, 8, 9, 10, 11, 12, 13, 15, 18, 22]) {
    const all = toTiles(keys, z)
    for (const at of all.filter((_, i) => i % Math.ceil(all.length / 12) === 0)) {
      const fieldNames = z % 2 ? fields : []
      const live = await tile(ctx, scope(), { ...buildRequest(fieldNames), kind: 'points', tile: at })
      expect([at, await packedTile(reader, at, fieldNames)]).toEqual([at, live])
      compared += 1
    }
  }
  expect(compared).toBeGreaterThan(60)
  expect(await packedTile(reader, { z: 5, x: 0, y: 0 }, [])).toBeNull()
})

test('each filtered record is in one tile per zoom', async () => {
  const query = { filters: { 'data.kind': 'fire' } }
  const reader = openStoredPack(await pack(ctx, scope(), buildRequest([], query)))
  const fires = rows.filter(({ kind, location }) => kind === 'fire' && location).length
  for (const z of [0, 5, 9, 12]) {
    const counts = await Promise.all(toTiles(keys, z).map((at) => packedTile(reader, at, []).then(countIn)))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(fires)
  }
})

test('a pack of outdated data is unavailable', async () => {
  const old = { ...buildRequest([]), versions: { [source]: 7 } }
  await expect(pack(ctx, scope(), old)).rejects.toMatchObject({ kind: 'unavailable' })
})
