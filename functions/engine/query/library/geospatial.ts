import { sql } from 'kysely'
import type { Argument, LanguageFunction, Value } from '../types.ts'
import { parseGeoJson } from './geojson.ts'
import { findComplexityProblem, findPairCountProblem } from './intricate.ts'

/** In the order of the published API, whose messages list them. */
const anyGeometry: Argument['types'] = ['point', 'polygon', 'multipolygon', 'line', 'multiline', 'geometry']
const two: Argument[] = [
  { name: 'Geometry A', types: anyGeometry, required: true },
  { name: 'Geometry B', types: anyGeometry, required: true },
]
const number = (name: string): Argument => ({ name, types: ['number'], required: true })
const meters = (type: 'area' | 'distance') =>
  ({ type: 'number', measurement: { type, value: 'meter' } }) as const
const readText = ([text]: readonly Value[]) => parseGeoJson(text?.kind === 'constant' ? text.literal : null)

/** The geometries that are constants of the query. */
const broughtIn = (values: readonly Value[]) =>
  values.flatMap((value) => {
    if (value.kind !== 'call' || value.function.key !== 'geojson') return []
    const input = readText(value.arguments)
    return typeof input === 'string' ? [] : [input.geometry]
  })

/** Square metres on the spheroid. */
const area: LanguageFunction = {
  key: 'area',
  name: 'Area',
  notes: 'The area of a polygon in square metres',
  category: 'Geospatial',
  signature: [{ name: 'Geometry', types: ['polygon', 'multipolygon'], required: true }],
  returns: { static: meters('area') },
  aggregate: false,
  compile: ([shape]) => sql`ST_Area((${shape.sql})::geography)`,
}

/** Metres on the spheroid. */
const length: LanguageFunction = {
  key: 'length',
  name: 'Length',
  notes: 'The length of a line in metres',
  category: 'Geospatial',
  signature: [{ name: 'Geometry', types: ['line', 'multiline'], required: true }],
  returns: { static: meters('distance') },
  aggregate: false,
  compile: ([shape]) => sql`ST_Length((${shape.sql})::geography)`,
}

/** The shortest distance in metres on the spheroid; 0 where the two touch. */
const distance: LanguageFunction = {
  key: 'distance',
  name: 'Distance',
  notes: 'The shortest distance in metres',
  category: 'Geospatial',
  signature: two,
  returns: { static: meters('distance') },
  aggregate: false,
  refuses: (values) => {
    const [a, b] = broughtIn(values)
    return a && b && findPairCountProblem(a, b)
  },
  compile: ([a, b]) => sql`ST_Distance((${a.sql})::geography, (${b.sql})::geography)`,
}

/** Whether two geometries share a point, on the plane of longitude and latitude. */
const intersects: LanguageFunction = {
  key: 'intersects',
  name: 'Intersects',
  notes: 'Whether two geometries share a point',
  category: 'Geospatial',
  signature: two,
  returns: { static: { type: 'boolean' } },
  aggregate: false,
  compile: ([a, b]) => sql`ST_Intersects(${a.sql}, ${b.sql})`,
}

/** The geometry of a GeoJSON text, made valid. Collections become the union of their geometries. */
const geojson: LanguageFunction = {
  key: 'geojson',
  name: 'Create Geometry',
  notes: 'The geometry written in a GeoJSON text',
  category: 'Geospatial',
  signature: [{ name: 'GeoJSON Text', types: ['text'], required: true }],
  returns: {
    dynamic: (values) => {
      const input = readText(values)
      return { type: typeof input === 'string' ? 'geometry' : input.type }
    },
  },
  aggregate: false,
  refuses: (values) => {
    const input = readText(values)
    return typeof input === 'string' ? input : findComplexityProblem(input.geometry)
  },
  compile: ([text]) => {
    const result = parseGeoJson(text.literal)
    if (typeof result === 'string') throw new TypeError(result)
    const valid = sql`ST_MakeValid(ST_GeomFromGeoJSON(${JSON.stringify(result.geometry)}::text))`
    return result.geometry.geometries ? sql`ST_UnaryUnion(${valid})` : valid
  },
}

/** The box between two corners, in degrees. */
const boundingBox: LanguageFunction = {
  key: 'boundingBox',
  name: 'Create Bounding Box',
  notes: 'The box between two corners, in degrees',
  category: 'Geospatial',
  signature: [number('X Min'), number('Y Min'), number('X Max'), number('Y Max')],
  returns: { static: { type: 'polygon' } },
  aggregate: false,
  compile: (corners) => sql`ST_MakeEnvelope(${sql.join(corners.map(({ sql: corner }) => corner))}, 4326)`,
}

export const geospatial: readonly LanguageFunction[] = [
  area,
  length,
  distance,
  intersects,
  geojson,
  boundingBox,
]
