import { describe, expect, it } from 'vitest'
import { fieldTypes, type Field, type FieldType } from '../field.ts'
import { validateDataType } from './document.ts'
import { recordChecker } from './record.ts'
import { listValidators } from './validators.ts'

// The published rules of field types, one per line: accepted values, rejected values, messages and paths.

const point = (...coordinates: unknown[]) => ({ type: 'Point', coordinates })
const line = (...coordinates: unknown[]) => ({ type: 'LineString', coordinates })
const ring = [[1, 1], [2, 1], [2, 2], [1, 1]] // prettier-ignore
const polygon = (...coordinates: unknown[]) => ({ type: 'Polygon', coordinates })

const findIssues = (field: Field, value: unknown) => recordChecker({ f: field })({ f: value })
const summarizeIssues = (issues: { path: unknown[]; message: string; validator?: string }[]) =>
  issues.map(({ path, message, validator }) => [path.join(','), message, ...(validator ? [validator] : [])])

describe('types', () => {
  it('are eleven, with these labels', () => {
    expect(fieldTypes).toEqual({
      array: 'List',
      object: 'Map',
      text: 'Text',
      number: 'Number',
      boolean: 'True/False',
      date: 'Date/Time',
      point: 'GeoJSON Point',
      line: 'GeoJSON LineString',
      multiline: 'GeoJSON MultiLineString',
      polygon: 'GeoJSON Polygon',
      multipolygon: 'GeoJSON MultiPolygon',
    })
  })

  const values: [FieldType, unknown[], [unknown, string][]][] = [
    ['array', [[], [1, 'a', null]], [['a', 'array'], [{}, 'array'], [0, 'array']]],
    ['object', [{}, { any: { thing: [1] } }], [[[], 'object'], ['a', 'object'], [true, 'object']]],
    ['text', ['', ' ', 'é'], [[5, 'text'], [false, 'text'], [['a'], 'text']]],
    ['number', [0, -1.5, 1e300], [['5', 'number'], ['', 'number'], [true, 'number'], [NaN, 'number'], [Infinity, 'number']]],
    ['boolean', [true, false], [['true', 'boolean'], [1, 'boolean'], [0, 'boolean']]],
    [
      'date',
      ['2020-02-29T23:59:59', '2020-01-01T00:00:00Z', '2020-01-01T00:00:00.123456789Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59.9'],
      [
        '2020-01-01', '2020-01-01T00:00', '2020-01-01T00:00:00+00:00', '2020-01-01T24:00:00Z', '2020-01-01T00:00:60Z', '2019-02-29T00:00:00Z',
        '2020-13-01T00:00:00Z', '2020-04-31T00:00:00Z', '+02020-01-01T00:00:00Z', '-2020-01-01T00:00:00Z', '10000-01-01T00:00:00Z',
        '2020-01-01t00:00:00z', '2020-01-01T00:00:00z', '2020-01-01 00:00:00', '2020-01-01T00:00:00.Z', '', 0, true,
      ].map((value): [unknown, string] => [value, 'date']),
    ],
  ] // prettier-ignore
  it.each(values)('%s', (type, good, bad) => {
    const field: Field = { name: 'F', type }
    for (const value of [...good, null, undefined])
      expect([value, findIssues(field, value)]).toEqual([value, []])
    for (const [value, word] of bad)
      expect(findIssues(field, value)).toEqual([{ path: ['f'], value, message: `Not a valid ${word} value` }])
  })
})

describe('geometries', () => {
  const invalid = (reason: string) => `Invalid coordinates - ${reason}`
  const bad: [FieldType, unknown, string][] = [
    ['point', 'POINT(1 1)', 'Not a valid object'],
    ['point', [1, 1], 'Not a valid object'],
    ['point', line([1, 1], [2, 2]), 'Not a valid type value (Expected Point not LineString)'],
    ['point', { type: 'Feature', geometry: point(1, 1), properties: {} }, 'Not a valid type value (Expected Point not Feature)'],
    ['point', {}, 'Not a valid type value (Expected Point not undefined)'],
    ['point', { type: 'Point' }, invalid('Coordinates not an array')],
    ['point', { type: 'Point', coordinates: 5 }, invalid('Coordinates not an array')],
    ['point', point(), invalid('Coordinates array is empty')],
    ['point', point(1), invalid('Latitude not a number, got undefined')],
    ['point', point(1, '1'), invalid('Latitude not a number, got string')],
    ['point', point(1, 90.1), invalid('Latitude greater than 90')],
    ['point', point(1, -90.1), invalid('Latitude less than -90')],
    ['point', point('1', 1), invalid('Longitude not a number, got string')],
    ['point', point(-180.1, 1), invalid('Longitude less than -180')],
    ['point', point(180.1, 1), invalid('Longitude greater than 180')],
    ['point', point(0, 0), invalid('Longitude and latitude were both 0')],
    ['point', point(200, 100), invalid('Latitude greater than 90')],
    ['point', point(1, 1, 1, 1), 'position should not have more than 3 elements'],
    ['point', point(1, 1, 'high'), 'each element in a position must be a number'],
    ['point', { ...point(1, 1), bbox: [1, 1, 1] }, 'bbox must contain 4 elements (for 2D) or 6 elements (for 3D)'],
    ['line', line([1, 1]), 'a line needs to have two or more coordinates to be valid'],
    ['line', line([1, 1], [0, 0]), invalid('Longitude and latitude were both 0')],
    ['line', line(1, 1), 'position should be an array, is a number instead'],
    ['multiline', { type: 'MultiLineString', coordinates: [] }, invalid('Coordinates array is empty')],
    ['multiline', { type: 'MultiLineString', coordinates: [[[1, 1]]] }, 'a line needs to have two or more coordinates to be valid'],
    ['polygon', polygon([[1, 1], [2, 1], [1, 1]]), 'a LinearRing of coordinates needs to have four or more positions'],
    ['polygon', polygon([[1, 1], [2, 1], [2, 2], [1, 2]]), 'the first and last positions in a LinearRing of coordinates must be the same'],
    ['polygon', polygon([1, 1]), 'a number was found where a coordinate array should have been found: this needs to be nested more deeply'],
    ['polygon', polygon([]), invalid('Coordinates array is empty')],
    ['polygon', { type: 'MultiPolygon', coordinates: [[ring]] }, 'Not a valid type value (Expected Polygon not MultiPolygon)'],
    ['multipolygon', { type: 'MultiPolygon', coordinates: [[[[1, 1], [2, 95], [2, 2], [1, 1]]]] }, invalid('Latitude greater than 90')],
  ] // prettier-ignore
  it.each(bad)('%s %j: %s', (type, value, message) => {
    expect(findIssues({ name: 'F', type }, value)).toEqual([{ path: ['f'], value, message }])
  })
  const good: [FieldType, unknown][] = [
    ['point', point(-73.123456789012, 40.7)],
    ['point', point(1, 1, 99_999)],
    ['point', point(0, 1e-9)],
    ['point', { ...point(1, 1), bbox: [1, 1, 1, 1], properties: { a: 1 } }],
    ['line', line([1, 1], [1, 1])],
    ['multiline', { type: 'MultiLineString', coordinates: [[[1, 1], [2, 2]]] }],
    ['polygon', polygon(ring)],
    ['polygon', polygon([...ring].reverse())],
    ['multipolygon', { type: 'MultiPolygon', coordinates: [[ring], [ring]] }],
  ] // prettier-ignore
  it.each(good)('%s %j is valid', (type, value) => {
    expect(findIssues({ name: 'F', type }, value)).toEqual([])
  })
  it('inside a list have their index in the path', () => {
    const field: Field = { name: 'F', type: 'array', items: { name: 'I', type: 'point' } }
    expect(summarizeIssues(findIssues(field, [point(1, 1), point(1, 91)]))).toEqual([
      ['f,1', invalid('Latitude greater than 90')],
    ])
  })
})

interface Rule {
  label: string
  input: string
  accepts: unknown[]
  refuses: unknown[]
  /** A parameter, with accepted and rejected values. */
  tests: [parameter: unknown, pass: unknown[], fail: unknown[]][]
}
const flag = (label: string, pass: unknown[], fail: unknown[]): Rule => {
  return {
    label,
    input: 'boolean',
    accepts: [true],
    refuses: [false, 'true', 1, {}],
    tests: [[true, pass, fail]],
  }
}
const number = (label: string, mayBeZero: boolean, tests: Rule['tests']): Rule => {
  const accepts = [1, 1.5, ...(mayBeZero ? [0, -1] : [])]
  return {
    label,
    input: 'number',
    accepts,
    refuses: ['1', true, NaN, Infinity, [1], ...(mayBeZero ? [] : [0, -1])],
    tests,
  }
}
const choice = (tests: Rule['tests']): Rule => {
  return {
    label: 'In List',
    input: 'array',
    accepts: [['a'], [1, 'a', null]],
    refuses: [[], 'a', {}, true],
    tests,
  }
}
const dateBound = (label: string, tests: Rule['tests']): Rule => {
  const refuses = ['2020-01-01', 5, true, 'soon']
  return { label, input: 'date', accepts: ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00'], refuses, tests }
}
// Any present value is accepted; missing values have another message, below.
const required = (...pass: unknown[]) => flag('Required', pass, [])

const pages = [
  'http://example.com', 'https://example.com/a?b=c#d', 'https://user:password@example.com:8080/', 'http://8.8.8.8', 'http://[2001:db8::1]/', 'https://münchen.de', 'http://xn--mnchen-3ya.de',
] // prettier-ignore
const noPages = [
  '', 'example.com', '//example.com', 'ftp://example.com', 'mailto:a@example.com', 'http://localhost', 'http://intranet/', 'http://exa mple.com', 'http://', 'javascript:alert(1)', 'http://example.com:99999',
] // prettier-ignore
const streams = ['rtmp://example.com/live', 'rtmps://example.com/live']
const url = (label: string) => flag(label, pages, [...noPages, ...streams])
/** A URL that ends in a fitting file extension, or in one that does not indicate a type. */
const media = (label: string, fitting: string, other: string) => {
  const to = (extension: string) => `https://example.com/a.${extension}`
  return flag(
    label,
    [...pages, to(fitting), `${to(fitting)}?b=c`, to('php')],
    [...noPages, ...streams, to(other), to('pdf')],
  )
}
const shapes = { Point: point(1, 1), LineString: line([1, 1], [2, 2]), Polygon: polygon(ring) }
const multiline = { type: 'MultiLineString', coordinates: [[[1, 1], [2, 2]]] } // prettier-ignore
const multipolygon = { type: 'MultiPolygon', coordinates: [[ring]] }

const rules: Record<FieldType, Record<string, Rule>> = {
  array: {
    required: required([], ['a']),
    unique: flag('Unique', [[], ['a', 'A'], [1, '1'], [{ a: 1 }, { a: 2 }]], [['a', 'a'], [{ a: 1, b: 2 }, { b: 2, a: 1 }], [[1], [1]]]),
    notEmpty: flag('Not Empty', [[0], [null]], [[]]),
    minItems: number('Minimum Items', true, [[2, [[1, 2], [1, 2, 3]], [[], [1]]], [0, [[]], []]]),
    maxItems: number('Maximum Items', true, [[1, [[], [1]], [[1, 2]]], [0, [[]], [[1]]]]),
  },
  object: {
    required: required({}, { a: 1 }),
    notEmpty: flag('Not Empty', [{ a: null }], [{}]),
    minKeys: number('Minimum Keys', false, [[2, [{ a: 1, b: 1 }], [{}, { a: 1 }]]]),
    maxKeys: number('Maximum Keys', false, [[1, [{}, { a: 1 }], [{ a: 1, b: 1 }]]]),
  },
  text: {
    required: required('', 'a'),
    notEmpty: flag('Not Empty', [' ', 'a'], ['']),
    minLength: number('Minimum Length', false, [[2, ['ab', '😀'], ['', 'a']]]),
    maxLength: number('Maximum Length', false, [[1, ['', 'a'], ['ab', '😀']]]),
    enum: choice([[['a', 5], ['a'], ['b', 'A', '5', '']]]),
    url: url('URL'),
    image: media('Image URL', 'png', 'mp3'),
    video: media('Video URL', 'mp4', 'png'),
    audio: media('Audio URL', 'mp3', 'mp4'),
    stream: flag('Stream URL', [...pages, ...streams], noPages),
    email: flag('Email', ['a@example.com', 'a.b+c@sub.example.co', '"a b"@example.com'], ['', 'a', 'a@b', 'a@b.c', 'A <a@example.com>', 'a@example.com, b@example.com', 'a..b@example.com']),
    phone: flag('Phone Number', ['+12065550100', '(206) 555-0100', '020 7946 0958', '112'], ['', 'any text', '12', '+0123456', '1234567890123456']),
    address: flag('Address', ['600 4th Avenue', 'Marienplatz 8'], ['', 'Elm', '12345', 'https://example.com']),
    code: flag('Code', ['US-WA', '53033', 'a.b_c/d'], ['', 'any text', 'a?', 'x'.repeat(65)]),
    regex: {
      label: 'Regular Expression',
      input: 'text',
      accepts: ['a', '', '^\\d+$', '(?<year>\\d{4})'],
      refuses: ['[', '(a', 'a**', 5, true, ['a'], '(?=a)', '(a)\\1'],
      tests: [['b', ['abc', 'b'], ['', 'B', 'a']], ['^b$', ['b'], ['abc', 'b\n']]],
    },
  },
  number: {
    required: required(0, -1),
    enum: choice([[[1, 2, '3'], [1, 2], [3, 0, 1.5]]]),
    min: number('Minimum', true, [[5, [5, 5.1], [4.9, -5]]]),
    max: number('Maximum', true, [[5, [5, 4.9], [5.1]], [0, [0, -1], [1]]]),
  },
  boolean: { required: required(false, true) },
  date: {
    required: required('2020-01-01T00:00:00Z'),
    min: dateBound('Minimum', [['2020-01-01T00:00:00Z', ['2020-01-01T00:00:00', '2020-01-01T00:00:00.001Z'], ['2019-12-31T23:59:59Z']]]),
    max: dateBound('Maximum', [['2020-01-01T00:00:00', ['2020-01-01T00:00:00Z', '2019-12-31T23:59:59Z'], ['2020-01-01T00:00:00.001Z']]]),
  },
  point: {
    required: required(point(1, 1)),
    minLongitude: number('Minimum Longitude', true, [[-10, [point(-10, 1), point(5, 1)], [point(-10.1, 1)]]]),
    maxLongitude: number('Maximum Longitude', true, [[-10, [point(-10, 1), point(-20, 1)], [point(-9.9, 1)]]]),
    minLatitude: number('Minimum Latitude', true, [[10, [point(1, 10), point(1, 11)], [point(1, 9.9)]]]),
    maxLatitude: number('Maximum Latitude', true, [[10, [point(1, 10), point(1, 9)], [point(1, 10.1)]]]),
  },
  line: { required: required(shapes.LineString) },
  multiline: { required: required(multiline) },
  polygon: { required: required(shapes.Polygon) },
  multipolygon: { required: required(multipolygon) },
} // prettier-ignore

const everyRule = Object.entries(rules).flatMap(([type, all]) =>
  Object.entries(all).map(([key, rule]): [string, FieldType, string, Rule] => [
    `${type}.${key}`,
    type as FieldType,
    key,
    rule,
  ]),
)

describe('validators', () => {
  it.each(Object.keys(rules))('of %s are these, in this order', (type) => {
    const all = rules[type as FieldType]
    expect(
      listValidators({ type: type as FieldType }).map(({ key, label, input }) => [key, label, input]),
    ).toEqual(Object.entries(all).map(([key, { label, input }]) => [key, label, input]))
  })

  it.each(everyRule)('%s accepts its parameter and no other', (_name, type, key, rule) => {
    const document = (parameter: unknown) => {
      const field = {
        name: 'F',
        type,
        validation: { [key]: parameter },
        ...(type === 'array' && { items: { name: 'I', type: 'text' } }),
      }
      return validateDataType({ schema: { f: field } }, 'schema')
    }
    const path = ['schema', 'f', 'validation', key]
    for (const value of rule.accepts) expect([value, document(value)]).toEqual([value, []])
    for (const value of rule.refuses)
      expect(document(value)).toEqual([{ path, value, message: 'Not a valid validation value' }])
    expect(document(null)).toEqual([{ path, value: null, message: 'Missing validation value' }])
  })

  it.each(everyRule)('%s accepts and rejects values as documented', (_name, type, key, { label, tests }) => {
    for (const [parameter, pass, fail] of tests) {
      const field: Field = { name: 'F', type, validation: { [key]: parameter } }
      for (const value of pass) expect([value, findIssues(field, value)]).toEqual([value, []])
      for (const value of fail) {
        const issue = { path: ['f'], value, message: `Failed ${label} validation`, validator: key }
        expect(findIssues(field, value)).toEqual([issue])
      }
    }
  })

  it.each(Object.keys(rules))('of %s: a missing value is invalid only if required', (type) => {
    for (const value of [null, undefined]) {
      const field: Field = { name: 'F', type: type as FieldType }
      expect(findIssues(field, value)).toEqual([])
      expect(findIssues({ ...field, validation: { required: true } }, value)).toEqual([
        { path: ['f'], value, message: 'This field is required', validator: 'required' },
      ])
    }
  })
})

describe('a record', () => {
  it.each([['a'], [5], [[]], [null]])('is an object: %j is invalid', (value) => {
    expect(recordChecker({})(value)).toEqual([{ path: [], value, message: 'Not a valid top-level object' }])
  })
  it('reports all issues at once, in the order of schema, index and validator; unknown keys are ignored', () => {
    const check = recordChecker({
      b: { name: 'B', type: 'text', validation: { regex: '^z', maxLength: 1, required: true } },
      list: { name: 'L', type: 'array', items: { name: 'I', type: 'number', validation: { min: 5, required: true } }, validation: { maxItems: 1 } },
      map: { name: 'M', type: 'object', schema: { x: { name: 'X', type: 'text', validation: { required: true } } } },
      a: { name: 'A', type: 'text', validation: { required: true } },
    }) // prettier-ignore
    const issues = check({ unknown: 1, a: null, map: {}, list: [1, null, 'x', 9], b: 'ab' })
    expect(summarizeIssues(issues)).toEqual([
      ['b', 'Failed Maximum Length validation', 'maxLength'],
      ['b', 'Failed Regular Expression validation', 'regex'],
      ['list', 'Failed Maximum Items validation', 'maxItems'],
      ['list,0', 'Failed Minimum validation', 'min'],
      ['list,1', 'This field is required', 'required'],
      ['list,2', 'Not a valid number value'],
      ['map,x', 'This field is required', 'required'],
      ['a', 'This field is required', 'required'],
    ])
  })
})
