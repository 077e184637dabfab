import type { Position } from 'geojson'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { call } from '#functions/api/call.ts'
import { box, collection } from '#functions/domain/boundary/sets.testing.ts'
import { writeColumnFile } from '#functions/domain/dataset/column-file.ts'
import { placeState } from '#functions/domain/place/place-state.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { writePlaceState } from '#functions/edge/hub/place-state.ts'
import { tableContent, tableIn } from '#functions/edge/hub/serve-table.ts'
import { columnFileKey, stateName } from '#functions/engine/export/prepared/manifest.ts'
import { boundaryKey, outlinesKey } from '#functions/engine/tile/manifest.ts'
import type { Locale } from '#functions/shapes/locale.ts'
import { v1 } from './index.ts'
import { serveV1 } from './serve.ts'
import { isCrossSection } from './testing/figures.testing.ts'

/** A table is narrowed to an area of a set: by the edge where the places are points, by `/v1` where they are not. */
const hubs = memoryBucket()
const files = memoryBucket()
const tiles = memoryBucket()
const zone = 'America/New_York'
let world: TestWorld
let requestedPaths: string[] = []

/** A seeded random number below 1. */
let seed = 7
const random = () => (seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296) / 4_294_967_296

/** A coast with thousands of corners: pictures have a coarser one. */
const corners = isCrossSection ? 12_000 : 40_000
const coast: Position[] = Array.from({ length: corners + 1 }, (_, i) => {
  const angle = (2 * Math.PI * (i % corners)) / corners
  const radius = 0.6 + 0.15 * Math.sin(41 * angle) + 0.2 * Math.sin(9_973 * angle)
  return [3 + radius * Math.cos(angle), 3 + radius * Math.sin(angle)]
})
const wards = collection(
  [{ NAME: 'North', CODE: 'N' }, box(0, 1)],
  [{ NAME: 'Southend', CODE: 'S' }, box(0, 0)],
  [{ NAME: 'South Beach', CODE: 'B' }, box(1, 0)],
  [
    { NAME: 'Coast', CODE: 'C' },
    { type: 'Polygon', coordinates: [coast] },
  ],
)
const countries = collection(
  [{ gid: 'country-528', code: 'NLD', name: 'Netherlands', 'name:de': 'Niederlande' }, box(0, 0, 2)],
  [{ gid: 'country-056', code: 'BEL', name: 'Belgium' }, box(2, 2, 2)],
)

const sources = [
  { id: 'spots', type: 'spot', rows: 3000, field: 'point' },
  { id: 'ways', type: 'way', rows: 200, field: 'line' },
  { id: 'words', type: 'word', rows: 30, field: null },
] as const

function createGeometry(field: 'point' | 'line') {
  const generatePosition = () => [random() * 4, random() * 4]
  return field === 'point'
    ? { type: 'Point', coordinates: generatePosition() }
    : { type: 'LineString', coordinates: [generatePosition(), generatePosition()] }
}

const spots: object[] = []
let ids: Record<'wards' | 'secret' | 'far', string>
beforeAll(async () => {
  world = await openWorld(city)
  await tiles.put(boundaryKey('world-countries'), JSON.stringify(countries))
  const ctx = world.as('system', { tiles })
  const admin = world.as('super_admin', { tiles })
  const make = async (placeId: string, name: string, visibility: string) => {
    const data = { name, geojson: wards, visibility }
    const set = await call(v1.place.boundarySet.create, admin, { params: { placeId }, data })
    return set.id
  }
  ids = {
    wards: await make('oakton', 'Wards', 'public'),
    secret: await make('oakton', 'Secret wards', 'private'),
    far: await make('elmsford', 'Far wards', 'public'),
  }
  for (const { id, type, rows, field } of sources) {
    const schema = JSON.stringify({
      name: { name: 'Name', type: 'text' },
      ...(field && { place: { name: 'Place', type: field } }),
    })
    await ctx.db.insertInto('dataType').values({ id: type, name: type, schema, createdBy: null }).execute()
    const source = { id, name: id, placeId: 'oakton', dataTypeId: type, visibility: 'public' as const }
    await ctx.db
      .insertInto('source')
      .values({ ...source, createdBy: null })
      .execute()
    const records = Array.from({ length: rows }, (_, i) => ({
      name: `${id} ${i}`,
      ...(field && { place: createGeometry(field) }),
    }))
    if (id === 'spots') spots.push(...records.map(({ place }) => place as object))
    await ingest(ctx, id, records)
  }
  const state = await placeState(ctx, 'oakton')
  if (!state) throw new Error('There is no state of the place.')
  await writePlaceState(hubs, state)
  for (const { id, rows } of sources) {
    const { version = 0, dataType = '' } = state.sources[id] ?? {}
    const file = await writeColumnFile(ctx, id, { version, rows })
    const key = columnFileKey(id, stateName(version, state.dataTypes[dataType] ?? 0, zone))
    await files.put(key, file ?? new Uint8Array())
  }
}, 240_000)
afterAll(() => world.close())

const api = (path: string) =>
  serveV1(new Request(`http://localhost:8787${path}`), world.as('anonymous', { tiles }))

async function open(source: string, search: Record<string, string>, locale: Locale = 'en') {
  const address = tableIn(`/domains/x/source/${source}/data`)
  if (!address) throw new Error('This is no address of a table.')
  requestedPaths = []
  const content = await tableContent(
    address,
    new URLSearchParams(search),
    { name: 'Spots', path: '/t', placeId: 'oakton', locale },
    {
      ...{ hubs, files, tiles, origin: 'http://localhost' },
      ask(path) {
        requestedPaths.push(path)
        return api(path)
      },
    },
  )
  if (!content) throw new Error('There is no table.')
  const { html } = content
  const count = /<p class="table-count"[^>]*>([^<]*)<\/p>/.exec(html)?.[1] ?? ''
  const chips = [
    ...(/<ul class="table-chosen">(.*?)<\/ul>/.exec(html)?.[1]?.matchAll(/>([^<]+) <span/g) ?? []),
  ]
  return {
    ...content,
    total: Number(/([\d,]+)\D*$/.exec(count)?.[1]?.replaceAll(',', '') ?? NaN),
    chips: chips.map(([, text]) => text),
    choices: [...html.matchAll(/<a rel="nofollow" href="\/t\?([^"]*)"><bdi>([^<]*)<\/bdi>/g)].map(
      ([, href = '', name = '']) => ({
        name,
        params: Object.fromEntries(new URLSearchParams(href.replaceAll('&amp;', '&'))),
      }),
    ),
    sets: [
      ...(/<select id="set"(.*?)<\/select>/.exec(html)?.[1] ?? '').matchAll(/<option value="([^"]+)"/g),
    ].map(([, id]) => id),
    problem: /<p id="within-problem"[^>]*>([^<]*)/.exec(html)?.[1],
    csv: /href="([^"]*export\.csv[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '',
  }
}

/** The number of records that `/v1` has within an area. */
async function answered(source: string, boundarySetId: string, area: string): Promise<number> {
  const within = encodeURIComponent(JSON.stringify({ boundarySetId, area }))
  const response = await api(`/v1/places/oakton/sources/${source}/data?within=${within}&count=exact&limit=1`)
  return ((await response.json()) as { meta: { total: number } }).meta.total
}

describe('a table of points', () => {
  test.each([
    ['an own area', 'wards', 'N'],
    ['a country', 'world-countries', 'BEL'],
  ])('has the records of %s without the database, the same as /v1', async (_, set, area) => {
    const setId = set === 'wards' ? ids.wards : set
    const page = await open('spots', { set: setId, area })
    expect(page.status).toBe(200)
    expect(requestedPaths).toEqual([])
    expect(page.total).toBeGreaterThan(50)
    expect(page.total).toBe(await answered('spots', setId, area))
    expect(page.isWhole).toBe(false)
  })

  test('has the records of an area with more corners than pictures have, the same as PostGIS', async () => {
    const page = await open('spots', { set: ids.wards, area: 'C' })
    expect(requestedPaths).toEqual([])
    // By itself: /v1 may take longer than its limit for so many corners.
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from unnest(${spots.map((spot) => JSON.stringify(spot))}::text[]) spot
      join boundary_set_area a on a.boundary_set_id = ${ids.wards} and a.code = 'C'
        and ST_Intersects(a.area, ST_SetSRID(ST_GeomFromGeoJSON(spot), 4326))`.execute(world.as('system').db)
    expect(page.total).toBe(rows[0]?.n)
    expect(page.total).toBeGreaterThan(50)
  })

  test('offers the sets of the place first, and no private or foreign ones', async () => {
    const { sets, html } = await open('spots', {})
    expect(sets).toEqual([ids.wards, 'us-states', 'us-counties', 'world-countries'])
    expect(html).not.toContain('Secret')
    expect(html).not.toContain(ids.far)
  })

  test('takes a name in one step, keeps other conditions, and narrows files', async () => {
    const page = await open('spots', { set: ids.wards, area: 'southend', q: 'spots 1' })
    expect(page.chips).toEqual(['“spots 1”', 'Within Southend'])
    expect(page.csv).toContain('within=')
    const csv = await (await api(page.csv)).text()
    expect(csv.trim().split('\n')).toHaveLength(page.total + 1)
    const other = await open('spots', { area: 'Niederlande' }, 'de')
    expect(other.chips).toEqual(['In Niederlande'])
    expect(other.total).toBe(await answered('spots', 'world-countries', 'NLD'))
  })

  test('lists the areas of a set, and those with a part of the name, each one link away', async () => {
    const page = await open('spots', { set: ids.wards, sort: '-name' })
    expect(page.choices.map(({ name }) => name)).toEqual(['Coast', 'North', 'South Beach', 'Southend'])
    expect(page.choices[0]?.params).toEqual({ sort: '-name', set: ids.wards, area: 'C' })
    const part = await open('spots', { area: 'south' })
    expect(part.choices.map(({ params }) => params.area)).toEqual(['B', 'S'])
    expect([part.status, part.problem]).toEqual([200, undefined])
  })

  test('offers the areas among the records first, and takes the only one of a name there', async () => {
    const county = (code: string, west: number) =>
      [{ gid: `us-county-${code}`, code, name: 'King' }, west] as const
    const counties = [county('53033', 1), county('48269', 100)].map(
      ([properties, west]): [object, ReturnType<typeof box>] => [properties, box(west, 1)],
    )
    await tiles.put(boundaryKey('us-counties'), JSON.stringify(collection(...counties)))
    const page = await open('spots', { area: 'king' })
    expect(page.chips).toEqual(['Within King, WA'])
    expect(page.total).toBe(await answered('spots', 'us-counties', '53033'))
    expect((await open('spots', { area: 'King, TX' })).chips).toEqual(['Within King, TX'])
    expect((await open('spots', { set: 'us-counties' })).choices.map(({ name }) => name)).toEqual([
      'King, WA',
    ])
    await tiles.delete(boundaryKey('us-counties'))
  })

  test('says at the filter what is unknown, and keeps what was typed and chosen', async () => {
    const page = await open('spots', { set: ids.wards, area: 'Atlantis <b>', q: 'spots 1' })
    expect(page.status).toBe(400)
    expect(page.problem).toContain('No area is called “Atlantis &lt;b&gt;” here')
    expect(page.html).toContain('value="Atlantis &lt;b&gt;"')
    expect(page.chips).toEqual(['“spots 1”'])
    expect(page.choices).toHaveLength(4)
  })

  test('a private set, one of another place and none at all are the same to a reader', async () => {
    const [none, secret, far] = await Promise.all(
      ['nothing-here', ids.secret, ids.far].map((set) => open('spots', { set, area: 'N' })),
    )
    for (const [set, page] of [
      [ids.secret, secret],
      [ids.far, far],
    ] as const) {
      expect(page?.status).toBe(400)
      expect(page?.html.replaceAll(set, 'nothing-here')).toBe(none?.html)
    }
    expect(requestedPaths).toEqual([])
  })

  test('asks /v1 where the outline at hand is of another edition', async () => {
    const storedOutlines = await tiles.get(outlinesKey(ids.wards))
    const bytes = new Uint8Array((await storedOutlines?.arrayBuffer()) ?? new ArrayBuffer(0))
    const text = new TextDecoder().decode(bytes.subarray(0, 40)).indexOf('"edition":1') + '"edition":'.length
    const other = bytes.slice()
    other[text] = '9'.charCodeAt(0)
    await tiles.put(outlinesKey(ids.wards), other)
    const page = await open('spots', { set: ids.wards, area: 'N' })
    expect(requestedPaths).toHaveLength(1)
    expect(page.total).toBe(await answered('spots', ids.wards, 'N'))
    await tiles.put(outlinesKey(ids.wards), bytes)
  })
})

test('lines are narrowed by /v1', async () => {
  const page = await open('ways', { set: ids.wards, area: 'N' })
  expect(requestedPaths).toHaveLength(1)
  expect(page.total).toBe(await answered('ways', ids.wards, 'N'))
  expect(page.total).toBeGreaterThan(0)
})

test('a table without places has no such filter', async () => {
  const page = await open('words', { set: ids.wards, area: 'N' })
  expect([page.status, page.total]).toEqual([200, 30])
  expect(page.html).not.toContain('name="area"')
})

test('a set that is withdrawn takes its outlines along', async () => {
  const params = { placeId: 'oakton', boundarySetId: ids.wards }
  const change = (visibility: string) =>
    call(v1.place.boundarySet.updateById, world.as('super_admin', { tiles }), {
      params,
      data: { visibility },
    })
  await change('private')
  expect(await tiles.head(outlinesKey(ids.wards))).toBeNull()
  await change('public')
  expect(await tiles.head(outlinesKey(ids.wards))).not.toBeNull()
})
