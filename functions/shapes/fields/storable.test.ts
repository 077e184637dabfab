import { describe, expect, it } from 'vitest'
import type { Field, FieldSchema, FieldType } from '../field.ts'
import type { Geometry } from './geometry.ts'
import { primaryGeometry, storable } from './storable.ts'

const field = (type: FieldType, more: Partial<Field> = {}): Field => ({ name: 'A', type, ...more })
const point = (longitude: number): Geometry => ({ type: 'Point', coordinates: [longitude, 1] })
const line: Geometry = { type: 'LineString', coordinates: [[1, 1], [2, 2]] } // prettier-ignore
const multiline: Geometry = { type: 'MultiLineString', coordinates: [line.coordinates] }
const polygon: Geometry = { type: 'Polygon', coordinates: [[[1, 1], [2, 1], [2, 2], [1, 1]]] } // prettier-ignore
const multipolygon: Geometry = { type: 'MultiPolygon', coordinates: [polygon.coordinates] }

describe('the stored form of a record', () => {
  it('has the keys of the schema only, dates in UTC and bare geometries', () => {
    const keep = storable({
      name: field('text'),
      at: field('date'),
      days: field('array', { items: field('date') }),
      map: field('object', { schema: { at: field('date') } }),
      free: field('object'),
      place: field('point'),
      gone: field('text'),
    })
    const data = {
      gone: null,
      place: { ...point(1), bbox: [1, 1, 1, 1], properties: {} },
      free: { at: '2020-01-01T00:00:00', x: null },
      map: { at: '2020-01-01T00:00:00.1234', other: 1 },
      days: ['2020-01-01T00:00:00', null, new Date(0)],
      at: '2020-01-01T00:00:00',
      name: '',
      other: 1,
    }
    const before = structuredClone(data)
    const storedRecord = keep(data)
    expect(storedRecord).toEqual({
      name: '',
      at: '2020-01-01T00:00:00.000Z',
      days: ['2020-01-01T00:00:00.000Z', null, '1970-01-01T00:00:00.000Z'],
      map: { at: '2020-01-01T00:00:00.123Z' },
      free: { at: '2020-01-01T00:00:00', x: null },
      place: point(1),
    })
    expect(Object.keys(storedRecord)).toEqual(['name', 'at', 'days', 'map', 'free', 'place'])
    expect(data).toEqual(before)
  })
  it('cannot set or read a prototype', () => {
    const schema = Object.fromEntries([['__proto__', field('text')]])
    const storedRecord = storable(schema)(JSON.parse('{"__proto__":"x"}') as Record<string, unknown>)
    expect(Object.getPrototypeOf(storedRecord)).toBe(Object.prototype)
    expect(Object.entries(storedRecord)).toEqual([['__proto__', 'x']])
    expect(storable({ constructor: field('text') } as unknown as FieldSchema)({})).toEqual({})
  })
})

describe('the primary geometry', () => {
  const schema: FieldSchema = {
    name: field('text'),
    p: field('point'),
    p2: field('point'),
    ps: field('array', { items: field('point') }),
    l: field('line'),
    m: field('object', { schema: { ml: field('multiline') } }),
    po: field('polygon'),
    mps: field('array', { items: field('array', { items: field('multipolygon') }) }),
  }
  const cases: [string, Record<string, unknown>, Geometry | null][] = [
    ['nothing', { name: 'x' }, null],
    ['nulls', { p: null, ps: [null], mps: [null, [null]], m: null }, null],
    ['a point', { p2: point(2) }, point(2)],
    ['the first of two points', { p2: point(2), p: point(1) }, point(1)],
    ['the first point of a list', { ps: [null, point(3), point(4)] }, point(3)],
    ['a line before points', { p: point(1), l: line }, line],
    ['lines in a map before a line', { l: line, m: { ml: multiline } }, multiline],
    ['the first of multiline and polygon', { po: polygon, m: { ml: multiline } }, multiline],
    ['a polygon', { po: polygon, l: line }, polygon],
    ['a multipolygon in lists of lists', { po: polygon, mps: [[], [multipolygon]] }, multipolygon],
  ]
  it.each(cases)('is %s', (_, data, geometry) => {
    expect(primaryGeometry(schema)(data)).toEqual(geometry)
  })
  it('is null for a schema without geometry', () => {
    expect(primaryGeometry({ a: field('array', { items: field('text') }) })({ a: [point(1)] })).toBeNull()
  })
})
