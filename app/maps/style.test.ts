import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec'
import { expect, test } from 'vitest'
import { mapStyle, type MapStyleOptions } from './style.ts'

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
    missing: '#dddddd',
    data: '#bb4a15',
    onData: '#ffffff',
    sequential: ['#000001', '#000002', '#000003', '#000004', '#000005', '#000006', '#000007'],
  },
  font: 'Public Sans',
  basemap: 'world',
}

test.each([
  ['a basemap', {}],
  ['a choropleth', { choropleth: { set: 'us', level: 'county', breaks: [1, 2.5, 9] } }],
  ['a choropleth of one class', { choropleth: { set: 'us', level: 'state', breaks: [] } }],
  ['points', { points: { data: '/v1/points.geojson', attribution: 'City' } }],
  ['no basemap', { basemap: undefined, sets: [] }],
])('%s is a style MapLibre accepts, without glyphs or sprite', (_, extra) => {
  const style = mapStyle({ ...options, ...extra })
  // the validator knows no style without glyphs; the renderer draws text in the page's fonts then
  const errors = validateStyleMin(style).filter(
    ({ message }) => !/requires a style "glyphs" property/.test(message),
  )
  expect(errors).toEqual([])
  expect(style.glyphs ?? style.sprite).toBeUndefined()
  for (const layer of style.layers) {
    if ('source' in layer) expect(Object.keys(style.sources)).toContain(layer.source)
  }
})

test('sources name the archive by its hash, its attribution and the id of its areas', () => {
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

test('a choropleth spreads its classes over the ramp and leaves out the borders below its level', () => {
  const style = mapStyle({ ...options, choropleth: { set: 'us', level: 'state', breaks: [10, 20] } })
  const layer = style.layers.find(({ id }) => id === 'choropleth')
  const value = ['to-number', ['feature-state', 'value']]
  expect(layer).toMatchObject({
    source: 'set-us',
    'source-layer': 'state',
    paint: {
      'fill-color': [
        'case',
        ['==', ['typeof', ['feature-state', 'value']], 'number'],
        ['step', value, '#000001', 10, '#000004', 20, '#000007'],
        '#dddddd',
      ],
    },
  })
  const ids = style.layers.map(({ id }) => id)
  expect(ids).toContain('us-state-line')
  expect(ids).not.toContain('us-county-line')
})
