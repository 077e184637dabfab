import type { Feature, MultiLineString, MultiPolygon, Point, Position } from 'geojson'
import polylabel from 'polylabel'
import { feature, merge, mesh } from 'topojson-client'
import { presimplify, simplify } from 'topojson-simplify'
import { allLanguages } from '#functions/shapes/locale.ts'
import { nameTags } from '#functions/engine/tile/set-archive.ts'
import { addZoom, openArchive } from '../tiles/archive.ts'
import { doubleArea } from '../tiles/rings.ts'
import { readRegions, type GroundRegion, type GroundTopology, type RegionShape } from './regions.ts'
import { readTowns } from './towns.ts'

/**
 * The maximum zoom; beyond it tiles are overzoomed. Their grid is finer than the sources, so deeper tiles
 * would add bytes but no detail.
 */
const maxZoom = 7
const groundAttribution = 'Natural Earth, GeoNames (CC BY 4.0)'

/**
 * Builds the archive of the base map in the schema of Protomaps' basemaps, as far as the sources cover it:
 * `earth`, `water` (lakes), `boundaries` (of countries and first-level regions), `places` (countries,
 * regions, towns). Deterministic: the same input gives the same bytes.
 */
export async function buildGround(): Promise<{ bytes: Uint8Array; layers: string[]; maxZoom: number }> {
  const writer = openArchive()
  const fullTopology = presimplify(readRegions()) as GroundTopology
  const places = [...countryPlaces(fullTopology), ...regionPlaces(fullTopology), ...townPlaces()]
  for (let zoom = 0; zoom <= maxZoom; zoom++) {
    const detailed =
      zoom === maxZoom ? fullTopology : (simplify(fullTopology, 0.75 * pixelArea(zoom)) as GroundTopology)
    // The deepest tiles also contain what is drawn only from a later zoom on, because they are overzoomed.
    const reach = zoom === maxZoom ? Infinity : zoom
    const isIn = ({ properties }: Feature) => Number(properties?.min_zoom) <= reach
    await addZoom(
      writer,
      {
        earth: land(detailed, zoom),
        water: lakes(detailed, zoom),
        boundaries: boundaries(detailed).filter(isIn),
        places: places.filter(isIn),
      },
      zoom,
    )
  }
  const vectorLayers = Object.entries(fields).map(([id, own]) => ({
    ...{ id, minzoom: 0, maxzoom: maxZoom, fields: own },
  }))
  const metadata = {
    ...{ name: 'ground', attribution: groundAttribution, type: 'baselayer', version: '4' },
    vector_layers: vectorLayers,
  }
  const bounds = [-180, -85.0511, 180, 85.0511] as [number, number, number, number]
  return {
    bytes: await writer.finish({ bounds, minZoom: 0, maxZoom, metadata }),
    layers: Object.keys(fields),
    maxZoom,
  }
}

const fields = {
  earth: { kind: 'String' },
  water: { kind: 'String', name: 'String' },
  boundaries: { kind: 'String', kind_detail: 'Number', min_zoom: 'Number', disputed: 'Boolean' },
  places: {
    ...{ kind: 'String', kind_detail: 'String', min_zoom: 'Number', population: 'Number' },
    ...{ population_rank: 'Number', capital: 'String', name: 'String' },
    ...Object.fromEntries(allLanguages.map((locale) => [`name:${locale}`, 'String'])),
  },
}

/** The area of a pixel at a zoom, in the unit square of the world. */
const pixelArea = (zoom: number) => (1 / (512 * 2 ** zoom)) ** 2

const computeArea = (rings: Position[][]) => Math.abs(doubleArea(rings[0] ?? [])) / 2

/** Merges all land, one feature per island; islands below two pixels are left out. */
function land(at: GroundTopology, zoom: number): Feature<MultiPolygon>[] {
  const { coordinates } = merge(at, getRegionShapes(at) as Parameters<typeof merge>[1])
  return polygons(coordinates, zoom, { kind: 'earth' })
}

function lakes(at: GroundTopology, zoom: number): Feature<MultiPolygon>[] {
  return feature(at, at.objects.lakes).features.flatMap(({ geometry, properties }) =>
    geometry.type === 'Polygon'
      ? polygons([geometry.coordinates], zoom, {
          kind: 'lake',
          ...(properties.name ? { name: properties.name } : {}),
        })
      : [],
  )
}

function polygons(
  coordinates: Position[][][],
  zoom: number,
  properties: Record<string, string>,
): Feature<MultiPolygon>[] {
  const least = 2 * pixelArea(zoom)
  return coordinates
    .filter((rings) => computeArea(rings) >= least)
    .map((rings) => ({
      type: 'Feature',
      properties,
      geometry: {
        type: 'MultiPolygon',
        coordinates: [rings.filter((ring, i) => i === 0 || computeArea([ring]) >= least)],
      },
    }))
}

const getRegionShapes = (at: GroundTopology) => at.objects.regions.geometries as RegionShape[]
const getRegion = (shape: unknown) => (shape as RegionShape).properties as GroundRegion

/** Natural Earth counts zooms in tiles of 256 pixels, and its regions appear late even so. */
const ourZoom = (zoom: number, least: number) => Math.max(least, Math.ceil(zoom - 2))

/**
 * Whether another set has the region in more detail: maps that draw that set leave these regions of the base
 * map out.
 */
const isInUs = ({ country }: GroundRegion) => country === 'USA'

/** The zooms from which borders of regions are drawn; beyond `maxZoom` the deepest tiles have them. */
const regionZooms = [2, 3, 4, 5, 6, 7, 8, 9]

/** Borders of countries, and borders of first-level regions within them, grouped by their minimum zoom. */
function boundaries(at: GroundTopology): Feature<MultiLineString>[] {
  const listBorders = (isWanted: (a: GroundRegion, b: GroundRegion) => boolean) =>
    mesh(at, at.objects.regions, (a: unknown, b: unknown) => a !== b && isWanted(getRegion(a), getRegion(b)))
      .coordinates
  const isAbroad = (a: GroundRegion, b: GroundRegion) => a.country !== b.country
  // Held by one country, but with a code of the other: disputed.
  const isDisputed = (a: GroundRegion, b: GroundRegion) => a.iso === b.iso
  const lines = (coordinates: Position[][], properties: Record<string, string | number | boolean>) =>
    coordinates.map((line): Feature<MultiLineString> => ({
      ...{ type: 'Feature', properties },
      geometry: { type: 'MultiLineString', coordinates: [line] },
    }))
  const country = { kind: 'country', kind_detail: 2, min_zoom: 0 }
  const computeBorderZoom = (a: GroundRegion, b: GroundRegion) => ourZoom(Math.max(a.minZoom, b.minZoom), 2)
  return [
    ...lines(
      listBorders((a, b) => isAbroad(a, b) && !isDisputed(a, b)),
      country,
    ),
    ...lines(
      listBorders((a, b) => isAbroad(a, b) && isDisputed(a, b)),
      { ...country, disputed: true },
    ),
    ...regionZooms.flatMap((zoom) =>
      [false, true].flatMap((inUs) =>
        lines(
          listBorders((a, b) => !isAbroad(a, b) && isInUs(a) === inUs && computeBorderZoom(a, b) === zoom),
          { kind: 'region', kind_detail: 4, min_zoom: zoom, in_us: inUs },
        ),
      ),
    ),
  ]
}

/** Names a country in the languages of hubs; in English where a language has no name. */
function countryNames(): (iso: string) => Record<string, string> | null {
  const inLanguages = allLanguages.map(
    (locale) => [locale, new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' })] as const,
  )
  return (iso) => {
    const names = inLanguages.flatMap(([locale, of]) => {
      const name = of.of(iso)
      return name === undefined ? [] : [[`name:${locale}`, name] as const]
    })
    return names.length === allLanguages.length ? Object.fromEntries(names) : null
  }
}

/**
 * Places the label of each country where it is widest, from the zoom on at which it is about as wide as its
 * name.
 */
function countryPlaces(at: GroundTopology): Feature<Point>[] {
  const byCountry = new Map<string, RegionShape[]>()
  for (const shape of getRegionShapes(at)) {
    const { country } = getRegion(shape)
    byCountry.set(country, [...(byCountry.get(country) ?? []), shape])
  }
  const findCountryNames = countryNames()
  const usedNames = new Set<string>()
  return [...byCountry.values()]
    .map((shapes) => {
      const { coordinates } = merge(at, shapes as Parameters<typeof merge>[1])
      const largest = coordinates.reduce((a, b) => (computeArea(b) > computeArea(a) ? b : a))
      return { shapes, largest, area: coordinates.reduce((sum, rings) => sum + computeArea(rings), 0) }
    })
    .sort((a, b) => b.area - a.area)
    .map(({ shapes, largest, area }) => {
      const { countryName } = getRegion(shapes[0])
      const iso = getMostCommon(shapes.map((shape) => getRegion(shape).iso))
      // Other parts held by a country use their own names, because the code is the country's.
      const names = usedNames.has(iso) ? null : findCountryNames(iso)
      usedNames.add(iso)
      const width = 512 * Math.sqrt(area)
      const [x, y] = polylabel(largest, Math.sqrt(area) / 100)
      return place([x, y], {
        ...{ kind: 'country', kind_detail: 'country' },
        min_zoom: Math.min(6, Math.max(1, Math.ceil(Math.log2(44 / width)))),
        ...{ name: names?.['name:en'] ?? countryName, ...names },
      })
    })
}

function getMostCommon(texts: string[]): string {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].reduce((a, b) => (b[1] > a[1] ? b : a))[0]
}

function regionPlaces(at: GroundTopology): Feature<Point>[] {
  const counts = new Map<string, number>()
  for (const shape of getRegionShapes(at)) {
    const { country } = getRegion(shape)
    counts.set(country, (counts.get(country) ?? 0) + 1)
  }
  return getRegionShapes(at).flatMap((shape) => {
    const region = getRegion(shape)
    const { at: point, name, names, labelZoom, country } = region
    // The only region of a country would repeat the country's name.
    if (point === null || counts.get(country) === 1) return []
    // Readers without a name in their language see the English one; here it is missing where it is the local one.
    const same = names.en === undefined ? [] : allLanguages.map((locale) => [locale, name] as const)
    const own = nameTags({ ...Object.fromEntries(same), ...names })
    return [
      place(toUnitSquare(point[0], point[1]), {
        ...{ kind: 'region', kind_detail: 'state', min_zoom: ourZoom(labelZoom, 3), name, ...own },
        in_us: isInUs(region),
      }),
    ]
  })
}

function townPlaces(): Feature<Point>[] {
  return readTowns().map(({ name, population, isCapital, lon, lat, minZoom }) =>
    place(toUnitSquare(lon, lat), {
      ...{ kind: 'locality', kind_detail: population < 50_000 ? 'town' : 'city', min_zoom: minZoom },
      ...{
        population,
        population_rank: computeRank(population),
        ...(isCapital ? { capital: 'yes' } : {}),
        name,
      },
    }),
  )
}

/** The thresholds of population ranks in the schema, the first one at 200. */
const ranks = [
  ...[200, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000],
  ...[500_000, 1_000_000, 5_000_000, 10_000_000, 20_000_000, 50_000_000],
]
const computeRank = (population: number) => ranks.filter((least) => population >= least).length

function place(at: Position, properties: Record<string, string | number | boolean>): Feature<Point> {
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: at } }
}

/** Projects a position to the unit square of Web Mercator: x and y from 0 to 1, y downwards. */
export function toUnitSquare(lon: number, lat: number): Position {
  const y = 0.5 - Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) / (2 * Math.PI)
  return [lon / 360 + 0.5, Math.min(0.999999, Math.max(0, y))]
}
