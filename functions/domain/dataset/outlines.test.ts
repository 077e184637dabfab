import type { Position } from 'geojson'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anonymous, system } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { ingest } from '../records/ingest.ts'
import { recordsWorld, type RecordsWorld } from '../records/testing.ts'
import { outlines } from './outlines.ts'

const schema: FieldSchema = {
  id: { name: 'Id', type: 'text' },
  area: { name: 'Area', type: 'polygon' },
  way: { name: 'Way', type: 'line' },
}

let world: RecordsWorld
beforeAll(async () => {
  world = await recordsWorld()
  await world.dataType('park', schema)
})
afterAll(() => world.close())

/** Returns a circle with a number of vertices. */
const round = (lon: number, lat: number, radius: number, corners: number): Position[] => {
  const ring = Array.from({ length: corners }, (_none, n): Position => {
    const turn = (2 * Math.PI * n) / corners
    return [lon + radius * Math.cos(turn), lat + radius * Math.sin(turn)]
  })
  return [...ring, ring[0]!]
}
const park = (id: string, ring: Position[]) => ({ id, area: { type: 'Polygon', coordinates: [ring] } })
const createSource = async (records: object[]) => {
  const source = await world.source('park')
  const { rejected } = await ingest(world.as(system), source, records)
  expect(rejected).toEqual([])
  return source
}

test('contain lines and areas of all records, without invisible bends, and small ones too', async () => {
  const sourceId = await createSource([
    park('large', round(-100, 40, 2, 600)),
    park('small', round(-90, 40, 0.001, 30)),
    {
      id: 'way',
      way: {
        type: 'LineString',
        coordinates: [
          [-95, 40],
          [-94, 40.00001],
          [-93, 40],
        ],
      },
    },
    { id: 'nowhere' },
  ])
  const shapes = await outlines(world.as(system), { sourceId }, 0.01)
  expect(shapes?.map(({ type }) => type)).toEqual(['Polygon', 'Polygon', 'LineString'])
  const [large, , way] = shapes as unknown as { coordinates: Position[][] }[]
  expect(large!.coordinates[0]!.length).toBeGreaterThan(20)
  expect(large!.coordinates[0]!.length).toBeLessThan(120)
  expect(way!.coordinates).toHaveLength(2)
})

test('are null where there are too many or too detailed ones to draw individually', async () => {
  const many = await createSource(
    Array.from({ length: 1001 }, (_none, n) => park(`${n}`, round(n / 10, 0, 0.01, 4))),
  )
  expect(await outlines(world.as(system), { sourceId: many }, 0.01)).toBeNull()
  const detailed = await createSource(
    Array.from({ length: 31 }, (_none, n) => park(`${n}`, round(n, 0, 0.4, 10_000))),
  )
  expect(await outlines(world.as(system), { sourceId: detailed }, 0.01)).toBeNull()
})

test('contain those that the asker may see', async () => {
  const sourceId = await createSource([park('a', round(0, 0, 1, 8))])
  await expect(outlines(world.as(anonymous), { sourceId }, 0.01)).rejects.toMatchObject({ kind: 'notFound' })
  expect(await outlines(world.as(system), { sourceId }, 0.01)).toHaveLength(1)
})
