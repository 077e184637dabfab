import { createExpression, featureFilter, validateStyleMin } from '@maplibre/maplibre-gl-style-spec'
import { expect, test } from 'vitest'
import { recordLayerIds } from './place-layers.ts'
import { hatchColour, hatchImage, hatchImageName, hatchOpacity } from './hatch.ts'
import { noDataLayer } from './layer-names.ts'
import { mapStyle, type MapSet, type MapStyleOptions } from './style.ts'

const set = {
  hash: '0123456789ab',
  bounds: [-180, -85, 180, 85] as [number, number, number, number],
  minZoom: 0,
}
const options: MapStyleOptions = {
  sets: [
    {
      ...set,
      name: 'us',
      maxZoom: 8,
      attribution: 'Census',
      layers: ['state', 'state_line', 'state_label', 'county', 'county_line', 'county_label'],
    },
    {
      ...set,
      name: 'world',
      maxZoom: 5,
      attribution: 'Natural Earth',
      layers: ['country', 'country_line', 'country_label'],
    },
  ],
  origin: 'https://data.example.org',
  dark: false,
  colours: {
    water: '#dfe8ec',
    land: '#eeebe5',
    line: '#c9c4be',
    label: '#514e58',
    halo: '#ffffff',
    data: '#bb4a15',
    onData: '#ffffff',
  },
  font: 'Public Sans',
  basemap: 'world',
}

const ground = {
  ...{ ...set, hash: 'ba9876543210', maxZoom: 15, attribution: 'Protomaps © OpenStreetMap <b>' },
  layers: ['earth', 'water', 'roads', 'boundaries', 'places'],
  isBeforeVersion4: false,
  isVector: true,
}
const boundary = { set: 'us', level: 'county', gid: 'us-county-53033', colour: '#00695c' }
const colours = { colour: '#2f75e2', onColour: '#ffffff' }
const classes = [1, 10, 20].map((from, at) => ({ from, colour: `#00000${at + 1}` }))
const trees = { key: 'layer-1', points: { tiles: '/t/points/p/source/trees@3/{z}/{x}/{y}.mvt' }, ...colours }
const ways = {
  ...{ key: 'layer-2', points: { tiles: '/t/shapes/p/source/ways@1/{z}/{x}/{y}.mvt' }, hasShapes: true },
  ...colours,
}

/** The names that the ground map of a locale shows of a thing with these properties, each once. */
function listVisibleNames(locale: string, properties: Record<string, string>): string[] {
  const { layers } = mapStyle({ ...options, ground, locale })
  const names = layers.flatMap((layer) => {
    if (layer.type !== 'symbol' || layer.source !== 'ground') return []
    const { result, value } = createExpression(layer.layout?.['text-field'], { type: 'string' } as never)
    if (result === 'error') throw new Error(value.map(({ message }) => message).join())
    return [String(value.evaluate({ zoom: 4 }, { type: 'Point', properties } as never))]
  })
  return [...new Set(names)]
}

test.each([
  ['de', 'Deutschland'],
  ['fr-CA', 'Allemagne'],
  ['en-US', 'Germany'],
  // No name in Portuguese: the English one.
  ['pt', 'Germany'],
  ['ar-u-nu-latn', 'ألمانيا'],
])('a reader of %s sees the country as %s on the ground map', (locale, name) => {
  const names = { name: 'Deutschland', 'name:en': 'Germany', 'name:fr': 'Allemagne', 'name:ar': 'ألمانيا' }
  expect(listVisibleNames(locale, { ...names, 'name:de': 'Deutschland' })).toEqual([name])
})

test.each([
  ['ja', 'フランス'],
  ['de-DE', 'France'],
  ['en', 'France'],
  [undefined, 'France'],
])('where regions are coloured, a reader of %s sees the country as %s', (locale, name) => {
  const choropleth = { set: 'world', level: 'country', classes }
  const { layers } = mapStyle({ ...options, ground, choropleth, ...(locale ? { locale } : {}) })
  // The set draws its names instead of the ground.
  expect(layers.map(({ id }) => id)).not.toContain('ground-country-label')
  const label = layers.find(({ id }) => id === 'world-country-label')
  const field = label?.type === 'symbol' ? label.layout?.['text-field'] : undefined
  const { result, value } = createExpression(field, { type: 'string' } as never)
  if (result === 'error') throw new Error(value.map(({ message }) => message).join())
  const properties = { name: 'France', 'name:ja': 'フランス' }
  expect(value.evaluate({ zoom: 4 }, { type: 'Point', properties } as never)).toBe(name)
})

test('a country without an English name is shown by its local one, in whatever script', () => {
  expect(listVisibleNames('fr', { name: 'Österreich' })).toEqual(['Österreich'])
  expect(listVisibleNames('fr', { name: 'مصر' })).toEqual(['مصر'])
  expect(listVisibleNames('fr', { kind: 'country' })).toEqual([''])
})

test.each([
  ['a basemap', {}],
  ['a boundary', { boundary }],
  ['a ground with streets', { ground, locale: 'de-DE' }],
  ['a boundary of all regions', { boundary: { ...boundary, level: 'state', gid: null } }],
  ['records of several sources', { records: [trees, ways] }],
  ['borders of one level', { borders: { set: 'us', level: 'state' } }],
  ['a choropleth', { choropleth: { set: 'us', level: 'county', classes } }],
  ['a choropleth of one class', { choropleth: { set: 'us', level: 'state', classes: classes.slice(0, 1) } }],
  ['points as large as their values', { points: { data: '/v1/points.geojson', mostValue: 8.1 } }],
  ['points', { points: { data: '/v1/points.geojson', attribution: 'City' } }],
  ['no basemap', { basemap: undefined, sets: [] }],
])('%s is a style that MapLibre accepts, without glyphs or sprite', (_, extra) => {
  const style = mapStyle({ ...options, ...extra })
  // The validator requires glyphs; without them the renderer uses the page's fonts.
  const errors = validateStyleMin(style).filter(
    ({ message }) => !/requires a style "glyphs" property/.test(message),
  )
  expect(errors).toEqual([])
  expect(style.glyphs ?? style.sprite).toBeUndefined()
  for (const layer of style.layers) {
    if ('source' in layer) expect(Object.keys(style.sources)).toContain(layer.source)
  }
})

test('sources have the URL of the archive by its hash, its attribution and the id property of its areas', () => {
  expect(mapStyle(options).sources['set-us']).toEqual({
    type: 'vector',
    url: 'pmtiles://https://data.example.org/a/0123456789ab.pmtiles',
    bounds: set.bounds,
    minzoom: 0,
    maxzoom: 8,
    attribution: 'Census',
    promoteId: { state: 'gid', county: 'gid' },
  })
})

test('a choropleth has the colours of its classes, and no borders below its level', () => {
  const style = mapStyle({ ...options, choropleth: { set: 'us', level: 'state', classes } })
  const layer = style.layers.find(({ id }) => id === 'choropleth')
  const value = ['to-number', ['feature-state', 'value']]
  expect(layer).toMatchObject({
    source: 'set-us',
    'source-layer': 'state',
    paint: {
      'fill-color': [
        'case',
        ['==', ['typeof', ['feature-state', 'value']], 'number'],
        ['step', value, '#000001', 10, '#000002', 20, '#000003'],
        options.colours.land,
      ],
    },
  })
  // Regions without a value are land with a hatch above it, as in a picture.
  expect(style.layers.find(({ id }) => id === noDataLayer)).toMatchObject({
    ...{ source: 'set-us', 'source-layer': 'state' },
    paint: {
      'fill-pattern': hatchImageName,
      'fill-opacity': ['case', ['==', ['typeof', ['feature-state', 'value']], 'number'], 0, 1],
    },
  })
  const ids = style.layers.map(({ id }) => id)
  expect(ids.indexOf(noDataLayer)).toBe(ids.indexOf('choropleth') + 1)
  expect(ids).toContain('us-state-line')
  expect(ids).not.toContain('us-county-line')
})

test('a map without names has neither those of regions nor those of the basemap', () => {
  const symbols = (isNamed?: boolean) =>
    mapStyle({ ...options, ground, ...(isNamed === undefined ? {} : { isNamed }) })
      .layers.filter(({ type }) => type === 'symbol')
      .map(({ id }) => id)
  expect(symbols(false)).toEqual([])
  expect(symbols(true)).toEqual(expect.arrayContaining(['us-state-label', 'ground-town-label']))
  expect(symbols()).toEqual(symbols(true))
})

test('draws only borders and names of the requested levels, and none without any', () => {
  const ids = (borders: MapStyleOptions['borders']) =>
    mapStyle({ ...options, borders }).layers.map(({ id }) => id)
  const states = ids({ set: 'us', level: 'state' })
  expect(states).toEqual(expect.arrayContaining(['us-state-line', 'us-state-label']))
  expect(states.filter((id) => /county-l|country-l/.test(id))).toEqual([])
  expect(ids({ set: 'us', level: 'county' })).toContain('us-county-label')
  expect(ids(null).filter((id) => /-(?:line|label)$/.test(id))).toEqual([])
})

test('a boundary is one region by its gid, or the outline of all', () => {
  const findBoundaryLine = (changes: Partial<typeof boundary> & { gid?: string | null }) =>
    mapStyle({ ...options, boundary: { ...boundary, ...changes } }).layers.find(
      ({ id }) => id === 'boundary-line',
    )
  expect(findBoundaryLine({})).toMatchObject({
    ...{ source: 'set-us', 'source-layer': 'county', filter: ['==', ['get', 'gid'], 'us-county-53033'] },
    paint: { 'line-color': '#00695c' },
  })
  expect(findBoundaryLine({ level: 'state', gid: null } as never)).toMatchObject({
    'source-layer': 'state_line',
    filter: ['==', ['get', 'kind'], 'outer'],
  })
})

test('the layers of a source have its colour, and their ids are known to its switch', () => {
  const style = mapStyle({ ...options, records: [trees, ways] })
  const own = style.layers.filter((layer) => 'source' in layer && layer.source === 'points-layer-2')
  expect(own.map(({ id }) => id)).toEqual(recordLayerIds(ways).all)
  expect(recordLayerIds(trees).all).toEqual(['cluster-layer-1', 'point-layer-1', 'cluster-layer-1-count'])
  expect(
    own.every((layer) => JSON.stringify(layer.paint).includes('#2f75e2') || layer.type === 'symbol'),
  ).toBe(true)
})

test.each([2, 3, 4, 5, 6])(
  'circles of %i layers that count the same locations are side by side in their cell, below their numbers',
  (of) => {
    const records = Array.from({ length: of }, (_, at) => ({ ...trees, key: `layer-${at + 1}` }))
    const { layers } = mapStyle({ ...options, records })
    const circles = layers.filter(({ id }) => /^cluster-layer-\d$/.test(id))
    const circleSizes = circles.map(({ paint }) => {
      const { 'circle-translate': move, 'circle-radius': radius } = paint as {
        'circle-translate': [number, number]
        'circle-radius': unknown[]
      }
      return {
        x: move[0],
        y: move[1],
        largest: Math.max(...(radius.slice(4) as number[]).filter((_, i) => i % 2 === 0)),
      }
    })
    expect(circleSizes).toHaveLength(of)
    for (const [i, one] of circleSizes.entries()) {
      expect(one.largest).toBeGreaterThan(7.5)
      expect(Math.hypot(one.x, one.y) + one.largest).toBeLessThanOrEqual(32)
      for (const other of circleSizes.slice(i + 1))
        expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(
          one.largest + other.largest - 0.5,
        )
    }
    const figures = layers.filter(({ id }) => id.endsWith('-count'))
    expect(figures.map(({ paint }) => (paint as { 'text-translate': unknown })['text-translate'])).toEqual(
      circles.map(({ paint }) => (paint as { 'circle-translate': unknown })['circle-translate']),
    )
    const places = layers.map(({ id }) => id)
    const last = Math.max(...circles.map(({ id }) => places.indexOf(id)))
    for (const { id } of figures) expect(places.indexOf(id)).toBeGreaterThan(last)
  },
)

test('the circles of a single layer are not moved', () => {
  const { layers } = mapStyle({ ...options, records: [trees] })
  expect(layers.find(({ id }) => id === 'cluster-layer-1')?.paint).toMatchObject({
    'circle-translate': [0, 0],
  })
})

test('the hatch pattern of the live map equals that of pictures: the same grey, lines through its corners, transparent elsewhere', () => {
  const { width, height, data } = hatchImage()
  expect(data).toHaveLength(4 * width * height)
  const getPixel = (x: number, y: number) => [...data.slice(4 * (y * width + x), 4 * (y * width + x) + 4)]
  const grey = [1, 3, 5].map((from) => parseInt(hatchColour.slice(from, from + 2), 16))
  expect(getPixel(0, height - 1)).toEqual([...grey, Math.round(255 * hatchOpacity)])
  expect(getPixel(width - 1, 0)).toEqual(getPixel(0, height - 1))
  expect(getPixel(Math.floor(width / 4), Math.floor(height / 4))[3]).toBe(0)
})

test('the basemap is below the data, its names above them and below figures, without layers of the sets', () => {
  const { layers } = mapStyle({
    ...options,
    ground,
    records: [trees],
    borders: { set: 'us', level: 'state' },
  })
  const ids = layers.map(({ id }) => id)
  // The set has the states of its country; the provinces of others are the ground's, where it can tell them apart.
  const regions = layers.filter(({ id }) => id.startsWith('ground-region'))
  expect(regions.map(({ id }) => id)).toEqual([
    ...['ground-region-line', 'ground-region-line-disputed', 'ground-region-label'],
  ])
  for (const each of regions) expect(JSON.stringify(each)).toContain('["==",["get","in_us"],false]')
  const abroad = mapStyle({ ...options, ground, borders: null }).layers
  expect(JSON.stringify(abroad)).not.toContain('in_us')
  expect(ids.indexOf('ground-streets')).toBeLessThan(ids.indexOf('us-state-line'))
  expect(ids.indexOf('ground-town-label')).toBeGreaterThan(ids.indexOf('cluster-layer-1'))
  // MapLibre places labels from the top down: a name gives way to the figure of a circle.
  expect(ids.at(-1)).toBe('cluster-layer-1-count')
  expect(ids).toContain('ground-country-label')
  expect(ids).not.toContain('world-country')
})

test('rivers, streets and waters are drawn and named where the archive has them', () => {
  const { layers } = mapStyle({ ...options, ground })
  const ids = layers.map(({ id }) => id)
  const labelIds = ['street', 'river', 'water', 'town', 'region'].map((what) => `ground-${what}-label`)
  expect(ids.filter((id) => /^ground-.*-label$/.test(id))).toEqual(labelIds)
  expect(ids.indexOf('ground-rivers')).toBeLessThan(ids.indexOf('ground-streets'))
  const river = { type: 'LineString', properties: { kind: 'river', name: 'Elbe', 'name:cs': 'Labe' } }
  const lake = { type: 'Polygon', properties: { kind: 'lake', name: 'Müritz' } }
  const isShown = (id: string, feature: typeof river | typeof lake, zoom = 12) => {
    const layer = layers.find((each) => each.id === id)
    if (!layer || !('filter' in layer) || !layer.filter) throw new Error(`There is no ${id}.`)
    const type = feature.type === 'Polygon' ? 3 : 2
    return featureFilter(layer.filter, 'layers[0].filter').filter({ zoom }, {
      type,
      properties: feature.properties,
    } as never)
  }
  expect([isShown('ground-rivers', river), isShown('ground-water', river)]).toEqual([true, false])
  expect([isShown('ground-rivers', lake), isShown('ground-water', lake)]).toEqual([false, true])
  expect([isShown('ground-river-label', river), isShown('ground-water-label', lake)]).toEqual([true, false])
})

test('below a base map of a city is that of the world, whose names end at its edge', () => {
  const world = { ...ground, hash: 'b0b0b0b0b0b0', layers: ['earth', 'places'], bounds: [-180, -85, 180, 85] }
  const city = { ...ground, bounds: [-122.6, 47.3, -121.9, 47.9], below: world } as typeof ground
  const { sources, layers } = mapStyle({ ...options, ground: city })
  expect(sources['ground-below']).toMatchObject({
    url: 'pmtiles://https://data.example.org/a/b0b0b0b0b0b0.pmtiles',
  })
  expect(sources['ground']).toMatchObject({ bounds: [-122.6, 47.3, -121.9, 47.9] })
  expect(sources['ground']).not.toHaveProperty('below')
  const ids = layers.map(({ id }) => id)
  expect(ids.indexOf('ground-below-land')).toBeLessThan(ids.indexOf('ground-land'))
  const label = layers.find(({ id }) => id === 'ground-below-town-label')
  const isNamed = (lon: number, lat: number) => {
    if (!label || !('filter' in label) || !label.filter) throw new Error('There is no such layer.')
    const tile = { z: 0, x: 0, y: 0 }
    const toTileUnits = (share: number) => Math.round(share * 8192)
    const y = 0.5 - Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) / (2 * Math.PI)
    const geometry = [[{ x: toTileUnits((lon + 180) / 360), y: toTileUnits(y) }]]
    const feature = { type: 1, properties: { kind: 'locality' }, geometry } as never
    return featureFilter(label.filter, 'layers[0].filter').filter({ zoom: 6 }, feature, tile as never)
  }
  expect([isNamed(-122.3, 47.6), isNamed(-123, 49.3), isNamed(11.5, 48.1)]).toEqual([false, true, true])
})

test('uses only layers that the archive has', () => {
  const ids = mapStyle({ ...options, ground: { ...ground, layers: ['earth'] } }).layers.map(({ id }) => id)
  expect(ids.filter((id) => id.startsWith('ground-'))).toEqual(['ground-land'])
})

test('an attribution is escaped text, with the link that OpenStreetMap requires', () => {
  expect(mapStyle({ ...options, ground }).sources['ground']).toMatchObject({
    attribution: 'Protomaps <a href="https://www.openstreetmap.org/copyright">© OpenStreetMap</a> &lt;b&gt;',
    ...{ url: 'pmtiles://https://data.example.org/a/ba9876543210.pmtiles', maxzoom: 15 },
  })
})

test('regions that a set labels are not labelled by the base map as well', () => {
  const divisions: MapSet = {
    ...{ name: 'divisions', hash: 'c'.repeat(16), isOwn: true, bounds: [176, -21, 180, -12] },
    ...{ minZoom: 0, maxZoom: 8, attribution: 'Divisions', layers: ['area', 'area_line', 'area_label'] },
    names: ['Northern', 'Central'],
  }
  const getLabelFilter = (more: Partial<Parameters<typeof mapStyle>[0]>) => {
    const { layers } = mapStyle({ ...options, ground, sets: [divisions], ...more })
    const labels = layers.find(({ id }) => id === 'ground-region-label')
    return JSON.stringify(labels && 'filter' in labels && labels.filter)
  }
  expect(getLabelFilter({})).toContain('["literal",["Northern","Central"]]')
  // A set whose names are not drawn leaves them to the base map.
  expect(getLabelFilter({ borders: null })).not.toContain('Northern')
})
