import { describe, expect, it } from 'vitest'
import type { GeometryType } from '../field.ts'
import { geometryFault, maxPositions } from './geometry.ts'
import { positionMessages } from './positions.ts'
import { quickest } from './timing.testing.ts'

const ring = [
  [1, 1],
  [2, 1],
  [2, 2],
  [1, 1],
]
const point = (coordinates: unknown, more = {}) => ({ type: 'Point', coordinates, ...more })
const line = (coordinates: unknown) => ({ type: 'LineString', coordinates })
const multiline = (coordinates: unknown) => ({ type: 'MultiLineString', coordinates })
const polygon = (coordinates: unknown) => ({ type: 'Polygon', coordinates })
const multipolygon = (coordinates: unknown) => ({ type: 'MultiPolygon', coordinates })

const good: [GeometryType, unknown][] = [
  ['point', point([-73.9, 40.7])],
  ['point', point([180, 90])],
  ['point', point([-180, -90])],
  ['point', point([0, 1e-9])],
  ['point', point([1, 2, 1e9])],
  ['point', point([1.123456789012345, 2])],
  ['point', point([1, 2], { properties: { a: 1 } })],
  ['point', point([1, 2], { bbox: [1, 2, 1, 2] })],
  ['point', point([1, 2], { bbox: [1, 2, 3, 1, 2, 3] })],
  ['point', point([1, 2], { crs: null })],
  ['line', line([[1, 2], [3, 4]])],
  ['multiline', multiline([[[1, 2], [3, 4]], [[5, 6], [7, 8], [9, 9]]])],
  ['polygon', polygon([ring])],
  ['polygon', polygon([[...ring].reverse()])],
  ['polygon', polygon([ring, ring])],
  ['multipolygon', multipolygon([[ring], [ring, ring]])],
] // prettier-ignore

const formatCoordinatesError = (text: string) => `Invalid coordinates - ${text}`
const bad: [GeometryType, unknown, string][] = [
  ['point', null, 'Not a valid object'],
  ['point', 'POINT(1 2)', 'Not a valid object'],
  ['point', [1, 2], 'Not a valid object'],
  ['point', new Map(), 'Not a valid object'],
  ['point', {}, 'Not a valid type value (Expected Point not undefined)'],
  ['point', { type: null }, 'Not a valid type value (Expected Point not null)'],
  ['point', { type: 5 }, 'Not a valid type value (Expected Point not 5)'],
  ['point', { type: { toString: 1 } }, 'Not a valid type value (Expected Point not [object Object])'],
  ['point', { type: ['Point'] }, 'Not a valid type value (Expected Point not [object Array])'],
  ['point', { type: 'point' }, 'Not a valid type value (Expected Point not point)'],
  ['point', { type: 'x'.repeat(99) }, `Not a valid type value (Expected Point not ${'x'.repeat(64)})`],
  ['point', { type: 'Feature', geometry: point([1, 2]) }, 'Not a valid type value (Expected Point not Feature)'],
  ['line', point([1, 2]), 'Not a valid type value (Expected LineString not Point)'],
  ['multiline', line([]), 'Not a valid type value (Expected MultiLineString not LineString)'],
  ['polygon', multipolygon([]), 'Not a valid type value (Expected Polygon not MultiPolygon)'],
  ['multipolygon', polygon([]), 'Not a valid type value (Expected MultiPolygon not Polygon)'],
  ['point', point(undefined), formatCoordinatesError('Coordinates not an array')],
  ['point', point('1,2'), formatCoordinatesError('Coordinates not an array')],
  ['point', point({ 0: 1, 1: 2, length: 2 }), formatCoordinatesError('Coordinates not an array')],
  ['point', point([]), formatCoordinatesError('Coordinates array is empty')],
  ['point', point([1]), formatCoordinatesError('Latitude not a number, got undefined')],
  ['point', point([1, '2']), formatCoordinatesError('Latitude not a number, got string')],
  ['point', point([1, null]), formatCoordinatesError('Latitude not a number, got object')],
  ['point', point([1, Number.NaN]), formatCoordinatesError('Latitude not a number, got NaN')],
  ['point', point([1, 90.001]), formatCoordinatesError('Latitude greater than 90')],
  ['point', point([1, Infinity]), formatCoordinatesError('Latitude greater than 90')],
  ['point', point([1, -90.001]), formatCoordinatesError('Latitude less than -90')],
  ['point', point([200, 100]), formatCoordinatesError('Latitude greater than 90')],
  ['point', point(['1', 2]), formatCoordinatesError('Longitude not a number, got string')],
  ['point', point([Number.NaN, 2]), formatCoordinatesError('Longitude not a number, got NaN')],
  ['point', point([-180.001, 2]), formatCoordinatesError('Longitude less than -180')],
  ['point', point([180.001, 2]), formatCoordinatesError('Longitude greater than 180')],
  ['point', point([0, 0]), formatCoordinatesError('Longitude and latitude were both 0')],
  ['point', point([-0, 0]), formatCoordinatesError('Longitude and latitude were both 0')],
  ['line', line([[1, 2], [0, 0], [1, 99]]), formatCoordinatesError('Longitude and latitude were both 0')],
  ['line', line([[1, 2], 3]), formatCoordinatesError('Coordinates not an array')],
  ['line', line([[1, 2], []]), formatCoordinatesError('Coordinates array is empty')],
  ['polygon', polygon([ring, [[1, 1], [1, 95]]]), formatCoordinatesError('Latitude greater than 90')],
  ['point', point([1, 2], { crs: { properties: { name: 'EPSG:3857' } } }), 'old-style crs member is not recommended'],
  ['point', point([1, 2], { crs: { properties: { name: 'urn:ogc:def:crs:OGC:1.3:CRS84' } } }),
    'old-style crs member is not recommended, this object is equivalent to the default and should be removed'],
  ['point', point([1, 2], { bbox: 5 }), 'bbox member must be an array of numbers, but is a number'],
  ['point', point([1, 2], { bbox: [1, 2, 3, 'x'] }), 'each element in a bbox member must be a number'],
  ['point', point([1, 2], { bbox: [1, 2, 3] }), 'bbox must contain 4 elements (for 2D) or 6 elements (for 3D)'],
  ['point', point([1, 2], { geometry: null }), 'geometry object cannot contain a "geometry" member'],
  ['point', point([1, 2], { features: [] }), 'geometry object cannot contain a "features" member'],
  ['point', point([1, 2, 3, 4]), positionMessages.long],
  ['point', point([1, 2, 'x']), positionMessages.notNumbers],
  ['point', point([[1, 2]]), positionMessages.short],
  ['point', point([[1, 2], [3, 4]]), positionMessages.notNumbers],
  ['line', line([1, 2]), 'position should be an array, is a number instead'],
  ['line', line([[1, 2]]), positionMessages.shortLine],
  ['line', line([[[1, 2], [3, 4]], [[1, 2], [3, 4]]]), positionMessages.notNumbers],
  ['multiline', multiline([1, 2]), positionMessages.shallow],
  ['multiline', multiline([[1, 2], [3, 4]]), 'position should be an array, is a number instead'],
  ['multiline', multiline([[[1, 2]]]), positionMessages.shortLine],
  ['polygon', polygon([1, 2]), positionMessages.shallow],
  ['polygon', polygon(ring), positionMessages.shallow],
  ['polygon', polygon([ring.slice(0, 3)]), positionMessages.shortRing],
  ['polygon', polygon([[...ring.slice(0, 3), [1, 3]]]), positionMessages.openRing],
  ['polygon', polygon([[[1, 1, 5], ...ring.slice(1)]]), positionMessages.openRing],
  ['polygon', polygon([[1, 2, [3, 4], [1, 2]]]), positionMessages.openRing],
  ['polygon', polygon([[[1, 1, 1, 1], [2, 1], [2, 2], [1, 1, 1, 1]]]), positionMessages.long],
  ['multipolygon', multipolygon([ring]), positionMessages.shallow],
  ['multipolygon', multipolygon([[ring], [ring.slice(0, 2)]]), positionMessages.shortRing],
] // prettier-ignore

const wording = {
  long: 'position should not have more than 3 elements',
  short: 'position must have 2 or more elements',
  notNumbers: 'each element in a position must be a number',
  shortLine: 'a line needs to have two or more coordinates to be valid',
  shortRing: 'a LinearRing of coordinates needs to have four or more positions',
  openRing: 'the first and last positions in a LinearRing of coordinates must be the same',
  shallow:
    'a number was found where a coordinate array should have been found: this needs to be nested more deeply',
}

function circle(positions: number): number[][] {
  const open = Array.from({ length: positions - 1 }, (_, index) => {
    const angle = (index / (positions - 1)) * 2 * Math.PI
    return [10 + Math.cos(angle), 10 + Math.sin(angle)]
  })
  return [...open, open[0]!]
}

function deep(levels: number, core: string): unknown {
  return JSON.parse('['.repeat(levels) + core + ']'.repeat(levels)) as unknown
}

describe('geometry', () => {
  it.each(good)('%s %j is valid', (type, value) => {
    expect(geometryFault(value, type)).toBeNull()
  })
  it.each(bad)('%s %j: %s', (type, value, message) => {
    expect(geometryFault(value, type)).toBe(message)
  })
  it('has the messages that clients compare', () => {
    expect(positionMessages).toMatchObject(wording)
  })
  it('accepts 100,000 positions and no more', () => {
    expect(geometryFault(polygon([circle(maxPositions)]), 'polygon')).toBeNull()
    expect(geometryFault(polygon([circle(maxPositions + 1)]), 'polygon')).toBe(
      formatCoordinatesError('More than 100000 positions'),
    )
  })
  it('rejects a million positions early', () => {
    const huge = line(circle(1_000_000))
    expect(geometryFault(huge, 'line')).toBe(formatCoordinatesError('More than 100000 positions'))
    expect(quickest(() => geometryFault(huge, 'line'))).toBeLessThan(100)
  })
  it.each([
    [100_000, '', formatCoordinatesError('Coordinates array is empty')],
    [100_000, '0,0', formatCoordinatesError('Longitude and latitude were both 0')],
    [100_000, '1,2', positionMessages.short],
  ])('does not exhaust the stack with %i levels around [%s]', (levels, core, message) => {
    expect(geometryFault(point(deep(levels, core)), 'point')).toBe(message)
  })
})
