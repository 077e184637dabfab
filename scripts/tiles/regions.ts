import type { Feature, MultiPolygon, Polygon, Position } from 'geojson'
import { feature } from 'topojson-client'
import { fromUnitSquare } from '#functions/engine/region/antimeridian.ts'
import { NetBuilder, type PlainRing } from '#functions/engine/region/net.ts'
import { simplifyAreas, type AreaCollection } from '#functions/engine/region/simplify.ts'
import { makeSetArchive } from '#functions/engine/tile/setArchive.ts'
import { countryOf } from '#functions/shapes/regionCodes.ts'
import { regionsOfCountry, type RegionSet } from '#functions/shapes/regionSets.ts'
import { readRegions, type GroundRegion, type GroundTopology, type RegionShape } from '../ground/regions.ts'
import { planarGeometry } from './planar.ts'
import type { Ring } from './rings.ts'

/** What is known of a first-level region. `names`: what it is also called, in other languages and in short. */
export interface CountryRegion {
  gid: string
  code: string
  name: string
  names: string[]
}

/** The first-level regions of a country. */
export interface CountrySet {
  id: RegionSet
  /** Two letters. */
  country: string
  areas: AreaCollection<CountryRegion>
}

/** Pictures show no more corners, and a file of more is a megabyte. */
const mostCorners = 20_000
/** A tile of this zoom counts in steps of 76 m, the outlines in hundreds: closer they are shown larger. */
const deepest = 7
/** About a metre. */
const decimals = 5

/** Natural Earth's codes of countries that have another in ISO 3166-1, or two letters in use. */
const others: Record<string, string> = { PSX: 'PS', SDS: 'SS', SAH: 'EH', KOS: 'XK', ALD: 'AX' }
/** The states have sets in detail of their own; the minor islands are none. */
const ofUnitedStates = ['US', 'UM']

/**
 * Gives the first-level regions of each country of which more than one is known, by its two letters. A region that one country holds and that has the code
 * of another is in the sets of both.
 */
export function countrySets(): CountrySet[] {
  const topology = readRegions()
  const byCountry = new Map<string, RegionShape[]>()
  for (const shape of topology.objects.regions.geometries as RegionShape[])
    for (const country of countriesOf(shape.properties as GroundRegion))
      byCountry.set(country, [...(byCountry.get(country) ?? []), shape])
  return [...byCountry]
    .filter(([country, shapes]) => !ofUnitedStates.includes(country) && shapes.length > 1)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([country, shapes]) => setOf(topology, country, shapes))
}

/** Who holds a region, and whose code it has. */
function countriesOf({ country, iso, code }: GroundRegion): Set<string> {
  const holder = others[country] ?? countryOf(country)
  const owner = code.startsWith(`${iso}-`) ? countryOf(iso) : null
  return new Set([holder, owner].filter((each) => each !== null))
}

function setOf(topology: GroundTopology, country: string, shapes: RegionShape[]): CountrySet {
  const codes = codesOf(
    country,
    shapes.map((shape) => shape.properties as GroundRegion),
  )
  const features = shapes.flatMap((shape, i): Feature<Polygon | MultiPolygon, CountryRegion>[] => {
    const { geometry } = feature(topology, shape) as Feature<Polygon | MultiPolygon>
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
    const area = planarGeometry(polygons.map(inDegrees), decimals)
    if (!area) return []
    const region = shape.properties as GroundRegion
    const code = codes[i] as string
    const properties = { gid: `region-${code}`, code, name: nameOf(region), names: namesOf(region, code) }
    return [{ type: 'Feature', id: properties.gid, properties, geometry: area }]
  })
  const byName = features.sort((a, b) => (a.properties.name < b.properties.name ? -1 : 1))
  return { id: regionsOfCountry(country), country, areas: { type: 'FeatureCollection', features: byName } }
}

const inDegrees = (rings: Position[][]): Ring[] =>
  rings.map((ring) => ring.map(([x = 0, y = 0]) => fromUnitSquare(x, y)))

const nameOf = ({ name, names, countryName }: GroundRegion) => name || names.en || countryName

/** Every region's code of ISO 3166-2; where it has none, or shares it, its country and its name, with a tilde, so that nobody takes it for one. */
function codesOf(country: string, regions: readonly GroundRegion[]): string[] {
  const count = (list: readonly string[], text: string) => list.filter((each) => each === text).length
  const isos = regions.map(({ code }) => (/^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(code) ? code : ''))
  const slugs = regions.map((region) => `${country}~${slugOf(nameOf(region))}`)
  return isos.map((iso, i) => {
    if (iso !== '' && count(isos, iso) === 1) return iso
    const slug = slugs[i] as string
    const before = count(slugs.slice(0, i), slug)
    return before === 0 ? slug : `${slug}-${before + 1}`
  })
}

const slugOf = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

/** What a region is called in other languages, and its code without that of the country. */
function namesOf({ names, name }: GroundRegion, code: string): string[] {
  const short = code.includes('~') ? [] : [code.slice(3)]
  return [...new Set([...Object.values(names), ...short])].filter((each) => each !== '' && each !== name)
}

/** The regions of a country as pictures show them, and the archive of their tiles; the same regions give the same bytes. */
export async function drawnSet({ id, areas }: CountrySet, attribution: string) {
  const builder = new NetBuilder()
  for (const { geometry } of areas.features) builder.add(plainRings(geometry))
  const areaNames = areas.features.map(({ properties: { gid, name } }) => ({ gid, name }))
  const archive = await makeSetArchive(builder.finish(), areaNames, { name: id, attribution }, { deepest })
  return { archive, areas: simplifyAreas(areas, mostCorners) }
}

function plainRings(geometry: Polygon | MultiPolygon): PlainRing[] {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  return polygons.flatMap((rings) =>
    rings.map((ring, i) => ({
      isHole: i > 0,
      at: Float64Array.from(ring.flatMap(([lon = 0, lat = 0]) => [lon, lat])),
    })),
  )
}
