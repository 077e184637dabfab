import { Resvg } from '@resvg/resvg-wasm'
import { beforeAll, expect, test } from 'vitest'
import { memoryBucket } from '#db/worlds/ports.ts'
import { classifyValues } from '#functions/engine/map/classes.ts'
import { fitMap } from '#functions/engine/map/insets.ts'
import { placeMap, placeView } from '#functions/engine/map/place-map.ts'
import { mapTokens } from '#functions/engine/map/tokens.ts'
import { archiveKey, boundaryKey, manifestKey } from '#functions/engine/tile/manifest.ts'
import { groundBytes } from '#scripts/ground/ground.ts'
import { unitedStates, world } from '#scripts/tiles/atlas.ts'
import { boundaryFile } from '#scripts/tiles/boundary-file.ts'
import { groundIn } from './find-ground.ts'
import { drawMap, mapKeys, mapView } from './map.ts'
import { paintSvg } from './paint.ts'
import { renderPng } from './png.ts'
import { readShapes } from './shapes.ts'

const tiles = memoryBucket()
const states = { id: 'us-states', projection: 'albersUsa', width: 640, height: 420 } as const
const earth = { id: 'world-countries', projection: 'equalEarth', width: 640, height: 320 } as const

beforeAll(async () => {
  const ground = { inputHash: '', hash: 'f1a2b3c4d5e6', bytes: 0 }
  await tiles.put(manifestKey, JSON.stringify({ sets: [], boundaries: [], ground }))
  await tiles.put(archiveKey(ground.hash), await groundBytes())
  await tiles.put(boundaryKey(states.id), JSON.stringify(boundaryFile(unitedStates(), 'state', 0.001)))
  await tiles.put(boundaryKey(earth.id), JSON.stringify(boundaryFile(world(), 'country', 0.004)))
}, 120_000)

type Case = typeof states | typeof earth

/** A map of points or, with values, of all regions of a set. */
async function drawWholeMap({ id, width, height }: Case, hasValues: boolean) {
  const { features } = await readShapes(tiles, id)
  const subject = {
    visualization: {
      type: 'map' as const,
      settings: {
        boundarySetId: id,
        ...(hasValues ? { region: 'region' } : { longitude: 'lon', latitude: 'lat' }),
      },
    },
    output: {
      ...{ aggregations: [], groupings: [], orderings: [] },
      schema: {
        region: { name: 'Region', type: 'text' as const },
        n: { name: 'Trees', type: 'number' as const },
        lon: { name: 'Longitude', type: 'number' as const },
        lat: { name: 'Latitude', type: 'number' as const },
      },
    },
    rows: features.map(({ properties }, i) => ({
      ...{
        region: properties?.['code'] ?? properties?.['name'],
        n: (i * 7919) % 1000,
        lon: -104.9,
        lat: 39.7,
      },
    })),
    ...{ title: 'Trees', timeZone: 'UTC', locale: 'en', credit: '' },
  }
  const keys = await mapKeys(tiles, subject)
  const ground = await groundIn(tiles, mapView(keys, { width, height }), undefined)
  return drawMap(keys, subject, { id: 'm', title: 'Trees', description: '' }, { width, height }, ground)
}

/** The colours of a light picture at positions in degrees. */
async function coloursAt(
  svg: string,
  { id, projection, width, height }: Case,
  at: readonly [number, number][],
) {
  const painted = paintSvg(svg, 'light').replace('<svg ', `<svg width="${width}" height="${height}" `)
  // Makes the renderer ready.
  await renderPng(painted, { width, height }, 1)
  const { pixels } = new Resvg(painted).render()
  const fitted = fitMap(projection, [await readShapes(tiles, id)], [], { width, height })
  const [alaska, hawaii] = fitted.insets ?? []
  return at.map(([lon, lat]) => {
    const part = lon > -130 ? undefined : lat > 50 ? alaska : lon < -150 && lat > 0 ? hawaii : undefined
    const [x = 0, y = 0] = ((part?.projection ?? fitted.main ?? fitted)([lon, lat]) ?? []).map(Math.round)
    const pixel = pixels.slice(4 * (y * width + x), 4 * (y * width + x) + 3)
    return `#${[...pixel].map((part) => part.toString(16).padStart(2, '0')).join('')}`
  })
}

const { '--map-land': land, '--map-water': water } = mapTokens.light

test('around the states are sea and neighbours, in the insets of Alaska and Hawaii too', async () => {
  const { svg } = await drawWholeMap(states, true)
  const seas: [number, number][] = [
    [-127, 41],
    [-92, 27],
    [-70, 36],
    // The Bering Sea, the Gulf of Alaska, and beside Hawaii.
    [-173, 59],
    [-148, 57.5],
    [-159, 19.6],
  ]
  const neighbours: [number, number][] = [
    [-79, 47.5],
    [-101.5, 27],
    [-137, 65],
  ]
  expect(await coloursAt(svg, states, seas)).toEqual(seas.map(() => water))
  expect(await coloursAt(svg, states, neighbours)).toEqual(neighbours.map(() => land))
  expect(svg.match(/class="map-north"/g)).toHaveLength(2)
  expect(svg).toContain('>1000 km</text>')
  // A figure that contains its drawing stays below 20 kB.
  expect(svg.length).toBeLessThan(20_000)
})

test('the earth lies in its sea, with all of its land', async () => {
  const { svg } = await drawWholeMap(earth, false)
  const seas: [number, number][] = [
    [-40, 33],
    [80, -36],
    [-175, 12],
    [175, 12],
    [-140, -52],
  ]
  const lands: [number, number][] = [
    [100, 62],
    [133, -25],
    [-60, -12],
    // Where the tiles of the base map end.
    [40, -87],
    [-120, -87],
  ]
  expect(await coloursAt(svg, earth, seas)).toEqual(seas.map(() => water))
  expect(await coloursAt(svg, earth, lands)).toEqual(lands.map(() => land))
  expect(svg).toContain('>Areas are true')
  expect(svg).not.toContain('class="map-north"')
})

test.each([
  ['states', states],
  ['countries', earth],
])('a first picture of all %s has less than 60 kB', async (_, each) => {
  for (const hasValues of [true, false]) {
    const { svg } = await drawWholeMap(each, hasValues)
    expect(svg.length).toBeGreaterThan(10_000)
    expect(svg.length).toBeLessThan(60_000)
  }
})

test('the map of a place that is the United States has its islands and its neighbours', async () => {
  const regions = await readShapes(tiles, states.id)
  const values = new Map(regions.features.map(({ properties }, i) => [String(properties?.['gid']), i]))
  const classes = classifyValues([...values.values()], String)
  const options = {
    ...{ regions, boundary: regions, layers: [], locale: 'en', title: 'Trees', description: '', id: 'm' },
    values: {
      classes,
      getRegionValue: (gid?: string) => values.get(gid ?? ''),
      formatValue: String,
      locale: 'en',
    },
    ...{ width: 640, height: 420, projection: states.projection },
  }
  const ground = await groundIn(tiles, placeView(options), undefined)
  const { svg } = placeMap({ ...options, ground })
  const islands: [number, number][] = [
    [-155.5, 19.6],
    [-158, 21.5],
  ]
  const around: [[number, number], string][] = [
    [[-127, 41], water],
    [[-101.5, 27], land],
    [[-173, 59], water],
  ]
  const colours = await coloursAt(svg, states, [...islands, ...around.map(([at]) => at)])
  expect(colours.slice(islands.length)).toEqual(around.map(([, colour]) => colour))
  // Left out of its state, the smaller island would be land of others.
  for (const colour of colours.slice(0, islands.length)) expect([water, land]).not.toContain(colour)
  // The page of a place contains it; what that may have in all is held where whole pages are weighed.
  expect(svg.length).toBeLessThan(22_000)
})
