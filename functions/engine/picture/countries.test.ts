import { beforeAll, expect, test } from 'vitest'
import { memoryBucket } from '#db/worlds/ports.ts'
import { detectFarRegions } from '#functions/engine/map/far-regions.ts'
import { namesOfRegions } from '#functions/engine/map/region-names.ts'
import { fitMap } from '#functions/engine/map/insets.ts'
import { archiveKey, boundaryKey, manifestKey } from '#functions/engine/tile/manifest.ts'
import { regionsOfCountry } from '#functions/shapes/region-sets.ts'
import { groundBytes } from '#scripts/ground/ground.ts'
import { regionFiles } from '#scripts/tiles/region-files.ts'
import { groundIn } from './find-ground.ts'
import { drawMap, mapKeys, mapView } from './map.ts'
import { renderPicture } from './picture.ts'
import { readShapes } from './shapes.ts'

const tiles = memoryBucket()
const countries = ['DE', 'IN', 'FJ', 'FR', 'NL', 'PT', 'ES', 'NO', 'EC', 'NZ', 'MY', 'DK', 'RU', 'CR']
const size = { width: 640, height: 420 }

beforeAll(async () => {
  const ground = { inputHash: '', hash: 'dddddddddddd', bytes: 0 }
  await tiles.put(manifestKey, JSON.stringify({ sets: [], boundaries: [], ground }))
  await tiles.put(archiveKey(ground.hash), await groundBytes())
  const { files } = await regionFiles()
  for (const country of countries) {
    const key = boundaryKey(regionsOfCountry(country))
    await tiles.put(key, files.find((file) => file.key === key)?.bytes ?? '')
  }
}, 120_000)

const readCountryShapes = (country: string) => readShapes(tiles, regionsOfCountry(country))

/** A question by the regions of a country, of which every fourth has no value. */
async function buildCountrySubject(country: string, locale = 'en') {
  const { features } = await readCountryShapes(country)
  return {
    visualization: {
      type: 'map' as const,
      settings: { region: 'region', boundarySetId: regionsOfCountry(country) },
    },
    output: {
      ...{ aggregations: [], groupings: [], orderings: [] },
      schema: {
        region: { name: 'Region', type: 'text' as const },
        n: { name: 'Trees', type: 'number' as const },
      },
    },
    rows: features.flatMap(({ properties }, i) =>
      i % 4 === 3 ? [] : [{ region: properties?.code, n: i + 1 }],
    ),
    ...{ title: 'Trees by region', timeZone: 'UTC', locale, credit: '' },
  }
}

async function drawCountry(country: string, locale?: string) {
  const subject = await buildCountrySubject(country, locale)
  const keys = await mapKeys(tiles, subject)
  const ground = await groundIn(tiles, mapView(keys, size), undefined)
  return drawMap(keys, subject, { id: 'm', title: 'Trees', description: '' }, size, ground)
}

test.each([
  ['DE', 16, 'Berlin'],
  ['IN', 36, 'Mumbai'],
  ['FJ', 5, 'Suva'],
])(
  'the static map of %s has each of its regions, coast, borders, towns, a scale and regions without a value',
  async (country, count, town) => {
    const { svg, legend } = await drawCountry(country)
    expect(svg.length).toBeLessThan(20_000)
    const titles = [...svg.matchAll(/<title>([^<]*)</g)].map(([, title]) => title ?? '')
    expect(titles).toHaveLength(count)
    const missing = titles.filter((title) => title.endsWith(': No data')).length
    expect(missing).toBe(Math.floor(count / 4))
    expect(legend).toMatchObject({ kind: 'choropleth', missing, unit: 'Trees' })
    expect(svg.match(/fill="url\(#m-none\)"/g)).toHaveLength(missing)
    for (const token of ['--map-water', '--map-land', '--map-line']) expect(svg).toContain(`var(${token})`)
    // Once for wide screens and once for narrow ones.
    expect(svg.match(new RegExp(`>${town}</text>`, 'g'))).toHaveLength(2)
    expect(svg).toContain('class="map-scale"')
    // India reaches too far for a scale that is true everywhere.
    expect(svg.includes(' km in the middle<')).toBe(country === 'IN')
    const file = await renderPicture(tiles, await buildCountrySubject(country), {
      width: 640,
      height: null,
      theme: 'dark',
    })
    expect(file.svg).toContain('>No data</text>')
    expect(file.svg).not.toContain('var(')
    expect(file.svg.length).toBeLessThan(60_000)
  },
)

test('the regions and insets of a static map have names in the language of its reader', async () => {
  const titlesIn = async (country: string, locale: string) => {
    const { svg } = await drawCountry(country, locale)
    return [...svg.matchAll(/<title>([^<:]*):/g)].map(([, name]) => name)
  }
  expect(await titlesIn('IN', 'hi')).toContain('Maharashtra')
  expect(await titlesIn('IN', 'ja')).toContain('マハーラーシュトラ州')
  expect(await titlesIn('DE', 'ar')).toContain('بافاريا')
  const { svg } = await drawCountry('FR', 'de')
  expect(svg).toMatch(/>Französisch-\s?Guayana</)
})

test('a map of a country is fitted to most of its land, and distant parts are insets', async () => {
  const far = async (country: string) =>
    detectFarRegions(await readCountryShapes(country))
      ?.groups.map(({ regions }) => namesOfRegions(regions, 'en'))
      .sort() ?? null
  expect(await far('FR')).toEqual(['French Guiana', 'Martinique, Guadeloupe', 'Mayotte', 'Réunion'])
  expect(await far('NL')).toEqual(['Bonaire', 'Sint Eustatius, Saba'])
  expect(await far('PT')).toEqual(['Azores', 'Madeira'])
  expect(await far('NO')).toEqual(['Bouvet Island', 'Svalbard'])
  expect(await far('EC')).toEqual(['Galápagos'])
  expect(await far('FJ')).toEqual(['Rotuma'])
  // Two halves stay one map, and so do nearby parts.
  for (const country of ['DE', 'IN', 'MY', 'DK', 'RU']) expect(await far(country), country).toBeNull()
  // A rock in the ocean that belongs to a coastal province gets no inset.
  expect(await far('CR')).toEqual([])
})

test.each(countries)(
  'every region of %s is within its picture, and only distant ones are in an inset',
  async (country) => {
    const shapes = await readCountryShapes(country)
    const projection = fitMap('mercator', [shapes], [], size)
    const { insets = [] } = projection
    for (const region of shapes.features) {
      const { properties, geometry } = region
      const polygons =
        geometry.type === 'Polygon'
          ? [geometry.coordinates]
          : geometry.type === 'MultiPolygon'
            ? geometry.coordinates
            : []
      const [largest = []] = polygons.toSorted((a, b) => (b[0]?.length ?? 0) - (a[0]?.length ?? 0))
      const corners = (largest[0] ?? []).map(([lon = 0, lat = 0]) => projection([lon, lat]) ?? [NaN, NaN])
      const xs = corners.map(([x = NaN]) => x)
      const ys = corners.map(([, y = NaN]) => y)
      const inset = insets.find(({ regions }) => regions.includes(region))
      const box = inset ?? { x: 0, y: 0, ...size }
      const name = String(properties?.name)
      expect(Math.min(...xs), name).toBeGreaterThanOrEqual(box.x)
      expect(Math.max(...xs), name).toBeLessThanOrEqual(box.x + box.width)
      expect(Math.min(...ys), name).toBeGreaterThanOrEqual(box.y)
      expect(Math.max(...ys), name).toBeLessThanOrEqual(box.y + box.height)
      const isUnder = insets.some(
        (each) =>
          each !== inset &&
          xs.some(
            (x, i) =>
              x > each.x &&
              x < each.x + each.width &&
              (ys[i] ?? 0) > each.y &&
              (ys[i] ?? 0) < each.y + each.height,
          ),
      )
      expect(isUnder, name).toBe(false)
    }
  },
)

test('shapes are not stretched across the map at the antimeridian', async () => {
  for (const country of ['FJ', 'RU', 'NZ']) {
    const { svg } = await drawCountry(country)
    // The width of each path of a region, in units of the drawing.
    const widths = [...svg.matchAll(/scale\(([\d.]+)\)"|<path fill="[^"]*" d="([^"]*)"><title>/g)]
    let scale = 1
    for (const [, grid, path] of widths) {
      if (grid !== undefined) scale = Number(grid)
      for (const ring of path?.split('z') ?? [])
        expect(measureRingWidth(ring) * scale, country).toBeLessThan(320)
    }
    expect(widths.length).toBeGreaterThan(4)
  }
})

/** How wide a ring is, of a path that moves by steps. */
function measureRingWidth(ring: string): number {
  let [x, least, most] = [0, Infinity, -Infinity]
  for (const [, kind, text = ''] of ring.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const numbers = (text.match(/-?[\d.]+/g) ?? []).map(Number)
    const step = kind === 'M' || kind === 'L' ? 0 : 1
    if (kind === 'v' || kind === 'V') continue
    const isFlat = kind === 'h' || kind === 'H'
    numbers.forEach((number, i) => {
      if (!isFlat && i % 2 === 1) return
      x = (kind === 'H' ? 0 : step) * x + number
      least = Math.min(least, x)
      most = Math.max(most, x)
    })
  }
  return most < least ? 0 : most - least
}
