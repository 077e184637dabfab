import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataTable, tableNameFor } from '#db/data-table.ts'
import { anonymous, system, type Context } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'
import { ingest } from '../records/ingest.ts'
import { deinterleave, keyLevel } from '#functions/engine/tile/morton.ts'
import { removeRecord } from '../records/remove.ts'
import { recordsWorld, type RecordsWorld } from '../records/testing.ts'
import { cluster } from './cluster.ts'
import { tile, type TileRequest } from './tile.ts'
import { countIn, layersIn, toTiles } from './tile.testing.ts'

const schema: FieldSchema = {
  id: { name: 'Id', type: 'text' },
  kind: { name: 'Kind', type: 'text' },
  isOpen: { name: 'Open', type: 'boolean' },
  amount: { name: 'Amount', type: 'number' },
  note: { name: 'Note', type: 'text' },
  at: { name: 'At', type: 'date' },
  day: { name: 'Day', type: 'date', precision: 'day' },
  location: { name: 'Where', type: 'point' },
}

interface Spot {
  id: string
  kind?: string | undefined
  isOpen?: boolean | undefined
  amount: number
  note: string
  at?: string | undefined
  day?: string | undefined
  location?: { type: 'Point'; coordinates: [number, number] } | undefined
}

const totals = { tiles: 0, records: 0 }

/** The same numbers for the same seed. */
function randomFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state / 2 ** 32) * below
  }
}

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const random = randomFrom(seed)
const pick = <T>(values: T[]): T => values[Math.floor(random(values.length))] as T

/** The last second of a month and the first of the next, and their days; some without a date. */
function datedAt(i: number): Pick<Spot, 'at' | 'day'> {
  if (i % 7 === 0) return {}
  const at = new Date(Date.UTC(2025, i % 14, 1) - (i % 2) * 1000).toISOString()
  return { at, day: at.slice(0, 10) }
}

/** Two crowded places, some places anywhere, the corners of tiles and of the world, and a few without a place. */
function spots(): Spot[] {
  const crowd = (n: number, lon: number, lat: number, width: number) =>
    Array.from({ length: n }, (): [number, number] => [lon + random(width), lat + random(width)])
  const borders: [number, number][] = [
    [0, 0],
    [180, 0],
    [-180, 0],
    [90, 66.51326044311186],
    [-90, -66.51326044311186],
    [0, 85.0511287798066],
    [12, 90],
    [-12, -90],
    [180, -90],
    [22.5, 0],
  ]
  const places = [
    ...crowd(2600, -122.34, 47.6, 0.01),
    ...crowd(300, -73.99, 40.7, 0.02),
    ...Array.from({ length: isFullRun ? 40 : 4 }, (): [number, number] => [
      random(360) - 180,
      random(170) - 85,
    ]),
    ...borders,
  ]
  const located = places.map((coordinates): Pick<Spot, 'location'> => ({
    location: { type: 'Point', coordinates },
  }))
  return [...located, {}, {}].map((spot, i) => ({
    ...spot,
    id: String(i),
    kind: pick(['fire', 'noise', 'tree', '', undefined]),
    isOpen: pick([true, false, undefined]),
    amount: Math.floor(random(100)),
    note: `note ${i} ${'x'.repeat(i % 200)}`,
    ...datedAt(i),
  }))
}

let world: RecordsWorld
let ctx: Context
let source: string
let allSpots = spots()
const keys = new Map<string, number>()
let version = 0

beforeAll(async () => {
  world = await recordsWorld()
  ctx = world.as(anonymous)
  await world.dataType('spot', schema)
  source = await world.source('spot', 'public')
  const writer = world.as(system)
  await ingest(writer, source, allSpots)
  // Updates and deletions change the stored counts too.
  const updates = allSpots.slice(0, 200).map((spot) => ({ ...spot, kind: pick(['fire', 'tree', undefined]) }))
  await ingest(writer, source, updates)
  const table = dataTable(tableNameFor('spot'))
  const removals = await sql<{
    id: string
  }>`select id::text from ${table} where f_id in ('5', '2700')`.execute(writer.db)
  for (const { id } of removals.rows) await removeRecord(writer, source, id)
  allSpots = [...updates, ...allSpots.slice(200)].filter(({ id }) => id !== '5' && id !== '2700')
  const { rows } = await sql<{ id: string; key: string }>`
    select f_id as id, key from ${table} where key is not null`.execute(writer.db.withoutPlugins())
  for (const { id, key } of rows) keys.set(id, Number(key))
  version = await readDataVersion(source)
}, 240_000)
afterAll(async () => {
  writeMeasurements('tiles', { ...totals, seed })
  await world.close()
})

async function readDataVersion(id: string) {
  const row = await world
    .as(system)
    .db.selectFrom('source')
    .select('dataVersion')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.dataVersion ?? 0
}

const ask = (changes: Partial<TileRequest> & Pick<TileRequest, 'tile'>) =>
  tile(
    ctx,
    { placeId: 'oak', sourceId: source },
    { kind: 'points', fields: [], query: {}, versions: { [source]: version }, ...changes },
  )

/** Whole: every zoom from 0 to 14, and more places. */
const zooms = isFullRun ? Array.from({ length: 15 }, (_, z) => z) : [0, 3, 8, 9, 10, 14]
const questions: [name: string, filters: unknown, meets: (spot: Spot) => boolean][] = [
  ['nothing', undefined, () => true],
  ['a facet', { 'data.kind': 'fire' }, ({ kind }) => kind === 'fire'],
  ['a facet without a value', { 'data.kind': null }, ({ kind }) => kind === undefined],
  [
    'a facet, in many words',
    { $or: [{ 'data.kind': { $iLike: 'N%' } }, { 'data.kind': '' }] },
    ({ kind }) => kind === 'noise' || kind === '',
  ],
  ['a facet of yes and no', { 'data.isOpen': { $ne: true } }, ({ isOpen }) => isOpen === false],
  [
    'two fields',
    { 'data.kind': 'tree', 'data.isOpen': true },
    ({ kind, isOpen }) => kind === 'tree' && isOpen === true,
  ],
  ['a number', { 'data.amount': { $lt: 30 } }, ({ amount }) => amount < 30],
  // The query of a map's time slider: the end is exclusive.
  [
    'months of instants',
    { 'data.at': { $gte: '2025-03-01T00:00:00Z', $lt: '2025-06-01T00:00:00Z' } },
    ({ at }) => at !== undefined && /^2025-0[345]/.test(at),
  ],
  [
    'months of days of the calendar',
    { 'data.day': { $gte: '2025-12-01', $lt: '2026-02-01' } },
    ({ day }) => day !== undefined && /^(2025-12|2026-01)/.test(day),
  ],
]

describe.each(questions)(`points filtered by %s (SEED=${seed})`, (_, filters, meets) => {
  test.each(zooms)('zoom %i counts every record in exactly one tile', async (z) => {
    const matches = allSpots.filter((spot) => keys.has(spot.id) && meets(spot))
    const places = toTiles([...keys.values()], z)
    const counts = await Promise.all(
      places.map(async (place) => {
        const bytes = await ask({ tile: place, query: { filters } })
        return [`${place.x}/${place.y}`, countIn(bytes)] as const
      }),
    )
    const expected = new Map(places.map(({ x, y }) => [`${x}/${y}`, 0]))
    for (const { id } of matches) {
      const [place] = toTiles([keys.get(id) ?? 0], z)
      const name = `${place?.x}/${place?.y}`
      expected.set(name, (expected.get(name) ?? 0) + 1)
    }
    totals.tiles += counts.length
    totals.records += matches.length
    expect(new Map(counts)).toEqual(expected)
    const total = [...expected.values()].reduce((sum, n) => sum + n, 0)
    expect(total).toBe(matches.length)
  })
})

test.each([3, 9, 10])('zoom %i: the circles of tiles equal those of data/cluster', async (zoom) => {
  const within = { xmin: -122.5, ymin: 47.5, xmax: -122.2, ymax: 47.7 }
  const { features } = await cluster(ctx, { placeId: 'oak', sourceId: source }, { zoom, within })
  const reversedBox = { xmin: within.xmax, ymin: within.ymax, xmax: within.xmin, ymax: within.ymin }
  const again = await cluster(ctx, { placeId: 'oak', sourceId: source }, { zoom, within: reversedBox })
  expect(again.features).toEqual(features)
  const tiles = toTiles([...keys.values()], zoom)
  const circles = new Map<number, number>()
  for (const place of tiles)
    for (const { properties } of layersIn(await ask({ tile: place }))['clusters'] ?? [])
      circles.set(Number(properties['cluster_id']), Number(properties['point_count']))
  const same = features.filter(({ properties }) => circles.has(Number(properties?.cluster_id)))
  expect(same.length).toBeGreaterThan(0)
  for (const { properties } of same)
    expect(circles.get(Number(properties?.cluster_id))).toBe(properties?.point_count)
})

test('a tile of few records shows each one at its place, with the requested fields', async () => {
  const [place] = toTiles([keys.get('2950') ?? 0], 14)
  if (!place) throw new Error('There is such a record.')
  const { points = [], clusters } = layersIn(
    await ask({ tile: place, fields: ['kind', 'note', 'amount', 'isOpen'] }),
  )
  expect(clusters).toBeUndefined()
  const table = await sql<{ id: string; note: string }>`
    select id::text as id, f_note as note from ${dataTable(tableNameFor('spot'))}`.execute(
    ctx.db.withoutPlugins(),
  )
  const noteById = new Map(table.rows.map(({ id, note }) => [id, note]))
  for (const point of points) {
    const { id, ...data } = point.properties
    expect(point.id).toBe(Number(id))
    const note = noteById.get(String(id)) ?? ''
    expect(data['data.note']).toBe(note.length > 100 ? `${note.slice(0, 99)}…` : note)
    const spot = allSpots.find((each) => each.note === note)
    expect(data['data.kind']).toBe(spot?.kind)
    expect(data['data.amount']).toBe(spot?.amount)
    expect(data['data.isOpen']).toBe(spot?.isOpen)
    const { x, y } = deinterleave(keys.get(spot?.id ?? '') ?? 0)
    const [at] = point.loadGeometry()[0] ?? []
    const side = 2 ** (keyLevel - place.z)
    expect(Math.abs((at?.x ?? 0) / 4096 - (x - place.x * side + 0.5) / side)).toBeLessThan(1 / 2048)
    expect(Math.abs((at?.y ?? 0) / 4096 - (y - place.y * side + 0.5) / side)).toBeLessThan(1 / 2048)
  }
})

test('a tile has the same bytes each time, and is missing where it would be empty', async () => {
  const place = { z: 3, x: 1, y: 2 }
  const [one, two] = await Promise.all([ask({ tile: place }), ask({ tile: place })])
  expect(one).toEqual(two)
  const empty = { z: 14, x: 9000, y: 12_345 }
  expect(toTiles([...keys.values()], 14)).not.toContainEqual(empty)
  expect(await ask({ tile: empty })).toBeNull()
  for (const z of [18, 22]) {
    const places = toTiles([...keys.values()].slice(0, 3), z)
    for (const each of places) expect(countIn(await ask({ tile: each }))).toBeGreaterThan(0)
  }
})

describe('rejected', () => {
  const place = { z: 0, x: 0, y: 0 }

  test('outdated versions', async () => {
    for (const versions of [
      { [source]: version - 1 },
      { [source]: version + 1 },
      {},
      { [source]: version, more: 1 },
    ])
      await expect(ask({ tile: place, versions })).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('invalid fields and filters, and questions that depend on the current time', async () => {
    const now = { function: 'gte', arguments: [{ field: 'data.at' }, { function: 'now' }] }
    for (const changes of [
      { fields: ['location'] },
      { fields: ['__proto__'] },
      { query: { filters: { 'data.nothing': 1 } } },
      { query: { filters: { 'data.amount': 'many' } } },
      { query: { filters: now } },
    ])
      await expect(ask({ tile: place, ...changes })).rejects.toMatchObject({ kind: 'invalid' })
  })

  test('private sources, or sources of another place', async () => {
    const hidden = await world.source('spot', 'place')
    for (const scope of [
      { placeId: 'oak', sourceId: hidden },
      { placeId: 'elm', sourceId: source },
    ])
      await expect(
        tile(world.as(system), scope, {
          kind: 'points',
          tile: place,
          fields: [],
          query: {},
          versions: { [hidden]: 0 },
        }),
      ).rejects.toMatchObject({ kind: 'notFound' })
  })

  test('a filter below zoom 10 that stored counts cannot answer, with a helpful message', async () => {
    const db = world.as(system).db
    const large = await world.source('spot', 'public')
    await ingest(world.as(system), large, allSpots.slice(0, 50))
    // Simulates many records: the stored counts decide.
    await db.updateTable('sourceStat').set({ count: 5_000_000 }).where('sourceId', '=', large).execute()
    await db.updateTable('clusterPyramid').set({ n: 100_000 }).where('sourceId', '=', large).execute()
    const scope = { placeId: 'oak', sourceId: large }
    const filters = { 'data.amount': { $lt: 30 } }
    const request = { kind: 'points', fields: [], versions: { [large]: 1 } } as const
    const message =
      'There are too many records to filter at this zoom. Zoom in to 10 or more, or filter by one of these alone: data.kind, data.isOpen.'
    const refusal = { kind: 'invalid', issues: [{ path: ['filters'], message }] }
    await expect(
      tile(ctx, scope, { ...request, tile: { z: 2, x: 0, y: 1 }, query: { filters } }),
    ).rejects.toMatchObject(refusal)
    await expect(cluster(ctx, scope, { zoom: 2, filters })).rejects.toMatchObject(refusal)
    const [close] = toTiles([keys.get('10') ?? 0], 12)
    expect(close).toBeDefined()
    if (close) await tile(ctx, scope, { ...request, tile: close, query: { filters } })
    const kinds = await cluster(ctx, scope, { zoom: 2, filters: { 'data.kind': 'fire' } })
    expect(kinds.meta.total).toBe(allSpots.slice(0, 50).filter(({ kind }) => kind === 'fire').length)
  })
})

test('all sources of a data type make one map', async () => {
  const second = await world.source('spot', 'public', 'elm')
  const third = await world.source('spot', 'public', 'elm')
  const hidden = await world.source('spot', 'place', 'elm')
  for (const [i, each] of [second, third, hidden].entries())
    await ingest(world.as(system), each, allSpots.slice(i * 10, i * 10 + 30))
  const versions = { [second]: 1, [third]: 1 }
  const request = {
    kind: 'points',
    tile: { z: 0, x: 0, y: 0 },
    fields: ['kind'],
    query: {},
    versions,
  } as const
  const scope = { placeId: 'elm', dataTypeId: 'spot' }
  expect(countIn(await tile(ctx, scope, request))).toBe(60)
  expect(countIn(await tile(ctx, scope, { ...request, query: { filters: { 'data.kind': 'tree' } } }))).toBe(
    [...allSpots.slice(0, 30), ...allSpots.slice(10, 40)].filter(({ kind }) => kind === 'tree').length,
  )
  const more = { ...versions, [hidden]: 1 }
  await expect(tile(world.as(system), scope, { ...request, versions: more })).rejects.toMatchObject({
    kind: 'unavailable',
  })
})
