import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoryBucket } from '#db/worlds/ports.ts'
import { box } from '#functions/domain/boundary/sets.testing.ts'
import { create, updateById } from '#functions/domain/boundary/sets.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { person, recordsWorld, type RecordsWorld } from '#functions/domain/records/testing.ts'
import { anonymous, system, type Actor, type Context } from '#functions/context.ts'
import { generateDistricts } from '#functions/engine/region/districts.testing.ts'
import { boundaryKey } from '#functions/engine/tile/manifest.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { cluster } from './cluster.ts'
import { analytics, find } from './dataset.ts'
import { exportRows } from './export.ts'
import { writeMeasurements } from '#functions/v1/testing/figures.testing.ts'

const schema: FieldSchema = { kind: { name: 'Kind', type: 'text' }, at: { name: 'At', type: 'point' } }
const side = 4
const records = Array.from({ length: 1500 }, (_, i) => ({
  kind: `k${i % 3}`,
  at: { type: 'Point', coordinates: [((i * 7919) % 1021) / 1000 + 0.0003, ((i * 104_729) % 1013) / 1000] },
}))

let world: RecordsWorld
let sourceId: string
let set: string
let ctx: Context
let admin: Context
const tiles = memoryBucket()

beforeAll(async () => {
  world = await recordsWorld()
  const openContext = (actor: Actor) => Object.create(world.as(actor), { tiles: { value: tiles } }) as Context
  ctx = openContext(system)
  admin = openContext(person('ada', { oak: 'organization_admin' }))
  await world.dataType('call', schema)
  sourceId = await world.source('call', 'public')
  await ingest(ctx, sourceId, records)
  const features = [...generateDistricts(side, 10)].map((ring, i) => ({
    ...{ type: 'Feature', properties: { DIST: `d${i + 1}` } },
    geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] },
  }))
  const data = {
    name: 'Districts',
    visibility: 'public' as const,
    geojson: { type: 'FeatureCollection', features },
  }
  const boundarySet = await create(admin, { params: { placeId: 'oak' }, options: {}, placeId: 'oak', data })
  set = (boundarySet as { id: string }).id
})
afterAll(() => world.close())

const scope = () => ({ placeId: 'oak', sourceId })
const anyone = () => world.as(anonymous)
const buildAreaFilter = (area: unknown) => ({ within: { boundarySetId: set, area } })
const findIssues = (options: object) =>
  find(anyone(), scope(), options).then(
    () => null,
    ({ issues }: { issues: unknown }) => issues,
  )

/** The number of records in each area of the set, counted by PostGIS alone. */
async function countsByHand(): Promise<Map<string, number>> {
  const { rows } = await sql<{ code: string; n: number }>`
    select a.code, count(*)::int as n from boundary_set_area a
    join (select ST_SetSRID(ST_MakePoint(p.x, p.y), 4326) as place
      from unnest(${records.map(({ at }) => at.coordinates[0])}::float8[], ${records.map(({ at }) => at.coordinates[1])}::float8[])
        as p (x, y)) points on ST_Intersects(points.place, a.area)
    where a.boundary_set_id = ${set} group by a.code`.execute(ctx.db)
  return new Map(rows.map(({ code, n }) => [code, n]))
}

test('lists, answers, clusters and files use the areas of a set, and match PostGIS', async () => {
  const byHand = await countsByHand()
  expect(byHand.size).toBe(side * side)
  let alike = 0
  for (const [code, count] of byHand) {
    const page = await find(anyone(), scope(), { ...buildAreaFilter(code), limit: 1 })
    expect(page.meta, code).toMatchObject({ total: count })
    alike += 1
  }
  const several = (byHand.get('d1') ?? 0) + (byHand.get('d16') ?? 0)
  const counting = { aggregations: [{ alias: 'n', value: { function: 'count' } }] }
  const answer = await analytics(anyone(), scope(), { ...counting, ...buildAreaFilter(['d1', 'd16']) })
  expect(answer.results).toEqual([{ n: several }])
  const { meta } = await cluster(anyone(), scope(), { zoom: 12, ...buildAreaFilter(['d1', 'd16']) })
  expect(meta.total).toBe(several)
  const exported = await exportRows(anyone(), scope(), { format: 'csv', ...buildAreaFilter('d1') })
  const lines = (await new Response(exported.body as BodyInit).text()).trim().split('\r\n')
  expect(lines.length - 1).toBe(byHand.get('d1'))
  const geojson = await exportRows(anyone(), scope(), {
    format: 'geojson',
    ...buildAreaFilter(['d1', 'd16']),
  })
  const { features } = (await new Response(geojson.body as BodyInit).json()) as { features: unknown[] }
  expect(features.length).toBe(several)
  writeMeasurements('region-counts', { records: records.length, areas: alike })
})

test('narrows records to an area of a built-in set, by its file', async () => {
  const features = (['01', '02'] as const).map((code, i) => ({
    ...{ type: 'Feature', properties: { gid: `us-state-${code}`, code, name: code } },
    geometry: box(i * 0.5, 0, 0.5),
  }))
  const reader = Object.create(anyone(), { tiles: { value: tiles } }) as Context
  const findInState = (area: string, boundarySetId = 'us-states') =>
    find(reader, scope(), { within: { boundarySetId, area }, limit: 1 })
  await expect(findInState('01')).rejects.toMatchObject({ issues: [{ path: ['within', 'boundarySetId'] }] })
  await tiles.put(boundaryKey('us-states'), JSON.stringify({ type: 'FeatureCollection', features }))
  for (const [code, west] of [
    ['01', 0],
    ['02', 0.5],
  ] as const) {
    const byHand = records.filter(({ at: { coordinates } }) => {
      const [x = 0, y = 0] = coordinates
      return x >= west && x <= west + 0.5 && y <= 0.5
    })
    expect((await findInState(code)).meta, code).toMatchObject({ total: byHand.length })
    expect(byHand.length).toBeGreaterThan(100)
  }
  await expect(findInState('03')).rejects.toMatchObject({ issues: [{ path: ['within', 'area'] }] })
  await expect(findInState('01', 'regions-de')).rejects.toMatchObject({
    issues: [{ path: ['within', 'boundarySetId'] }],
  })
})

test('rejects an area that is not of a public set, with its path', async () => {
  expect(await findIssues(buildAreaFilter('d99'))).toMatchObject([
    { path: ['within', 'area'], message: 'The set has no area with this code.', value: 'd99' },
  ])
  expect(await findIssues(buildAreaFilter(['d1', 'd99', 7, {}]))).toMatchObject([
    { path: ['within', 'area', 1] },
    { path: ['within', 'area', 2] },
    { path: ['within', 'area', 3], message: 'Must be the code of an area.' },
  ])
  for (const area of [undefined, [], Array.from({ length: 101 }, () => 'd1')])
    expect(await findIssues(buildAreaFilter(area))).toMatchObject([{ path: ['within', 'area'] }])
  for (const boundarySetId of ['none', 7, null])
    expect(await findIssues({ within: { boundarySetId, area: 'd1' } })).toMatchObject([
      { path: ['within', 'boundarySetId'], message: 'There is no such public boundary set.' },
    ])
  const params = { placeId: 'oak', boundarySetId: set }
  const close = (visibility: 'private' | 'public') =>
    updateById(admin, { params, options: {}, placeId: 'oak', data: { visibility } })
  await close('private')
  expect(await findIssues(buildAreaFilter('d1'))).toMatchObject([{ path: ['within', 'boundarySetId'] }])
  await close('public')
  expect(await findIssues(buildAreaFilter('d1'))).toBe(null)
})
