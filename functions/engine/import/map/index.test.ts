import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { isPlainObject } from '#functions/shapes/fields/plain.ts'
import { recordChecker } from '#functions/shapes/fields/record.ts'
import { storable, storableMade } from '#functions/shapes/fields/storable.ts'
import {
  listNamedSets,
  readMapping,
  withSets,
  type Mapping,
  type MappingValue,
} from '#functions/shapes/importer-mapping.ts'
import { transforms } from '#functions/shapes/importer-transforms.ts'
import { findCountryCode } from '#functions/shapes/region-codes.ts'
import { toGuid } from './guid.ts'
import { mapper, listUnknownTargets, type MapperOptions } from './index.ts'
import { makers } from './transforms.ts'
import { convert } from './units.ts'

const options: MapperOptions = { timeZone: 'America/New_York' }
const schema: FieldSchema = {
  id: { name: 'Id', type: 'text' },
  n: { name: 'N', type: 'number' },
  on: { name: 'On', type: 'boolean' },
  at: { name: 'At', type: 'date' },
  list: { name: 'List', type: 'array', items: { name: 'Item', type: 'text' } },
  point: { name: 'Point', type: 'point' },
  line: { name: 'Line', type: 'line' },
  polygon: { name: 'Polygon', type: 'polygon' },
  area: { name: 'Area', type: 'multipolygon' },
  owner: { name: 'Owner', type: 'object', schema: { name: { name: 'Name', type: 'text' } } },
  extra: { name: 'Extra', type: 'object' },
}
const at = { row: 7, line: 9 }

async function run(mapping: Mapping, value: unknown, mapperOptions: MapperOptions = options) {
  expect(readMapping(mapping).issues).toEqual([])
  const map = await mapper(mapping, schema, mapperOptions)
  return map({ at, value })
}
/** The value that one part of a mapping makes for a field. */
async function mapField(field: string, part: MappingValue, row: Record<string, unknown> = {}) {
  const result = await run({ [field]: part, extra: { field: 'always' } }, { ...row, always: { is: 1 } })
  if (result && 'value' in result) return result.value[field]
  return result?.rejects.map(({ message }) => message)
}
const call = (transform: string, ...list: MappingValue[]): MappingValue => ({ transform, arguments: list })
const toFieldMapping = (field: string): MappingValue => ({ field })

describe('a mapping', () => {
  test('that is empty maps columns to fields of the same name', async () => {
    const value = { id: '007', n: '1,234.5', other: 'x', owner: { name: 'Ada', age: 3 } }
    expect(await run({}, value)).toEqual({ value: { id: '007', n: 1234.5, owner: { name: 'Ada' } } })
  })
  test('reads from nested paths, and writes into nested maps', async () => {
    const mapping = {
      id: toFieldMapping('a.b'),
      'owner.name': toFieldMapping('x\\.y'),
      'extra.deep.er': toFieldMapping('list.1'),
    }
    const value = { a: { b: 5 }, 'x.y': 'Ada', list: [0, { k: 1 }] }
    expect(await run(mapping, value)).toEqual({
      value: { id: '5', owner: { name: 'Ada' }, extra: { deep: { er: { k: 1 } } } },
    })
  })
  test("reads a column's words for missing values as missing, also within a transform", async () => {
    const columns = { lon: { missing: ['-999'] }, n: { missing: ['-999'] } }
    const mapperOptions = { ...options, columns }
    const mapping = {
      n: toFieldMapping('n'),
      point: call('createPoint', toFieldMapping('lon'), toFieldMapping('lat')),
      id: toFieldMapping('id'),
    }
    expect(await run(mapping, { n: -999, lon: -999, lat: 4, id: 'a' }, mapperOptions)).toEqual({
      value: { id: 'a' },
    })
    expect(
      await run(
        { n: { field: 'n', defaultValue: 1 }, id: toFieldMapping('id') },
        { n: '-999', id: 'a' },
        mapperOptions,
      ),
    ).toEqual({
      value: { n: 1, id: 'a' },
    })
  })
  test('leaves missing fields out, or uses their default', async () => {
    expect(await run({ id: toFieldMapping('a'), n: toFieldMapping('b') }, { a: 'x', b: ' ' })).toEqual({
      value: { id: 'x' },
    })
    const other = { field: 'b', defaultValue: { field: 'c', defaultValue: 3 } }
    expect(await run({ id: toFieldMapping('a'), n: other }, { a: 'x', b: 'N/A' })).toEqual({
      value: { id: 'x', n: 3 },
    })
    expect(
      await mapField(
        'n',
        {
          ...(call('add', toFieldMapping('a'), toFieldMapping('b')) as object),
          defaultValue: 9,
        } as MappingValue,
        {
          a: 1,
        },
      ),
    ).toBe(9)
  })
  test('skips an empty row', async () => {
    expect(await run({ id: toFieldMapping('a'), n: 5 }, { a: ' ' })).toBeNull()
    expect(await run({ id: toFieldMapping('a') }, null)).toBeNull()
    expect(await run({ n: 5 }, {})).toEqual({ value: { n: 5 } })
  })
  test('reports every issue of a row, with its field, position and value', async () => {
    const result = await run({}, { n: '12abc', at: '1/2/2019', list: ['a', {}], owner: { name: [1] } })
    expect(result).toEqual({
      rejects: [
        { at, field: 'n', message: 'Not a number.', value: '12abc' },
        {
          at,
          field: 'at',
          message: expect.stringContaining('May be 2019-01-02') as string,
          value: '1/2/2019',
        },
        { at, field: 'list.1', message: 'A map, not a text.', value: '{}' },
        { at, field: 'owner.name', message: 'A list, not a text.', value: '[1]' },
      ],
    })
    expect(await run({}, { n: 'x'.repeat(500) })).toMatchObject({ rejects: [{ value: 'x'.repeat(200) }] })
    expect(await run({}, 5)).toEqual({
      rejects: [{ at, field: null, message: 'Not a map of values.', value: '5' }],
    })
  })
  test('parses columns in their detected format', async () => {
    const mapperOptions: MapperOptions = {
      ...options,
      columns: { 'a.n': { decimal: ',' }, d: { order: 'dayFirst' } },
    }
    const value = { a: { n: '1.234,5' }, d: '1/2/2019' }
    expect(await run({ n: toFieldMapping('a.n'), at: toFieldMapping('d') }, value, mapperOptions)).toEqual({
      value: { n: 1234.5, at: '2019-02-01T05:00:00.000Z' },
    })
    expect(
      await run(
        { n: call('createNumber', toFieldMapping('a.n')), at: call('createDate', toFieldMapping('d')) },
        value,
        mapperOptions,
      ),
    ).toEqual({
      value: { n: 1234.5, at: '2019-02-01T05:00:00.000Z' },
    })
  })
  test('lists targets that the data type does not have', () => {
    expect(listUnknownTargets({ id: 1, nope: 1, 'owner.age': 1, 'id.x': 1, 'extra.x': 1 }, schema)).toEqual([
      'nope',
      'owner.age',
      'id.x',
    ])
  })
  test('returns only records that the data type accepts, for any row', async () => {
    const map = await mapper({}, schema, options)
    const check = recordChecker(schema)
    const [toStored, toStoredMade] = [storable(schema), storableMade(schema)]
    const member = fc.oneof(
      fc.string(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.jsonValue(),
      fc.date(),
    )
    const rows = fc.record(Object.fromEntries(Object.keys(schema).map((key) => [key, member])), {
      requiredKeys: [],
    })
    fc.assert(
      fc.property(rows, (value) => {
        const result = map({ at, value })
        if (result && 'value' in result) {
          expect(check(result.value)).toEqual([])
          const storedValue = toStored(result.value)
          // So an importer may skip the general conversion of records: the stored form is the same.
          expect(toStoredMade(result.value)).toEqual(storedValue)
        }
        if (result && 'rejects' in result) expect(result.rejects.length).toBeGreaterThan(0)
      }),
      { numRuns: 500 },
    )
  })
})

test('every transform of the catalogue is implemented', () => {
  expect([...Object.keys(makers), 'phone', 'findPlace', 'findArea'].sort()).toEqual(
    Object.keys(transforms).sort(),
  )
})

test('areas are found in their sets, each of which is read once', async () => {
  const callFindArea = (...list: MappingValue[]) => call('findArea', toFieldMapping('ward'), ...list)
  const mapping: Mapping = {
    id: toFieldMapping('id'),
    point: {
      transform: 'findArea',
      arguments: [toFieldMapping('ward'), 'wards'],
      defaultValue: callFindArea('parishes', 'name'),
    },
    'extra.at': call('centroid', callFindArea('wards', 'code')),
  }
  expect(listNamedSets(mapping)).toEqual([
    { boundarySetId: 'wards', path: ['point', 'arguments', 1] },
    { boundarySetId: 'parishes', path: ['point', 'defaultValue', 'arguments', 1] },
  ])
  const renamed = withSets(mapping, (id, path) => `${id} ${path.length}`)
  expect(listNamedSets(renamed).map(({ boundarySetId }) => boundarySetId)).toEqual([
    ...['wards 3', 'parishes 4', 'wards 5'],
  ])
  expect(withSets(renamed, (id) => id.slice(0, -2))).toEqual(mapping)
  const read: string[] = []
  const areas: MapperOptions['areas'] = async ({ boundarySetId, path }) => {
    read.push(`${boundarySetId} ${path.join('.')}`)
    if (boundarySetId === 'parishes')
      return { title: 'Parishes', areas: [{ names: ['Hill'], code: null, point: [3, 3] }] }
    const ward = (code: string, name: string, x: number) => ({
      names: [name],
      code,
      point: [x, 0] as [number, number],
    })
    return { title: 'Wards', areas: [ward('07', 'North', 1), ward('08', 'Mill', 2), ward('09', 'Mill', 3)] }
  }
  const map = await mapper(mapping, schema, { ...options, areas })
  expect(read).toEqual(['wards point.arguments.1', 'parishes point.defaultValue.arguments.1'])
  const result = (ward: unknown) => {
    const whys: string[] = []
    const row = map({ at, value: { id: 'a', ward } }, undefined, (field, { kind }) =>
      whys.push(`${field} ${kind}`),
    )
    const point = row && 'value' in row ? (row.value['point'] as { coordinates: number[] } | undefined) : row
    return [point && 'coordinates' in point ? point.coordinates : point, ...whys]
  }
  // A spreadsheet's number.
  expect(result(7)).toEqual([[1, 0]])
  expect(result('north')).toEqual([[1, 0], 'extra.at unknown'])
  expect(result('hill')).toEqual([[3, 3], 'point unknown', 'extra.at unknown'])
  expect(result('Mill')).toEqual([undefined, 'point ambiguous', 'extra.at unknown'])
  expect(result(' ')).toEqual([undefined])
})

describe('texts', () => {
  test.each<[MappingValue, unknown]>([
    [call('normalize', '  Foo \n BAR '), 'foo bar'],
    [call('capitalize', 'new york'), 'New york'],
    [call('capitalizeWords', "o'brien of new-york"), "O'brien Of New-York"],
    [call('slug', 'Zürich', 'Straße 5!'), 'zurich-strasse-5'],
    [call('slug', toFieldMapping('missing'), 'a'), 'a'],
    [call('slug', toFieldMapping('missing')), undefined],
    [call('phone', '(212) 555-0100'), '+12125550100'],
    [call('phone', '020 7946 0958', 'GBR'), '+442079460958'],
    [call('phone', 2125550100), '+12125550100'],
    [call('phone', 'call me'), undefined],
    [call('phone', '1', 'XXX'), ['Not the code of a country: XXX']],
    [call('join', [1, 'b', null]), '1, b'],
    [call('createString', toFieldMapping('map')), '{"a":1}'],
    [call('createString', 12.5), '12.5'],
    [
      call('normalize', toFieldMapping('number')),
      ['Argument "text" for "normalize" must be of type: text, instead got number'],
    ],
  ])('%j', async (part, expected) =>
    expect(await mapField('id', part, { map: { a: 1 }, number: 5 })).toEqual(expected),
  )
  test('lists', async () => {
    expect(await mapField('list', call('split', 'a, b'))).toEqual(['a', 'b'])
    expect(await mapField('list', call('split', 'a;b', ';'))).toEqual(['a', 'b'])
    expect(await mapField('list', call('compact', ['a', '', null, 0]))).toEqual(['a', '0'])
    expect(await mapField('list', call('flatten', toFieldMapping('x')), { x: [['a'], 'b'] })).toEqual([
      'a',
      'b',
    ])
    expect(await mapField('list', call('concatenate', ['a'], ['b', 'c']))).toEqual(['a', 'b', 'c'])
    expect(
      await mapField('list', call('createArray', toFieldMapping('x'), 'b', toFieldMapping('y')), { x: 'a' }),
    ).toEqual(['a', 'b'])
  })
  test('a hashed id depends on the values only, and is a UUID of version 5', async () => {
    const id = await mapField('id', call('guid', toFieldMapping('a'), toFieldMapping('b')), { a: 'x', b: 5 })
    expect(id).toBe(toGuid('x-5'))
    const namespace = Buffer.from('6f1c9a523d845c0b9e27b1f0a4d8c6e3', 'hex')
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const bytes = createHash('sha1')
          .update(namespace)
          .update(new TextEncoder().encode(text))
          .digest()
          .subarray(0, 16)
        bytes[6] = (bytes[6]! & 0x0f) | 0x50
        bytes[8] = (bytes[8]! & 0x3f) | 0x80
        expect(toGuid(text).replaceAll('-', '')).toBe(bytes.toString('hex'))
      }),
    )
  })
  test('countries by two or three letters', () => {
    const names = new Intl.DisplayNames('en', { type: 'region' })
    expect([findCountryCode('deu'), findCountryCode('DE'), findCountryCode('XX')]).toEqual(['DE', 'DE', null])
    expect(names.of(findCountryCode('NZL')!)).toBe('New Zealand')
  })
})

describe('numbers', () => {
  test('add and subtract require all operands', async () => {
    expect(await mapField('n', call('add', toFieldMapping('a'), 2, 3), { a: 1 })).toBe(6)
    expect(await mapField('n', call('subtract', toFieldMapping('a'), 2, 3), { a: 10 })).toBe(5)
    expect(
      await mapField('n', call('add', toFieldMapping('a'), 2, toFieldMapping('b')), { a: 1 }),
    ).toBeUndefined()
    expect(await mapField('n', call('add', toFieldMapping('a'), 2), { a: '1' })).toEqual([
      'Argument "number" for "add" must be of type: number, instead got text',
    ])
  })
  test.each([
    [1, 'mile', 'kilometer', 1.609344],
    [72, 'in', 'feet', 6],
    [32, 'F', 'C', 0],
    [100, 'celsius', 'fahrenheit', 212],
    [0, 'C', 'K', 273.15],
    [36, 'km/h', 'm/s', 10],
    [1, 'acre', 'm2', 4046.8564224],
    [90, 'minutes', 'h', 1.5],
    [25, 'percent', 'decimal', 0.25],
    [5, 'mg/m3', 'microgram', 5000],
  ])('%s %s in %s is %s', (number, from, to, expected) => expect(convert(number, from, to)).toBe(expected))
  test('conversion round-trips to fourteen digits', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        fc.constantFrom(['mi', 'm'], ['f', 'c'], ['acre', 'ha'], ['kn', 'mph']),
        (number, [from, to]) => {
          const there = convert(number, from!, to!) as number
          expect(Math.abs((convert(there, to!, from!) as number) - number)).toBeLessThanOrEqual(
            Math.max(1e-9, Math.abs(number) * 1e-13),
          )
        },
      ),
    )
  })
  test('rejects units of different kinds and unknown ones', async () => {
    expect(await mapField('n', call('convert', 1, 'mile', 'hour'))).toEqual([
      'mile is a distance and hour a duration.',
    ])
    expect(await mapField('n', call('convert', 1, 'usd', 'eur'))).toEqual(['Not a known unit: usd'])
  })
  test('casts parse like fields', async () => {
    expect(await mapField('n', call('createNumber', '1,234'))).toBe(1234)
    expect(await mapField('n', call('createNumber', toFieldMapping('a')), { a: 'N/A' })).toBeUndefined()
    expect(await mapField('n', call('createNumber', '12abc'))).toEqual(['Not a number.'])
    expect(await mapField('on', call('createBoolean', 'No'))).toBe(false)
    expect(await mapField('at', call('createDate', 1558000000000))).toBe('2019-05-16T09:46:40.000Z')
    expect(await mapField('at', call('createDate', '2023-02-30'))).toEqual(['There is no such day or time.'])
  })
})

describe('geometries', () => {
  const square = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 1],
        [1, 1],
        [1, 2],
        [0, 2],
        [0, 1],
      ],
    ],
  }
  test('points are made of numbers or texts', async () => {
    expect(await mapField('point', call('createPoint', toFieldMapping('x'), '47.6'), { x: -122.3 })).toEqual({
      type: 'Point',
      coordinates: [-122.3, 47.6],
    })
    expect(await mapField('point', call('createPoint', toFieldMapping('x'), '47.6'))).toBeUndefined()
    expect(await mapField('point', call('createPoint', '47.6', '-122.3'))).toEqual([
      'Latitude -122.3 is beyond 90: longitude comes first, and the two look swapped.',
    ])
    expect(await mapField('line', call('createLineString', 1, 2, 3, '4'))).toEqual({
      type: 'LineString',
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    })
  })
  test('are accepted as GeoJSON, feature or text', async () => {
    const multi = { type: 'MultiPolygon', coordinates: [square.coordinates] }
    for (const value of [
      square,
      { type: 'Feature', geometry: square },
      JSON.stringify(square),
      'POLYGON((0 1,1 1,1 2,0 2,0 1))',
    ])
      expect(await mapField('area', call('ensureMulti', toFieldMapping('g')), { g: value })).toEqual(multi)
    expect(await mapField('point', call('centroid', toFieldMapping('g')), { g: square })).toEqual({
      type: 'Point',
      coordinates: [0.5, 1.5],
    })
    expect(await mapField('area', call('ensureMulti', toFieldMapping('g')), { g: 5 })).toEqual([
      'Argument "geometry" for "ensureMulti" must be of type: geometry, instead got number',
    ])
  })
  test('simplification stays within the tolerance, closes rings, and has six decimals', async () => {
    const step = fc.tuple(
      fc.double({ min: -0.01, max: 0.01, noNaN: true }),
      fc.double({ min: -0.01, max: 0.01, noNaN: true }),
    )
    const map = await mapper({ line: call('simplifyGeometry', toFieldMapping('g'), 50) }, schema, options)
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 60 }), (steps) => {
        let [x, y] = [10, 50]
        const coordinates = steps.map(([dx, dy]) => [(x += dx), (y += dy)])
        const result = map({ at, value: { g: { type: 'LineString', coordinates } } })
        const line = result && 'value' in result ? (result.value.line as { coordinates: number[][] }) : null
        for (const position of coordinates)
          expect(measureDistance(position, line!.coordinates)).toBeLessThan(51)
        for (const part of line!.coordinates.flat()) expect(part).toBe(Number(part.toFixed(6)))
      }),
    )
    const ring = Array.from({ length: 360 }, (_, i) => [
      10 + Math.cos((i * Math.PI) / 180) / 100,
      50 + Math.sin((i * Math.PI) / 180) / 100,
    ])
    const circle = { type: 'Polygon', coordinates: [[...ring, ring[0]]] }
    const simple = (await mapField('polygon', call('simplifyGeometry', toFieldMapping('g'), 20), {
      g: circle,
    })) as {
      coordinates: number[][][]
    }
    expect(simple.coordinates[0]!.length).toBeLessThan(40)
    expect(simple.coordinates[0]!.at(-1)).toEqual(simple.coordinates[0]![0])
    const polygon = await mapField('polygon', call('simplifyGeometry', toFieldMapping('g'), 1e6), {
      g: circle,
    })
    expect(isPlainObject(polygon) && (polygon.coordinates as unknown[][])[0]!.length).toBe(361)
  })
})

/** Metres from a position to a line, as the crow flies. */
function measureDistance([px = 0, py = 0]: number[], line: number[][]): number {
  const east = 111_195 * Math.cos((py * Math.PI) / 180)
  const distances = line.slice(1).map(([x1 = 0, y1 = 0], i) => {
    const [x0 = 0, y0 = 0] = line[i]!
    const [ax, ay, bx, by] = [(px - x0) * east, (py - y0) * 111_195, (x1 - x0) * east, (y1 - y0) * 111_195]
    const length = bx * bx + by * by
    const along = length === 0 ? 0 : Math.min(1, Math.max(0, (ax * bx + ay * by) / length))
    return Math.hypot(ax - along * bx, ay - along * by)
  })
  return Math.min(...distances)
}
