import { allLanguages } from '#functions/shapes/locale.ts'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hubSource } from './hub-source.server.ts'
import { insightMap } from './insight-map.server.ts'
import { livePlaceMap, placeMap } from './place-map.server.ts'
import { liveSourceMap, sourceMap } from './source-map.server.ts'
import type { MapData } from '#app/islands/map-data.ts'
import { call } from '#functions/api/call.ts'
import { processTiles } from '#functions/domain/boundary/set-tiles.ts'
import type { Site } from '#functions/context.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
const tiles = memoryBucket()
const schema = {
  name: { name: 'Name', type: 'text' },
  kind: { name: 'Kind', type: 'text' },
  ward: { name: 'Ward', type: 'text' },
  state: { name: 'State', type: 'text' },
  where: { name: 'Where', type: 'point' },
}
const square = (west: number, south: number) => [
  [
    [west, south],
    [west + 1, south],
    [west + 1, south + 1],
    [west, south + 1],
    [west, south],
  ],
]
const region = (gid: string, name: string, west: number, south: number) => ({
  type: 'Feature',
  properties: { gid, name, parent: 'us-nation' },
  geometry: { type: 'Polygon', coordinates: square(west, south) },
})

beforeAll(async () => {
  world = await openWorld(city)
  const { db } = world.as('system')
  const area = 'SRID=4326;MULTIPOLYGON(((-74 40,-73 40,-73 41,-74 41,-74 40)))'
  const state = { code: '36', name: 'New York', type: 'state' as const, parentId: null, area }
  await db
    .insertInto('boundary')
    .values({ id: 'us-state-36', ...state })
    .execute()
  const labels = JSON.stringify({ kind: 'What grows here' })
  const spot = { id: 'spot', name: 'Spot', schema: JSON.stringify(schema), mappingLabelSchema: labels }
  await db
    .insertInto('dataType')
    .values({ ...spot, ownerPlaceId: null })
    .execute()
  const source = { placeId: 'oakton', dataTypeId: 'spot', createdBy: null }
  const admin = world.as('organization_admin')
  for (const [id, visibility] of [
    ['parks', 'public'],
    ['depots', 'place'],
    ['vaults', 'private'],
  ] as const) {
    await db
      .insertInto('source')
      .values({ ...source, id, name: `The ${id}`, visibility })
      .execute()
    const records = [1, 2, 3].map((n) => ({
      id: `${id}-${n}`,
      ...{ name: `${id} no ${n}`, kind: 'Oak', ward: 'North', state: 'New York' },
      ...(n === 3 ? {} : { where: { type: 'Point', coordinates: [-73.2 - n / 10, 40.5] } }),
    }))
    await call(v1.source.datum.create, world.as('super_admin'), { params: { sourceId: id }, data: records })
  }
  await call(v1.place.updateById, admin, {
    params: { placeId: 'oakton' },
    data: {
      ...{ boundaryId: 'us-state-36', allStatesBoundaryId: 'us-states' },
      mapConfiguration: { layerColor: '#1d4f91', showStateLabel: true },
    },
  })
  const features = [region('us-state-36', 'New York', -74, 40), region('us-state-34', 'New Jersey', -75, 40)]
  await tiles.put('boundaries/us-states.geojson', JSON.stringify({ type: 'FeatureCollection', features }))
  const set = { name: 'us', hash: '0123456789ab', bounds: [-180, 17, -65, 72], minZoom: 0, maxZoom: 8 }
  const layers = ['state', 'state_line', 'state_label', 'county', 'county_line', 'county_label']
  await tiles.put(
    'manifest.json',
    JSON.stringify({ sets: [{ ...set, attribution: 'x', layers }], boundaries: [] }),
  )
})
afterAll(() => world.close())

const hub = {
  ...{ mode: 'hub', placeId: 'oakton', host: 'oakton.hub.test', origin: 'https://oakton.hub.test' },
  ...{ canonicalHost: 'oakton.hub.test', locale: 'en', languages: allLanguages },
} as Site

function buildArgs(person: Person, changes: object = {}) {
  const ctx = world.as(person, { tiles, ...changes })
  return {
    request: new Request('http://localhost:8787/map'),
    params: {},
    context: { ctx, nonce: '' },
  } as unknown as LoaderFunctionArgs
}

/** The page of a hub visitor, its files and its dependencies. */
async function visit() {
  const files: string[] = []
  const attach = async (_type: string, body: string) => `/f/${files.push(body)}`
  const args = buildArgs('anonymous', { site: hub, placeId: 'oakton', attach })
  const page = await placeMap(args)
  const { depends } = args.context.ctx
  return { page, files, live: JSON.parse(files[0] ?? 'null') as MapData, depends: [...depends] }
}

test('the hub’s map has the boundary and the public sources with their records, and nothing private', async () => {
  const { page, files, live, depends } = await visit()
  expect(page).toMatchObject({
    title: 'Map of Oakton',
    map: { mapHref: '/f/1' },
    names: { key: 'names', isOn: true },
    layers: [{ key: 'layer-1', name: 'The parks', fill: 'var(--cat-1)', href: '/domains/spot/source/parks' }],
  })
  expect(page.map?.svg).toContain('var(--map-layer)')
  expect(page.map?.svg).toContain('New York')
  expect(page.map?.svg).toContain('class="map-layer-1"')
  expect(JSON.stringify(page) + files.join()).not.toMatch(/depots|vaults/)
  expect(live.bounds).toEqual([-74, 40, -73, 41])
  expect(live.style.sources['points-layer-1']).toMatchObject({
    tiles: [
      expect.stringMatching(
        /^\/t\/points\/oakton\/source\/parks@\d+\/\{z\}\/\{x\}\/\{y\}\.mvt\?fields=name%2Ckind$/,
      ),
    ],
  })
  // The page is rendered again when one of these changes.
  expect(depends).toEqual(expect.arrayContaining(['place:oakton', 'sources:oakton', 'source:parks']))
})

test('the layer colour is the stored one, adjusted to be visible in each theme', async () => {
  const { live } = await visit()
  const getBoundaryColour = (style: MapData['style']) =>
    (style.layers.find(({ id }) => id === 'boundary-line')?.paint as { 'line-color': string })['line-color']
  expect(getBoundaryColour(live.style)).toBe('#1d4f91')
  expect(getBoundaryColour(live.darkStyle ?? live.style)).toMatch(/^#(?!1d4f91)[0-9a-f]{6}$/)
})

test('list and pop-up use the map labels of fields', async () => {
  const { page, live } = await visit()
  expect(page.layers?.[0]).toMatchObject({
    count: '3 records',
    countNote: '2 of 3 are listed here.',
    items: [
      { name: 'parks no 1', value: 'What grows here: Oak' },
      { name: 'parks no 2', value: 'What grows here: Oak' },
    ],
  })
  expect(live.records?.[0]?.popup).toEqual([{ property: 'data.kind', label: 'What grows here' }])
  const keys = page.layers?.[0]?.items.map(({ key }) => key)
  expect(live.points?.map(({ key, lines }) => [key, lines])).toEqual(
    keys?.map((key) => [key, ['What grows here: Oak']]),
  )
})

test('every switch of the page controls existing layers, and every record layer has a switch', async () => {
  const { page, live } = await visit()
  const ids = live.style.layers.map(({ id }) => id)
  const switched = Object.values(live.switches ?? {}).flat()
  expect(Object.keys(live.switches ?? {})).toEqual(['layer-1', page.names?.key])
  expect(ids).toEqual(expect.arrayContaining(switched))
  expect(ids.filter((id) => /-layer-\d|-label$/.test(id)).sort()).toEqual([...switched].sort())
})

test('in the workspace the map has the sources visible to the person; private ones as records, not as tiles', async () => {
  const listLayerNames = async (person: Person) =>
    ((await placeMap(buildArgs(person))).layers ?? []).map(({ name }) => name)
  expect(await listLayerNames('organization_admin')).toEqual(
    expect.arrayContaining(['The depots', 'The parks']),
  )
  expect(await listLayerNames('stranger')).not.toContain('The depots')
  const page = await placeMap(buildArgs('organization_admin'))
  expect(page.map?.mapHref).toBe('/map/live')
  expect(page.layers?.[0]).toMatchObject({ name: 'The depots', href: '/sources/depots' })
  const live = await livePlaceMap(buildArgs('organization_admin'))
  expect(live?.style.sources['points-layer-1']).toMatchObject({
    data: {
      features: [{ properties: { 'data.name': 'depots no 1', 'data.kind': 'Oak' } }, expect.anything()],
    },
  })
  expect(JSON.stringify(live)).not.toContain('/source/depots@')
})

test('the map of an insight says how many of its rows are listed, if not all', async () => {
  const admin = world.as('organization_admin')
  const fields = ['name', 'where'].map((key) => ({ alias: key, value: { field: `data.${key}` } }))
  const readMapList = async (limit: number) => {
    const query = { aggregations: fields, groupings: fields.map(({ value }) => value), limit }
    const { id } = (await call(v1.insight.create, admin, {
      data: {
        ...{ name: `First ${limit}`, placeId: 'oakton', dataTypeId: 'spot', sourceId: 'parks' },
        ...{ visibility: 'public', query },
        visualization: { type: 'map', settings: { geometry: 'where' } },
      },
    })) as { id: string }
    const args = buildArgs('anonymous', { site: hub, placeId: 'oakton', attach: async () => '/f' })
    const { title, items, left } = await insightMap(args, { locale: 'en', timeZone: 'UTC' })
    await call(v1.insight.deleteById, admin, { params: { insightId: id } })
    return [title, items.length, left]
  }
  // One of the three has no position.
  expect(await readMapList(10)).toEqual(['First 10', 2, undefined])
  expect((await readMapList(1)).at(-1)).toMatch(/^[01] of 3 are listed here\.$/)
})

test('a public result by region colours the regions, with legend, list and switch, also live', async () => {
  const admin = world.as('organization_admin')
  const insightData = {
    ...{ name: 'Trees by state', dataTypeId: 'spot', sourceId: 'parks' },
    visualization: { type: 'map', settings: { region: 'state', boundarySetId: 'us-states' } },
    query: {
      aggregations: [
        { alias: 'state', value: { field: 'data.state' } },
        { alias: 'trees', name: 'Trees', value: { function: 'count' } },
      ],
      groupings: [{ field: 'state' }],
    },
  }
  const create = (visibility: string, changes: object) =>
    call(v1.insight.create, admin, { data: { ...insightData, placeId: 'oakton', visibility, ...changes } })
  await create('place', { name: 'Not for all' })
  await create('public', {
    visualization: { type: 'map', settings: { region: 'state', boundarySetId: 'us-counties' } },
  })
  expect((await visit()).page.layers?.map(({ key }) => key)).toEqual(['layer-1'])
  const insight = (await create('public', {})) as { id: string }

  const { page, live, depends } = await visit()
  expect(page.layers?.map(({ key }) => key)).toEqual(['values', 'layer-1'])
  expect(page.layers?.[0]).toMatchObject({
    ...{ name: 'Trees by state', href: '/domains/spot/source/parks' },
    items: [{ key: 'us-state-36', name: 'New York', value: '3' }],
  })
  // Its colours are in the legend; no single one stands for it.
  expect(page.layers?.[0]).not.toHaveProperty('fill')
  expect(page.map?.legend).toMatchObject({ unit: 'Trees by state', classes: [{ label: '3' }], missing: 1 })
  expect(page.map?.svg).toMatch(/<g class="map-values">.*fill="var\(--seq-4\)"[^>]*><title>New York: 3</)
  expect(page.map?.svg).toContain('<title>New Jersey: No data</title>')
  // What is said of the records is said of their layer, which is not shown at first.
  expect(page.map?.note).toEqual([
    { layer: 'layer-1', text: expect.stringMatching(/^1 record is not in this picture/) },
  ])
  // The boundary is only a line: a fill would alter the colours of the legend.
  expect(page.map?.svg).not.toContain('fill="var(--map-layer)"')
  expect(page.map?.svg).toContain('stroke="var(--map-layer)"')
  expect(depends).toEqual(expect.arrayContaining(['insights:oakton', `insight:${insight.id}`]))
  expect(live.values).toEqual({ source: 'set-us', sourceLayer: 'state', byKey: { 'us-state-36': 3 } })
  expect(live.switches?.values).toEqual(['choropleth', 'choropleth-none'])
  const ids = live.style.layers.map(({ id }) => id)
  expect(ids).toContain('choropleth')
  expect(ids.indexOf('choropleth')).toBeLessThan(ids.indexOf('point-layer-1'))
  expect(ids).not.toContain('boundary')
  expect(live.points?.[0]).toMatchObject({ key: 'us-state-36', name: 'New York', value: '3' })
})

test('areas of an own public set are drawn as the place, static and live, with the borders of that set', async () => {
  const change = (data: object) =>
    call(v1.place.updateById, world.as('organization_admin', { tiles }), {
      params: { placeId: 'oakton' },
      data,
    })
  const areas = [
    ['North', -74, 41],
    ['South', -74, 40],
  ] as const
  const geojson = {
    type: 'FeatureCollection' as const,
    features: areas.map(([name, west, south]) => ({
      type: 'Feature',
      properties: { name },
      geometry: { type: 'Polygon', coordinates: square(west, south) },
    })),
  }
  const boundarySetData = { name: 'Wards', visibility: 'public', origin: 'City <b>clerk</b>', geojson }
  const admin = world.as('organization_admin', { tiles })
  const { id } = await call(v1.place.boundarySet.create, admin, {
    params: { placeId: 'oakton' },
    data: boundarySetData,
  })
  const one = { params: { placeId: 'oakton', boundarySetId: id } }
  await call(v1.place.boundarySet.updateById, admin, {
    ...one,
    data: { nameField: 'name', codeField: 'name' },
  })
  await change({ ownBoundary: { boundarySetId: id, area: 'South' }, allStatesBoundaryId: id })
  // Before its tiles are built the picture shows it, and the live map has the rest.
  expect((await visit()).live.style.sources).not.toHaveProperty(`set-${id}`)
  await processTiles(world.as('system', { tiles }))

  const { page, live, depends } = await visit()
  expect(page.map?.svg).toContain('var(--map-layer)')
  expect(page.map?.svg).toContain('>South</text>')
  expect(live.bounds).toEqual([-74, 40, -73, 41])
  expect(live.style.sources[`set-${id}`]).toMatchObject({
    url: expect.stringMatching(new RegExp(`^pmtiles:///a/sets/${id}/[0-9a-f]{12}\\.pmtiles$`)),
    attribution: 'City &lt;b&gt;clerk&lt;/b&gt;',
  })
  const findLayer = (layer: string) => live.style.layers.find((each) => each.id === layer)
  expect(findLayer('boundary-line')).toMatchObject({
    ...{ source: `set-${id}`, 'source-layer': 'area', filter: ['==', ['get', 'gid'], 'a2'] },
  })
  expect(findLayer(`${id}-area-line`)).toBeDefined()
  expect(live.switches?.names).toHaveLength(1)
  expect(depends).toContain('place:oakton')

  await change({ ownBoundary: { boundarySetId: id, area: null } })
  const { live: whole } = await visit()
  expect(whole.bounds).toEqual([-74, 40, -73, 42])
  const line = whole.style.layers.find((each) => each.id === 'boundary-line')
  expect(line).toMatchObject({ 'source-layer': 'area_line', filter: ['==', ['get', 'kind'], 'outer'] })
  await change({ boundaryId: 'us-state-36', allStatesBoundaryId: 'us-states' })
})

test('labels are off initially if the place says so, and a place without a map shows what it has', async () => {
  const change = (data: object) =>
    call(v1.place.updateById, world.as('organization_admin'), { params: { placeId: 'oakton' }, data })
  await change({ mapConfiguration: { showStateLabel: false } })
  expect((await visit()).page.names).toEqual({ key: 'names', isOn: false })
  await change({ boundaryId: null, allStatesBoundaryId: null })
  const { page, live } = await visit()
  expect(page.title).toBe('Map of Oakton')
  expect(page.names).toBeUndefined()
  expect(live.style.layers.some(({ id }) => id === 'boundary')).toBe(false)
  expect(live.bounds).toEqual([-73.4, 40.5, -73.3, 40.5])
  const elsewhere = await placeMap(buildArgs('stranger'))
  expect(elsewhere).toMatchObject({ items: [] })
  expect(elsewhere.map).toBeUndefined()
})

describe('the map of a source', () => {
  const buildSourceArgs = (sourceId: string, person: Person = 'organization_admin') => ({
    ...buildArgs(person),
    params: { sourceId },
  })

  const addSource = async (
    id: string,
    visibility: 'public' | 'place',
    data: object[],
    dataTypeId = 'spot',
  ) => {
    await world
      .as('system')
      .db.insertInto('source')
      .values({ id, name: id, placeId: 'oakton', dataTypeId, createdBy: null, visibility })
      .execute()
    for (let at = 0; at < data.length; at += 500)
      await call(v1.source.datum.create, world.as('super_admin'), {
        params: { sourceId: id },
        data: data.slice(at, at + 500),
      })
  }
  /** Records on a grid, several in each cluster. */
  const spread = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      name: `No ${n}`,
      where: { type: 'Point', coordinates: [-74 + (n % 20) / 20, 40 + Math.floor(n / 20) / 70] },
    }))

  const loadSourceMap = async (sourceId: string) => {
    const args = buildSourceArgs(sourceId)
    const input = { params: { sourceId }, options: { includes: [{ resource: 'dataType' }] } }
    return sourceMap(args, await call(v1.source.findById, args.context.ctx, input))
  }

  test('has its records with a position, with map labels of fields, and all of them live', async () => {
    const page = await loadSourceMap('parks')
    expect(page).toMatchObject({
      map: {
        ...{ title: 'The parks', mapHref: '/sources/parks/map/live' },
        sentence: '2 records on the map. 1 record has no place.',
        note: '',
      },
      layers: [{ key: 'layer-1', items: [{ name: 'parks no 1', value: 'What grows here: Oak' }, {}] }],
      to: expect.stringMatching(/^\/insights\/create\?q=/),
    })
    expect(page?.map.svg).toContain('class="map-layer-1"')
    const live = await liveSourceMap(buildSourceArgs('parks'))
    expect(live?.style.sources['points-layer-1']).toHaveProperty('tiles')
    expect(live?.records?.[0]?.popup).toEqual([{ property: 'data.kind', label: 'What grows here' }])
    // It opens on the records, not on the place.
    expect(live?.bounds).toEqual([-73.4, 40.5, -73.3, 40.5])
  })

  test('that is private comes as records, and is empty without permission', async () => {
    const live = await liveSourceMap(buildSourceArgs('depots'))
    expect(live?.style.sources['points-layer-1']).toHaveProperty('data')
    await expect(liveSourceMap(buildSourceArgs('vaults', 'stranger'))).rejects.toMatchObject({ status: 404 })
  })

  test('of records without tiles says how many of them the live map has', async () => {
    await addSource('many', 'place', spread(300))
    expect((await loadSourceMap('many'))?.map.note).toMatch(/The live map shows 240 of 300 records\.$/)
  })

  test('on a public page shows all records, clustered, and counts those without a position', async () => {
    await addSource('trees', 'public', [
      ...spread(1300),
      ...Array.from({ length: 7 }, (_, n) => ({ name: `None ${n}` })),
    ])
    const files: string[] = []
    const attach = async (_type: string, body: string) => `/f/${files.push(body)}`
    const loadSourcePage = async (locale: string) => {
      const args = buildArgs('anonymous', { site: { ...hub, locale } as Site, placeId: 'oakton', attach })
      return hubSource({ ...args, params: { dataTypeId: 'spot', sourceId: 'trees', placeId: 'oakton' } })
    }
    const { map } = await loadSourcePage('en')
    const circles = map?.svg.match(/<circle /g)?.length ?? 0
    expect(circles).toBeGreaterThan(10)
    expect(map?.sentence).toBe(`1,300 records in ${circles} circles. 7 records have no place.`)
    expect(map?.note).toBe('A larger circle stands for more records.')
    expect(map?.legend?.classes.length).toBeGreaterThan(0)
    for (const { label } of map?.legend?.classes ?? []) expect(label).toMatch(/^[\d,]+ records?$/)
    const live = JSON.parse(files.find((body) => body.includes('"bounds"')) ?? 'null') as MapData
    expect(live.style.sources['points-layer-1']).toHaveProperty('tiles')
    expect((await loadSourcePage('es')).map?.legend?.classes[0]?.label).toMatch(/^\d+ registros?$/)
    expect((await loadSourcePage('fr')).map?.sentence).toBe(
      `1\u202f300 enregistrements dans ${circles} cercles. 7 enregistrements n’ont pas de lieu.`,
    )
    expect((await loadSourcePage('es')).map?.sentence).toBe(
      `1300 registros en ${circles} círculos. 7 registros no tienen lugar.`,
    )
    expect((await loadSourcePage('ar')).map?.sentence).toMatch(
      /^1,300 سجل في \d+ (دائرة|دوائر)\. 7 سجلات بلا مكان\.$/,
    )
  })

  test('does not drop what a projection of the United States cannot show', async () => {
    const buildPointRecord = (id: string, coordinates: [number, number]) => ({
      ...{ id, name: id, where: { type: 'Point', coordinates } },
    })
    await addSource('far', 'place', [
      buildPointRecord('Hilo', [-155, 19.7]),
      buildPointRecord('Boston', [-71, 42.3]),
      buildPointRecord('San Juan', [-66.1, 18.4]),
    ])
    const { map } = (await loadSourceMap('far')) ?? {}
    expect(map?.sentence).toBe('3 records on the map.')
    expect(map?.svg.match(/<circle /g)).toHaveLength(3)
  })

  test('draws areas and lines as shapes; if there are too many, clusters of all, with a note', async () => {
    const { db } = world.as('system')
    const zone = { name: { name: 'Name', type: 'text' }, area: { name: 'Area', type: 'polygon' } }
    await db
      .insertInto('dataType')
      .values({ id: 'zone', name: 'Zone', schema: JSON.stringify(zone), ownerPlaceId: null })
      .execute()
    const zoneAt = (n: number) => {
      const [west, south] = [-74 + (n % 40) / 20, 40 + Math.floor(n / 40) / 20]
      const ring = [
        [west, south],
        [west + 0.04, south],
        [west + 0.04, south + 0.04],
        [west, south + 0.04],
        [west, south],
      ]
      return { name: `Zone ${n}`, area: { type: 'Polygon', coordinates: [ring] } }
    }
    const squares = (count: number) => Array.from({ length: count }, (_none, n) => zoneAt(n))
    await addSource('zones', 'place', squares(50), 'zone')
    const { map } = (await loadSourceMap('zones')) ?? {}
    expect(map?.sentence).toBe('50 records on the map.')
    expect(map?.svg.match(/<path d="M/g)).toHaveLength(50)
    expect(map?.svg).not.toContain('<circle ')
    expect(map?.note).not.toMatch(/circle/)
    expect(map?.legend).toBeUndefined()
    await addSource('many-zones', 'place', squares(1100), 'zone')
    const many = (await loadSourceMap('many-zones'))?.map
    expect(many?.sentence).toMatch(/^1,100 records in \d+ circles\.$/)
    expect(many?.note).toContain('too many or too detailed to be drawn one by one: circles stand for them.')
  })

  test('does not exist if no record has a position', async () => {
    const admin = world.as('organization_admin')
    await admin.db
      .insertInto('source')
      .values({
        id: 'bare',
        name: 'Bare',
        placeId: 'oakton',
        dataTypeId: 'spot',
        createdBy: null,
        visibility: 'place',
      })
      .execute()
    expect(await loadSourceMap('bare')).toBeNull()
  })
})
