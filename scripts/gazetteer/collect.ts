import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { MultiPolygon, Polygon, Position } from 'geojson'
import polylabel from 'polylabel'
import { feature, merge } from 'topojson-client'
import type { NamedPlace } from '#functions/engine/gazetteer/file.ts'
import { countryNames } from '#functions/engine/map/region-names.ts'
import { areaFinder } from '#functions/engine/region/inside.ts'
import { toUnitSquare } from '../ground/archive.ts'
import { readRegions, type GroundRegion, type GroundTopology } from '../ground/regions.ts'
import { readAllTowns, type KnownTown } from '../ground/towns.ts'
import { csv } from '../seed/readers.ts'
import { doubleArea } from '../tiles/rings.ts'

interface PlaceCollection {
  places: NamedPlace[]
  countries: { code: string; name: string }[]
  regions: { code: string; name: string; country: number }[]
}

const otherNamesFile = new URL('town-names.txt.gz', import.meta.url)
export const readOtherNameBytes = (): Buffer => readFileSync(otherNamesFile)

/**
 * The share of the towns of an administrative unit that must lie in a region for it to be the region of all
 * of them: borders of maps are simplified.
 */
const maxOfUnit = 0.8

/**
 * Collects countries, first-level regions, towns of 1,000 people or more and postal codes of the United
 * States, with all their names.
 */
export function collectPlaces(): PlaceCollection {
  const names = countryNames()
  const countries = [...names].map(([code, [, , name = code]]) => ({ code, name }))
  const countryByCode = new Map(countries.map(({ code }, i) => [code, i]))
  const topology = readRegions()
  const knownRegions = topology.objects.regions.geometries.map(({ properties }) => properties as GroundRegion)
  const regions = knownRegions.map(({ code, name, iso }) => ({
    code,
    name,
    country: countryByCode.get(iso) ?? -1,
  }))
  const areas = regionAreas(topology)
  return {
    countries,
    regions,
    places: [
      ...countryPoints(knownRegions, topology).flatMap(({ iso, at }): NamedPlace[] => {
        const country = countryByCode.get(iso)
        if (country === undefined) return []
        return [
          {
            ...toUnpopulatedLocation(at),
            kind: 'country',
            names: [...(names.get(iso) ?? [])],
            country,
            region: -1,
          },
        ]
      }),
      ...knownRegions.flatMap(({ at, ...region }, i): NamedPlace[] =>
        at === null
          ? []
          : [
              {
                ...toUnpopulatedLocation(at),
                kind: 'region',
                names: regionNames(region),
                country: regions[i]!.country,
                region: i,
              },
            ],
      ),
      ...townPlaces(countryByCode, areas),
      ...postalPlaces(countryByCode.get('US') ?? -1, new Map(regions.map(({ code }, i) => [code, i]))),
    ],
  }
}

const toUnpopulatedLocation = ([lon, lat]: readonly [number, number]) => ({ lon, lat, population: 0 })

/**
 * The names of a region, its ISO 3166-2 code, and the part of the code after the country: "WA" of "US-WA".
 */
function regionNames({ code, name, names }: Omit<GroundRegion, 'at'>): string[] {
  const [, short] = code.split('-')
  return [name, ...Object.values(names), ...(short === undefined || code.includes('~') ? [] : [code, short])]
}

type Area = Polygon | MultiPolygon

/** The polygons of each region, in the order of the regions, in the unit square of Web Mercator. */
function regionAreas(topology: GroundTopology): Position[][][][] {
  return feature(topology, topology.objects.regions).features.map(({ geometry }) => {
    const area = geometry as Area
    return area.type === 'Polygon' ? [area.coordinates] : area.coordinates
  })
}

/** Finds a point well inside the largest polygon of each country. */
function countryPoints(regions: GroundRegion[], topology: GroundTopology) {
  const byIso = new Map<string, number[]>()
  regions.forEach(({ iso }, i) => byIso.set(iso, [...(byIso.get(iso) ?? []), i]))
  return [...byIso].map(([iso, members]) => {
    const shapes = members.map((i) => topology.objects.regions.geometries[i])
    const { coordinates } = merge(topology, shapes as Parameters<typeof merge>[1])
    const size = (rings: Position[][]) => Math.abs(doubleArea(rings[0] ?? []))
    const largest = coordinates.reduce((a, b) => (size(b) > size(a) ? b : a))
    const [x, y] = polylabel(largest, Math.sqrt(size(largest)) / 100)
    return { iso, at: fromSquare(x, y) }
  })
}

function fromSquare(x: number, y: number): [number, number] {
  const lon = (((((x - 0.5) * 360 + 180) % 360) + 360) % 360) - 180
  return [lon, (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI]
}

function townPlaces(countryByCode: Map<string, number>, areas: Position[][][][]): NamedPlace[] {
  const others = new Map(
    gunzipSync(readOtherNameBytes())
      .toString('utf8')
      .split('\n')
      .map((line) => {
        const [id, ...names] = line.split('\t')
        return [Number(id), names]
      }),
  )
  const towns = readAllTowns()
  const find = areaFinder(areas.map((polygons, key) => ({ key, rings: polygons.flat() })))
  const within = towns.map(({ lon, lat }) => {
    const [x = 0, y = 0] = toUnitSquare(lon, lat)
    return find(x, y)[0] ?? -1
  })
  const regionByUnit = regionsOfUnits(towns, within)
  return towns.map((town, i) => ({
    kind: 'town',
    names: [town.name, ...(others.get(town.id) ?? [])],
    country: countryByCode.get(town.country) ?? -1,
    region: regionByUnit.get(toUnitKey(town)) ?? within[i] ?? -1,
    population: town.population,
    lon: town.lon,
    lat: town.lat,
  }))
}

const toUnitKey = ({ country, adminCode }: KnownTown) => `${country} ${adminCode}`

/**
 * Finds the region in which nearly all towns of an administrative unit lie; units that span several regions
 * have none.
 */
function regionsOfUnits(towns: KnownTown[], within: number[]): Map<string, number> {
  const counts = new Map<string, Map<number, number>>()
  towns.forEach((town, i) => {
    const region = within[i] ?? -1
    if (region === -1) return
    const unit = counts.get(toUnitKey(town)) ?? new Map<number, number>()
    counts.set(toUnitKey(town), unit.set(region, (unit.get(region) ?? 0) + 1))
  })
  return new Map(
    [...counts].flatMap(([unit, regions]) => {
      const all = [...regions.values()].reduce((sum, n) => sum + n, 0)
      const [region, most] = [...regions].reduce((a, b) => (b[1] > a[1] ? b : a))
      return most >= maxOfUnit * all ? [[unit, region] as const] : []
    }),
  )
}

/**
 * Postal codes of the United States. Those that share their point with others are placed at the centre of
 * their county in the source, some fifty kilometres off: they are left out, so that they are reported as
 * unknown and not placed wrongly.
 */
function postalPlaces(country: number, regionByCode: Map<string, number>): NamedPlace[] {
  const rows = csv('zipcodes.csv')
  const nameCounts = new Map<string, number>()
  const toPointKey = ({ latitude, longitude }: (typeof rows)[number]) => `${latitude} ${longitude}`
  for (const row of rows) nameCounts.set(toPointKey(row), (nameCounts.get(toPointKey(row)) ?? 0) + 1)
  return rows.flatMap((row): NamedPlace[] => {
    const { zip_code: code = '', latitude, longitude, state = '' } = row
    if (!latitude || !longitude || nameCounts.get(toPointKey(row)) !== 1) return []
    const region = regionByCode.get(`US-${state}`) ?? -1
    const at = { lon: Number(longitude), lat: Number(latitude) }
    return [{ kind: 'postalCode', names: [code], country, region, population: 0, ...at }]
  })
}
