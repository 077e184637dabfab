import type { Feature, MultiPolygon, Polygon, Position } from 'geojson'
import { feature } from 'topojson-client'
import { fromUnitSquare } from '#functions/engine/region/antimeridian.ts'
import { NetBuilder, type PlainRing } from '#functions/engine/region/border-net.ts'
import { simplifyAreas, type AreaCollection } from '#functions/engine/region/simplify.ts'
import { makeSetArchive } from '#functions/engine/tile/set-archive.ts'
import { findCountryCode } from '#functions/shapes/region-codes.ts'
import { regionsOfCountry, type RegionSet } from '#functions/shapes/region-sets.ts'
import { readRegions, type GroundRegion, type GroundTopology, type RegionShape } from '../ground/regions.ts'
import { planarGeometry } from './planar.ts'
import type { Ring } from './rings.ts'

/** The properties of a first-level region. `names`: its names in other languages and its short code. */
export interface CountryRegion {
  gid: string
  code: string
  name: string
  names: string[]
}

/** The first-level regions of a country. */
export interface CountrySet {
  id: RegionSet
  /** ISO 3166-1, two letters. */
  country: string
  areas: AreaCollection<CountryRegion>
  /** Names by `gid` and language, where they differ from a region's name. */
  translations: ReadonlyMap<string, Readonly<Record<string, string>>>
}

/** The maximum number of corners in a picture; a file with more would be a megabyte. */
const maxCorners = 20_000
/**
 * The maximum zoom: its tiles have steps of 76 m, the outlines of hundreds; beyond it tiles are overzoomed.
 */
const deepest = 7
/** Decimals of a degree: about a metre. */
const decimals = 5

/** ISO 3166-1 codes, or codes in common use, of countries for which Natural Earth uses another one. */
const others: Record<string, string> = { PSX: 'PS', SDS: 'SS', SAH: 'EH', KOS: 'XK', ALD: 'AX' }
/** The states have sets of their own in more detail; the minor islands and Antarctica have no set. */
const withoutSet = ['US', 'UM', 'AQ']

/**
 * Returns the first-level regions of each country with more than one of them. A region that one country holds
 * and that has the code of another is in the sets of both.
 */
export function countrySets(): CountrySet[] {
  const topology = readRegions()
  const byCountry = new Map<string, RegionShape[]>()
  for (const shape of topology.objects.regions.geometries as RegionShape[])
    for (const country of listCountries(shape.properties as GroundRegion))
      byCountry.set(country, [...(byCountry.get(country) ?? []), shape])
  return [...byCountry]
    .filter(([country, shapes]) => !withoutSet.includes(country) && shapes.length > 1)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([country, shapes]) => buildCountrySet(topology, country, shapes))
}

/** Returns the country that holds a region, and the country of its code. */
function listCountries({ country, iso, code }: GroundRegion): Set<string> {
  const holder = others[country] ?? findCountryCode(country)
  const owner = code.startsWith(`${iso}-`) ? findCountryCode(iso) : null
  return new Set([holder, owner].filter((each) => each !== null))
}

function buildCountrySet(topology: GroundTopology, country: string, shapes: RegionShape[]): CountrySet {
  const codes = listRegionCodes(
    country,
    shapes.map((shape) => shape.properties as GroundRegion),
  )
  const features = shapes.flatMap((shape, i): Feature<Polygon | MultiPolygon, CountryRegion>[] => {
    const { geometry } = feature(topology, shape) as Feature<Polygon | MultiPolygon>
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
    const area = planarGeometry(polygons.map(toDegrees), decimals)
    if (!area) return []
    const region = shape.properties as GroundRegion
    const code = codes[i] as string
    const properties = {
      gid: `region-${code}`,
      code,
      name: getRegionName(region),
      names: listOtherNames(region, code),
    }
    return [{ type: 'Feature', id: properties.gid, properties, geometry: area }]
  })
  const byName = features.sort((a, b) => (a.properties.name < b.properties.name ? -1 : 1))
  const translations = new Map(
    shapes.map((shape, i) => [`region-${codes[i]}`, (shape.properties as GroundRegion).names]),
  )
  const areas = { type: 'FeatureCollection' as const, features: byName }
  return { id: regionsOfCountry(country), country, areas, translations }
}

const toDegrees = (rings: Position[][]): Ring[] =>
  rings.map((ring) => ring.map(([x = 0, y = 0]) => fromUnitSquare(x, y)))

const getRegionName = ({ name, names, countryName }: GroundRegion) => name || names.en || countryName

/** The form of ISO 3166-2 codes; Natural Earth's own begin with X and two digits after the country. */
const isoCode = /^[A-Z]{2}-(?!X\d\d)[A-Z0-9]{1,3}$/

/**
 * Returns every region's ISO 3166-2 code; for a missing or duplicate code the country and a slug of the name,
 * with a tilde, so that it cannot be mistaken for an ISO code.
 */
function listRegionCodes(country: string, regions: readonly GroundRegion[]): string[] {
  const count = (list: readonly string[], text: string) => list.filter((each) => each === text).length
  const isos = regions.map(({ code }) => (isoCode.test(code) ? code : ''))
  const slugs = regions.map((region) => `${country}~${toSlug(getRegionName(region))}`)
  return isos.map((iso, i) => {
    if (iso !== '' && count(isos, iso) === 1) return iso
    const slug = slugs[i] as string
    const before = count(slugs.slice(0, i), slug)
    return before === 0 ? slug : `${slug}-${before + 1}`
  })
}

const toSlug = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

/** Returns a region's names in other languages, and its code without that of the country. */
function listOtherNames({ names, name }: GroundRegion, code: string): string[] {
  const short = code.includes('~') ? [] : [code.slice(3)]
  return [...new Set([...Object.values(names), ...short])].filter((each) => each !== '' && each !== name)
}

/** Makes the regions of a country as pictures show them, and the archive of their tiles; deterministic. */
export async function buildCountryTiles({ id, areas, translations }: CountrySet, attribution: string) {
  const builder = new NetBuilder()
  for (const { geometry } of areas.features) builder.add(toPlainRings(geometry))
  const areaNames = areas.features.map(({ properties: { gid, name } }) => ({
    ...{ gid, name, names: translations.get(gid) ?? {} },
  }))
  const archive = await makeSetArchive(builder.finish(), areaNames, { name: id, attribution }, { deepest })
  return { archive, areas: simplifyAreas(areas, maxCorners) }
}

function toPlainRings(geometry: Polygon | MultiPolygon): PlainRing[] {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  return polygons.flatMap((rings) =>
    rings.map((ring, i) => ({
      isHole: i > 0,
      at: Float64Array.from(ring.flatMap(([lon = 0, lat = 0]) => [lon, lat])),
    })),
  )
}
