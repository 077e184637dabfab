import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryBucket } from '#db/worlds/ports.ts'
import { tableNameFor } from '#db/data-table.ts'
import { system, type Actor, type Context } from '#functions/context.ts'
import type { FieldSchema, RegionLookup } from '#functions/shapes/field.ts'
import { updateById as updateType } from '#functions/domain/data-type/data-types.ts'
import { changeWorld, refusal, type ChangeWorld } from '#functions/domain/data-type/schema-change/testing.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { rollBackVersion } from '#functions/domain/records/replay.ts'
import { change, prepareRecordSubject } from '#functions/domain/records/change.ts'
import { createRecord, updateRecord } from '#functions/domain/records/single.ts'
import { person } from '#functions/domain/records/testing.ts'
import { boundaryKey } from '#functions/engine/tile/manifest.ts'
import { areRegionsDue, processRegions } from './region-work.ts'
import { create, deleteById, replace, updateById } from './sets.ts'

let world: ChangeWorld
let ctx: Context
let admin: Context
const tiles = memoryBucket()

beforeAll(async () => {
  world = await changeWorld()
  const openContext = (actor: Actor) => Object.create(world.as(actor), { tiles: { value: tiles } }) as Context
  ctx = openContext(system)
  admin = openContext(person('ada', { oak: 'organization_admin' }))
})
afterAll(() => world.close())

/** Squares of one degree as a file has them: `codes` from west to east, from `west` on. */
const squares = (codes: string[], west = 0) => ({
  type: 'FeatureCollection',
  features: codes.map((code, i) => {
    const [x, y] = [west + i, west + i + 1]
    const ring = [
      [x, 0],
      [y, 0],
      [y, 1],
      [x, 1],
      [x, 0],
    ]
    const geometry = { type: 'Polygon', coordinates: [ring] }
    return { type: 'Feature', properties: { DIST: code, NAME: `District ${code}` }, geometry }
  }),
})

async function newSet(geojson: object, visibility: 'public' | 'place' = 'public') {
  const set = await create(admin, {
    params: { placeId: 'oak' },
    options: {},
    placeId: 'oak',
    data: { name: 'Districts', geojson: geojson as { type: string }, visibility },
  })
  return (set as { id: string }).id
}

const plain: FieldSchema = {
  id: { name: 'Id', type: 'text' },
  at: { name: 'At', type: 'point' },
}
const withRegion = (boundarySetId: string, more: Partial<RegionLookup> = {}): FieldSchema => ({
  ...plain,
  district: {
    name: 'District',
    type: 'text',
    regionOf: { point: 'at', boundarySetId, value: 'code', ...more },
  },
})
const point = (x: number, y: number) => ({ type: 'Point', coordinates: [x, y] })
const districts = async (id: string) => (await world.readRows(id)).map((row) => row.f_district)
const onSet = (id: string) => ({
  params: { placeId: 'oak', boundarySetId: id },
  options: {},
  placeId: 'oak',
})
const readStat = async (sourceId: string) => {
  const { fields } = await ctx.db
    .selectFrom('sourceStat')
    .select('fields')
    .where('sourceId', '=', sourceId)
    .executeTakeFirstOrThrow()
  return (fields as Record<string, unknown>).district
}

const rows = [
  { id: '1', at: point(0.5, 0.5), district: 'what was sent' },
  { id: '2', at: point(1.5, 0.5) },
  { id: '3', at: point(9, 9), district: 'B' },
  { id: '4' },
]

describe('the region of a record', () => {
  test('is computed from its point, whatever was sent, and again when the point moves', async () => {
    const set = await newSet(squares(['A', 'B']))
    const { id, sourceId } = await world.createSource(withRegion(set), rows)
    expect(await districts(id)).toEqual(['A', 'B', null, null])
    expect(await readStat(sourceId)).toMatchObject({ values: { A: 1, B: 1 }, nulls: 2 })
    const { datum } = await createRecord(ctx, sourceId, { id: '5', at: point(1.2, 0.1) })
    expect(datum.data).toMatchObject({ district: 'B' })
    const moved = await updateRecord(ctx, sourceId, String(datum.id), { at: point(0.2, 0.1), district: 'C' })
    expect(moved?.data).toMatchObject({ district: 'A' })
    // Repeating it changes nothing.
    expect(await ingest(ctx, sourceId, rows)).toMatchObject({ created: 0, updated: 0 })
  })

  test('of a line or an area is that of its middle, at first and when the set changes', async () => {
    const set = await newSet(squares(['A', 'B']))
    const line = (...positions: number[][]) => ({ type: 'LineString', coordinates: positions })
    const ways = [
      { id: '1', way: line([0.1, 0.5], [0.9, 0.5]) },
      // Begins in A; most of it is in B.
      { id: '2', way: line([0.9, 0.5], [1.9, 0.5]) },
      { id: '3', way: line([5, 5], [6, 6]) },
      { id: '4' },
    ]
    const schema: FieldSchema = { ...withRegion(set, { point: 'way' }), way: { name: 'Way', type: 'line' } }
    const { id, sourceId } = await world.createSource(schema, ways)
    expect(await districts(id)).toEqual(['A', 'B', null, null])
    await replace(admin, { ...onSet(set), data: { geojson: squares(['Y', 'Z']) as { type: string } } })
    await processRegions(ctx)
    expect(await districts(id)).toEqual(['Y', 'Z', null, null])
    expect(await ingest(ctx, sourceId, ways)).toMatchObject({ created: 0, updated: 0 })
  })

  test('is computed from the file of a built-in set', async () => {
    const { features } = squares(['A', 'B'])
    const germanFeatures = features.map((feature) => ({
      ...feature,
      properties: { gid: feature.properties.DIST, code: `DE-${feature.properties.DIST}`, name: 'Land' },
    }))
    const file = JSON.stringify({ type: 'FeatureCollection', features: germanFeatures })
    await tiles.put(boundaryKey('regions-de'), file)
    const { id, sourceId } = await world.createSource(withRegion('regions-de'), [])
    await ingest(ctx, sourceId, rows)
    expect(await districts(id)).toEqual(['DE-A', 'DE-B', null, null])
  })

  test('follows the areas of a new file, in one version with images, and counts with it', async () => {
    const set = await newSet(squares(['A', 'B']))
    const { id, sourceId } = await world.createSource(withRegion(set, { value: 'name' }), rows)
    expect(await districts(id)).toEqual(['District A', 'District B', null, null])
    expect(await areRegionsDue(ctx)).toBe(false)
    await replace(admin, { ...onSet(set), data: { geojson: squares(['A', 'Z']) as { type: string } } })
    expect(await areRegionsDue(ctx)).toBe(true)
    await processRegions(ctx)
    expect(await areRegionsDue(ctx)).toBe(false)
    expect(await districts(id)).toEqual(['District A', 'District Z', null, null])
    expect(await readStat(sourceId)).toMatchObject({ values: { 'District A': 1, 'District Z': 1 }, nulls: 2 })
    const subject = await prepareRecordSubject(ctx, sourceId)
    expect(await change(ctx, subject!, async () => {})).toBe(2)
    // The roll back restores snapshots with the previous areas; they are assigned again.
    await change(ctx, subject!, async (pendingChange) => void (await rollBackVersion(pendingChange, 2)))
    expect(await districts(id)).toEqual(['District A', 'District B', null, null])
    await processRegions(ctx)
    expect(await districts(id)).toEqual(['District A', 'District Z', null, null])
    // Another attribute numbers the areas.
    await updateById(admin, { ...onSet(set), data: { nameField: 'DIST' } })
    await processRegions(ctx)
    expect(await districts(id)).toEqual(['A', 'Z', null, null])
  })

  test('is computed for existing records when a data type gets the field', async () => {
    const set = await newSet(squares(['A', 'B']))
    const { id, sourceId } = await world.createSource(
      plain,
      rows.map(({ id, at }) => ({ id, at })),
    )
    await world.change(id, { schema: withRegion(set) }, { as: admin })
    await processRegions(ctx)
    expect(await districts(id)).toEqual(['A', 'B', null, null])
    expect(await readStat(sourceId)).toMatchObject({ values: { A: 1, B: 1 } })
    // An update of the data type selects another set; a client that does not know calculated fields keeps it.
    const other = await newSet(squares(['X'], 1))
    const update = (schema: object) =>
      updateType(admin, {
        params: { dataTypeId: id },
        options: {},
        placeId: 'oak',
        data: { schema: schema as FieldSchema },
      })
    await update(withRegion(other))
    await update({ ...plain, district: { name: 'Ward', type: 'text' } })
    await processRegions(ctx)
    expect(await districts(id)).toEqual([null, 'X', null, null])
    // Its point has another key.
    const { at, ...rest } = withRegion(other)
    const schema = { ...rest, where: at!, district: { name: 'Ward', type: 'text' as const } }
    await world.change(id, { schema, renames: { at: 'where' } }, { as: admin })
    await ingest(ctx, sourceId, [{ id: '6', where: point(1.5, 0.5) }])
    expect((await districts(id)).at(-1)).toBe('X')
  })
})

test('a schema that is sent without the region of a field keeps it, as all that is known of values; null removes it', async () => {
  const word = { name: 'Word', type: 'text' } as const
  const { id } = await world.createSource(
    { ...plain, word: { ...word, region: 'us-states', identifier: true } },
    [],
  )
  const update = async (field: object) => {
    const data = { schema: { ...plain, word: { ...word, ...field } } as unknown as FieldSchema }
    await updateType(admin, { params: { dataTypeId: id }, options: {}, placeId: 'oak', data })
    const { schema } = await ctx.db
      .selectFrom('dataType')
      .select('schema')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return (schema as FieldSchema).word
  }
  expect(await update({ name: 'State' })).toMatchObject({
    name: 'State',
    region: 'us-states',
    identifier: true,
  })
  const bare = await update({ region: null, identifier: null })
  expect([bare?.region, bare?.identifier]).toEqual([undefined, undefined])
})

describe('rejected', () => {
  test('private sets, sets of another place, and unknown ones; fields that had values; rules', async () => {
    const hidden = await newSet(squares(['A']), 'place')
    const open = await newSet(squares(['A']))
    const { id } = await world.createSource({ ...plain, word: { name: 'Word', type: 'text' } }, [])
    const expectIssues = async (schema: FieldSchema, otherwise: 'null' | 'refuse' = 'null') =>
      (await refusal(world.change(id, { schema, otherwise }, { as: admin }))).issues
    const at = ['schema', 'district', 'regionOf', 'boundarySetId']
    for (const set of [hidden, 'no-such-set'])
      expect(await expectIssues(withRegion(set))).toMatchObject([{ path: at, validator: 'exists' }])
    const ruled = withRegion(open)
    ruled.district!.validation = { required: true }
    expect(await expectIssues(ruled)).toMatchObject([{ path: ['schema', 'district', 'validation'] }])
    expect(await expectIssues(withRegion(open, { point: 'id' }))).toMatchObject([
      { path: ['schema', 'district', 'regionOf', 'point'] },
    ])
    const word = { ...withRegion(open).district!, name: 'Word' }
    // Values are replaced only by whoever says that those may go.
    expect(await expectIssues({ ...plain, word }, 'refuse')).toMatchObject([{ validator: 'calculated' }])
    await world.change(id, { schema: { ...plain, word }, otherwise: 'null' }, { as: admin })
  })

  test('making a set private that a data type of the place uses', async () => {
    const set = await newSet(squares(['A']))
    await world.createSource(withRegion(set), [])
    const privately = updateById(admin, { ...onSet(set), data: { visibility: 'private' } })
    expect(await refusal(privately)).toMatchObject({ kind: 'conflict', issues: [{ validator: 'used' }] })
    expect(await refusal(deleteById(admin, { ...onSet(set), data: undefined }))).toMatchObject({
      kind: 'conflict',
    })
  })

  test('a set that became private meanwhile gives no codes', async () => {
    const set = await newSet(squares(['A', 'B']))
    const { id, sourceId } = await world.createSource(withRegion(set), [])
    await ctx.db.updateTable('boundarySet').set({ visibility: 'private' }).where('id', '=', set).execute()
    await ingest(ctx, sourceId, rows)
    expect(await districts(id)).toEqual([null, null, null, null])
  })
})

test('2,000 points are in the areas that PostGIS computes, by a whole set and by parts of it', async () => {
  let seed = 7
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647
  // Stars with a hole, of which neighbours overlap.
  const star = (x: number, y: number, size: number) => {
    const ring = Array.from({ length: 40 }, (_, i) => {
      const [turn, far] = [(i / 40) * 2 * Math.PI, size * (i % 2 ? 1 : 0.4 + random() * 0.5)]
      return [x + far * Math.cos(turn), y + far * Math.sin(turn)]
    })
    return [...ring, ring[0]!]
  }
  const features = Array.from({ length: 120 }, (_, i) => {
    const [x, y] = [(i % 12) + 0.5, Math.floor(i / 12) + 0.5]
    const coordinates = [star(x, y, 0.7), star(x, y, 0.2).reverse()]
    return { type: 'Feature', properties: { DIST: `d${i}` }, geometry: { type: 'Polygon', coordinates } }
  })
  const set = await newSet({ type: 'FeatureCollection', features })
  const points = Array.from({ length: 2000 }, (_, i) => ({
    id: `p${i}`,
    at: point(random() * 13 - 0.5, random() * 11 - 0.5),
  }))
  const whole = await world.createSource(withRegion(set), points)
  const parts = await world.createSource(withRegion(set), [])
  for (let from = 0; from < points.length; from += 400)
    await ingest(ctx, parts.sourceId, points.slice(from, from + 400))
  for (const { id } of [whole, parts]) {
    const { rows: counts } = await sql<{ differences: number; inside: number }>`
      select count(*) filter (where t.f_district is distinct from (
          select a.code from boundary_set_area a where a.boundary_set_id = ${set} and ST_Contains(a.area, t.f_at)
          order by a.number limit 1))::int as differences,
        count(t.f_district)::int as inside
      from ${sql.id('data', tableNameFor(id))} t`.execute(ctx.db)
    expect(counts[0]?.differences).toBe(0)
    expect(counts[0]?.inside).toBeGreaterThan(500)
  }
})
