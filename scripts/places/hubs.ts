import type { Feature, FeatureCollection, MultiPolygon, Point, Polygon } from 'geojson'
import { gunzipSync } from 'node:zlib'
import { feature } from 'topojson-client'
import type { Bounds } from '#app/islands/map-data.ts'
import { regionBytes, type GroundRegion, type GroundTopology } from '../ground/regions.ts'
import { readAllTowns } from '../ground/towns.ts'
import { packageFile } from './packages.ts'

/** A point on a map with a name and a number. */
interface PlaceRecord {
  id: string
  name: string
  people: number | null
  location: Point
}

/** A hub whose maps are inspected: all its data are from packages, nothing was drawn for it. */
export interface InspectedHub {
  id: string
  name: string
  timeZone: string
  areas: { name: string; origin: string; licence: string; shapes(): FeatureCollection }
  /** The code of the area that is its boundary; null: the union of all areas. */
  area: string | null
  records: { name: string; attribution: string; licence: string; measure: string; rows(): PlaceRecord[] }
  /**
   * West, south, east and north of what must be visible; east is more than 180 where it lies beyond the
   * antimeridian.
   */
  covers: Bounds
  /** What lies far from there, by the names of the buttons that lead there on the live map. */
  farParts: string[]
  /** A still map must label at least one of these towns. */
  names: string[]
}

const geoNames = { attribution: 'GeoNames', licence: 'Creative Commons Attribution 4.0' }
const naturalEarth = { origin: 'Natural Earth, 1:10 million', licence: 'Public domain' }
const cityOfSeattle = { origin: 'City of Seattle Open Data', licence: 'Public domain' }
const seattlePackage = ['seattle-boundaries-data', '5.0.3'] as const

/**
 * The first-level regions of a country as GeoJSON: they are stored in Web Mercator, in 360ths of its square.
 */
function readRegions(iso: string): FeatureCollection {
  const topology = JSON.parse(gunzipSync(regionBytes()).toString('utf8')) as GroundTopology
  const { geometries } = topology.objects.regions
  const own = geometries.filter(({ properties }) => (properties as GroundRegion).iso === iso)
  const all = feature(topology, { type: 'GeometryCollection', geometries: own })
  const features = all.features.map(({ geometry, properties }): Feature => {
    const { code, name } = properties as GroundRegion
    const { coordinates } = geometry as Polygon | MultiPolygon
    return {
      type: 'Feature',
      properties: { name, code },
      geometry: { type: geometry.type, coordinates: onEarth(coordinates) } as Polygon | MultiPolygon,
    }
  })
  return { type: 'FeatureCollection', features }
}

/** Converts positions to longitude and latitude, at any depth of nested lists. */
function onEarth(part: unknown): unknown {
  if (!Array.isArray(part)) return part
  const [x, y] = part as unknown[]
  if (typeof x !== 'number' || typeof y !== 'number') return part.map(onEarth)
  return [x, (Math.atan(Math.sinh((y * Math.PI) / 180)) * 180) / Math.PI]
}

/** Towns of countries, or of one region of them, by GeoNames' codes. */
const listTowns = (countries: string[], region?: string): PlaceRecord[] =>
  readAllTowns()
    .filter((town) => countries.includes(town.country) && (region === undefined || town.adminCode === region))
    .map(({ id, name, population, lon, lat }) => ({
      // GeoNames has a population of 0 where it is unknown.
      ...{ id: String(id), name, people: population === 0 ? null : population },
      location: { type: 'Point', coordinates: [lon, lat] },
    }))

const seattleFile = (path: string) =>
  JSON.parse(packageFile(...seattlePackage, path).toString('utf8')) as FeatureCollection

/** The schools of Seattle, from the city's own file. */
function schools(): PlaceRecord[] {
  const { features } = seattleFile('data/sps_school_site_2015_2016.geojson')
  return features.flatMap(({ geometry, properties }, at) => {
    if (geometry.type !== 'Point') return []
    const name = String(properties?.PROPERTY_L)
    return [{ id: String(at + 1), name, people: null, location: geometry }]
  })
}

export const inspectedHubs: InspectedHub[] = [
  {
    id: 'look-seattle',
    name: 'Seattle',
    timeZone: 'America/Los_Angeles',
    areas: {
      ...{ ...cityOfSeattle, name: 'Neighbourhoods of the police department' },
      shapes: () => seattleFile('data/spd-mcpp-areas.geojson'),
    },
    area: null,
    records: {
      ...{ attribution: cityOfSeattle.origin, licence: cityOfSeattle.licence },
      ...{ name: 'Public schools', measure: 'Schools', rows: schools },
    },
    covers: [-122.42, 47.51, -122.25, 47.73],
    farParts: [],
    names: ['Seattle', 'Bellevue'],
  },
  {
    id: 'look-bayern',
    name: 'Bayern',
    timeZone: 'Europe/Berlin',
    areas: { ...naturalEarth, name: 'Länder', shapes: () => readRegions('DE') },
    area: 'DE-BY',
    records: {
      ...{ ...geoNames, name: 'Orte in Bayern', measure: 'People' },
      rows: () => listTowns(['DE'], '02'),
    },
    covers: [9.5, 47.5, 13.3, 50.2],
    farParts: [],
    names: ['Munich', 'München', 'Nürnberg', 'Nuremberg', 'Augsburg'],
  },
  {
    id: 'look-india',
    name: 'India',
    timeZone: 'Asia/Kolkata',
    areas: { ...naturalEarth, name: 'States and territories', shapes: () => readRegions('IN') },
    area: null,
    records: { ...{ ...geoNames, name: 'Towns of India', measure: 'People' }, rows: () => listTowns(['IN']) },
    covers: [69, 9, 94, 34],
    farParts: [],
    names: ['Delhi', 'New Delhi', 'Mumbai', 'Kolkata', 'Bengaluru', 'Chennai', 'Hyderabad'],
  },
  {
    id: 'look-fiji',
    name: 'Fiji',
    timeZone: 'Pacific/Fiji',
    areas: { ...naturalEarth, name: 'Divisions', shapes: () => readRegions('FJ') },
    area: null,
    records: { ...{ ...geoNames, name: 'Towns of Fiji', measure: 'People' }, rows: () => listTowns(['FJ']) },
    // The main islands: Rotuma is an inset of the still map, and a button of the live one.
    covers: [176.9, -19.3, 181.6, -16],
    farParts: ['Rotuma'],
    names: ['Suva', 'Lautoka', 'Labasa', 'Nadi'],
  },
  {
    id: 'look-france',
    name: 'France',
    timeZone: 'Europe/Paris',
    areas: { ...naturalEarth, name: 'Départements', shapes: () => readRegions('FR') },
    area: null,
    // GeoNames lists the overseas departments as countries.
    records: {
      ...{ ...geoNames, name: 'Communes de France', measure: 'People' },
      rows: () => listTowns(['FR', 'GP', 'MQ', 'GF', 'RE', 'YT']),
    },
    // The mainland: overseas departments are insets of the still map, and buttons of the live one.
    covers: [-4.5, 42, 8, 51],
    farParts: ['Guyane française', 'La Réunion', 'Martinique, Guadeloupe', 'Clipperton Island'],
    names: ['Paris', 'Lyon', 'Marseille', 'Toulouse', 'Bordeaux', 'Nantes', 'Lille'],
  },
]
