import type { Feature, Geometry } from 'geojson'
import { UnreadableError, type Batch } from '../row.ts'
import { projectionByName, describeUnknownSystem } from './crs.ts'
import { createPointLimitIssue } from './caps.ts'
import { addFeature } from './feature.ts'
import type { Project } from './geometry.ts'
import { addJson } from './json.ts'
import { JsonScanner, type CapturedValue } from './json-scan.ts'
import { measureJson } from './measure.ts'
import type { ParsedSource } from './reading.ts'
import { batches, Sink } from './sink.ts'
import { openText } from './text.ts'

const [inList, crs, root] = [0, 1, 2]

/**
 * Reads the features of a collection one by one; a single feature or geometry is one row. A `crs` member of the older
 * standard is applied if it precedes the features.
 */
export function readGeojson(reading: ParsedSource): AsyncGenerator<Batch> {
  const sink = new Sink(reading)
  let project: Project | null = null
  let isCollection = false

  function applyCrs({ text, isLong }: CapturedValue) {
    const value = isLong ? undefined : parse(text)
    if (value === null) return
    if (typeof value !== 'object')
      throw new UnreadableError('The member "crs" cannot be read: it should name a system.')
    const { properties } = value as { properties?: { name?: unknown } | null }
    const name = properties?.name
    const projection = typeof name === 'string' ? projectionByName(name) : null
    if (projection === 'same') return
    const display = (typeof name === 'string' ? name : text).slice(0, 100)
    if (!projection) throw new UnreadableError(describeUnknownSystem(display))
    if (sink.count)
      throw new UnreadableError(
        `The coordinates are in ${display}, which is said only after features: say it before them.`,
      )
    project = projection
    sink.notice('info', `Coordinates are in ${display}: they are put into longitude and latitude.`)
  }

  const addCapturedFeature = (captured: CapturedValue, encoding: string) => {
    const { points, line } = captured
    const most = reading.caps.points
    if (points > most)
      return sink.reject({ field: 'geometry', ...createPointLimitIssue(points, most) }, { line })
    addJson(captured, encoding, reading, sink, (value) => {
      const feature = toFeature(value)
      if (feature) addFeature(feature, { line }, sink, project)
      else
        sink.reject(
          { field: null, message: 'This is not a feature of GeoJSON.', value: captured.text },
          { line },
        )
    })
  }

  async function* steps() {
    const open = await openText(reading, sink)
    const scanner = new JsonScanner({
      selectors: [['features', '*'], ['crs'], []],
      caps: reading.caps,
      onValue(captured) {
        if (captured.selector === crs) applyCrs(captured)
        else if (captured.selector === inList) {
          isCollection = true
          scanner.drop(root)
          addCapturedFeature(captured, open.encoding)
        } else if (!isCollection) addDocument(captured, open.encoding)
      },
    })
    for await (const piece of open.pieces) {
      scanner.push(piece)
      yield
    }
    scanner.finish()
  }

  function addDocument(captured: CapturedValue, encoding: string) {
    if (captured.isLong) return addCapturedFeature(captured, encoding)
    const value = parse(captured.text)
    const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined
    const isList =
      typeof value === 'object' && value !== null && 'features' in value && Array.isArray(value.features)
    if (isList || type === 'FeatureCollection') return sink.notice('warn', 'The collection has no features.')
    if (value !== undefined && type === undefined)
      throw new UnreadableError('This is JSON, but not GeoJSON: it has neither features nor a type.')
    addCapturedFeature(captured, encoding)
  }

  /** The parsed value of a text; undefined where it is invalid, or too large for `addJson`. */
  function parse(text: string): unknown {
    if (measureJson(text).members > reading.caps.members) return undefined
    return safe(text)
  }
  return batches(sink, steps())
}

function safe(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns a feature, or a geometry wrapped in one; null for anything else. */
function toFeature(value: unknown): Feature<Geometry | null> | null {
  if (typeof value !== 'object' || value === null || !('type' in value)) return null
  if (value.type !== 'Feature') {
    if (!('coordinates' in value) && value.type !== 'GeometryCollection') return null
    return { type: 'Feature', properties: {}, geometry: value as Geometry }
  }
  const feature = value as Feature<Geometry | null>
  return { ...feature, properties: feature.properties ?? {}, geometry: feature.geometry ?? null }
}
