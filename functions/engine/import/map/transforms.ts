import { computeCentroid } from '#functions/shapes/fields/centroid.ts'
import { geoJsonTypes, type Geometry } from '#functions/shapes/fields/geometry.ts'
import { isPlainObject } from '#functions/shapes/fields/plain.ts'
import { geometryTypes } from '#functions/shapes/field.ts'
import { wallTime } from '#functions/shapes/wall-time.ts'
import { instantRead } from './dates.ts'
import { checkGeometry, parseShape } from './geometry.ts'
import { toGuid } from './guid.ts'
import { booleanReader, dateReader, numberReader, readText, type Reader } from './read.ts'
import { isBlank, isNoValue, Refusal, type ColumnReading } from './reading.ts'
import { simplifyGeometry } from './simplify.ts'
import { convert } from './units.ts'
import type { Zone } from '#functions/shapes/zone.ts'

/** The context of a transform: the time zone, and the reading of its column. */
interface Surroundings {
  zone: Zone
  reading: ColumnReading
}

/** Computes a value, undefined for none, or the reason for rejecting the row. Its arguments have been validated. */
export type Run = (...values: unknown[]) => unknown

type Maker = (around: Surroundings) => Run

/** For transforms that depend on their arguments only, whose types were checked against the table. */
const createMaker =
  <Values extends unknown[]>(run: (...values: Values) => unknown): Maker =>
  () =>
    run as Run

const capitalizeFirstLetter = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const isPresent = (value: unknown) => value !== null && value !== undefined

/**
 * The transforms of mappings, by name; except `phone`, whose numbering plans are loaded on demand. `createPoint` and the
 * like parse texts by the column's reading.
 */
export const makers: Readonly<Record<string, Maker>> = {
  normalize: createMaker((text: string) => text.trim().replace(/\s+/g, ' ').toLowerCase() || undefined),
  capitalize: createMaker(capitalizeFirstLetter),
  capitalizeWords: createMaker((text: string) =>
    text.replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, (char) => char.toUpperCase()),
  ),
  guid:
    () =>
    (...values) =>
      join(values, '-', (date) => date.toISOString(), toGuid),
  slug:
    ({ zone }) =>
    (...values) =>
      join(values, ' ', (date) => localDay(date, zone), toSlug),
  split: createMaker((text: string, separator?: string) => text.split(separator ?? ', ')),
  join: createMaker((list: unknown[], separator?: string) => joinList(list, separator ?? ', ')),
  convert: createMaker((number: number, from: string, to: string) => {
    const result = convert(number, from, to)
    return typeof result === 'string' ? new Refusal(result, number) : result
  }),
  add: createMaker((...numbers: number[]) => numbers.reduce((sum, number) => sum + number)),
  subtract: createMaker((...numbers: number[]) => numbers.reduce((rest, number) => rest - number)),
  compact: createMaker((list: unknown[]) =>
    list.filter((item) => isPresent(item) && item !== '' && item !== false),
  ),
  flatten: createMaker((list: unknown[]) => list.flat()),
  concatenate: createMaker((...lists: unknown[][]) => lists.flat()),
  simplifyGeometry: createMaker((shape: unknown, tolerance?: number) =>
    onShape(shape, (geometry) => simplifyGeometry(geometry, tolerance ?? 1)),
  ),
  centroid: createMaker((shape: unknown) =>
    onShape(shape, (geometry) => ({ type: 'Point', coordinates: computeCentroid(geometry) })),
  ),
  ensureMulti: createMaker((shape: unknown) => onShape(shape, ensureMulti)),
  createBoolean: ({ reading }) => trim(booleanReader(reading)),
  createNumber: ({ reading }) => trim(numberReader(reading)),
  createString: createMaker(asText),
  createDate: ({ reading, zone }) => {
    const readColumnDate = trim(dateReader(reading, zone))
    return (value) => (typeof value === 'number' ? fromMilliseconds(value) : readColumnDate(value))
  },
  createArray: createMaker((...values: unknown[]) => values.filter(isPresent)),
  createPoint: ({ reading }) =>
    coordinates(reading, ([lon, lat]) => ({ type: 'Point', coordinates: [lon, lat] })),
  createLineString: ({ reading }) =>
    coordinates(reading, ([a, b, c, d]) => ({
      type: 'LineString',
      coordinates: [
        [a, b],
        [c, d],
      ],
    })),
}

/** Trims a text; undefined for a missing value. */
const trim =
  (read: Reader): Run =>
  (value) => {
    const text = typeof value === 'string' ? value.trim() : value
    return typeof text === 'string' && isNoValue(text) ? undefined : read(text)
  }

function fromMilliseconds(value: number): unknown {
  const date = instantRead(value)
  return 'iso' in date ? date.iso : new Refusal(date.fault, value)
}

function asText(value: unknown): unknown {
  if (Array.isArray(value)) return joinList(value, ', ')
  return isPlainObject(value) ? JSON.stringify(value) : readText(value)
}

function joinList(list: unknown[], separator: string): unknown {
  const texts = list.filter(isPresent).map(asText)
  return texts.find((text) => text instanceof Refusal) ?? texts.join(separator)
}

/** Joins all present values, then converts the result; undefined if there are none. */
function join(
  values: unknown[],
  separator: string,
  dateText: (date: Date) => string,
  finish: (text: string) => string,
): unknown {
  const texts = values
    .filter(isPresent)
    .map((value) =>
      value instanceof Date && !Number.isNaN(value.getTime()) ? dateText(value) : asText(value),
    )
  const refusal = texts.find((text) => text instanceof Refusal)
  if (refusal) return refusal
  const text = texts.filter((part) => typeof part === 'string' && !isBlank(part)).join(separator)
  return text === '' ? undefined : finish(text) || undefined
}

function localDay(date: Date, zone: Zone): string {
  return new Date(wallTime(date.getTime(), zone.name)).toISOString().slice(0, 10)
}

/** Letters and digits of all scripts in lower case, accents of Latin letters off, a dash for whatever is between. */
function toSlug(text: string): string {
  const bare = text.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase()
  return bare
    .normalize('NFC')
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}

/** `shape` as GeoJSON, a feature or text; undefined for an empty one. */
function onShape(input: unknown, run: (geometry: Geometry) => unknown): unknown {
  const shape = parseShape(input, true)
  if (shape === null) return undefined
  if (shape instanceof Refusal) return shape
  const type = geometryTypes.find((name) => geoJsonTypes[name] === shape.type)
  if (!type) return new Refusal(`A ${String(shape.type).slice(0, 40)}, which is no type of a field.`, input)
  const checked = checkGeometry(shape, type)
  return typeof checked === 'string' ? new Refusal(`Not a shape: ${checked}.`, input) : run(checked)
}

function ensureMulti(shape: Geometry): Geometry {
  if (shape.type === 'LineString') return { type: 'MultiLineString', coordinates: [shape.coordinates] }
  return shape.type === 'Polygon' ? { type: 'MultiPolygon', coordinates: [shape.coordinates] } : shape
}

/** A geometry from numbers; undefined where one of them is missing. */
function coordinates(reading: ColumnReading, make: (numbers: number[]) => unknown): Run {
  const readColumnNumber = trim(numberReader(reading))
  return (...values) => {
    const numbers: number[] = []
    for (const value of values) {
      const number = readColumnNumber(value)
      if (number instanceof Refusal) return number
      if (isPresent(number)) numbers.push(number as number)
    }
    return numbers.length === values.length ? make(numbers) : undefined
  }
}
