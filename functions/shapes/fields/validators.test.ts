import { describe, expect, it } from 'vitest'
import { fieldTypes } from '../field.ts'
import type { FieldType } from '../field.ts'
import { findValidator, listValidators } from './validators.ts'

const expected: Record<FieldType, string> = {
  array: 'required unique notEmpty minItems maxItems',
  object: 'required notEmpty minKeys maxKeys',
  text: 'required notEmpty minLength maxLength enum url image video audio stream email phone address code regex',
  number: 'required enum min max',
  boolean: 'required',
  date: 'required min max',
  point: 'required minLongitude maxLongitude minLatitude maxLatitude',
  line: 'required',
  multiline: 'required',
  polygon: 'required',
  multipolygon: 'required',
}

const labels: [FieldType, string, string, string][] = [
  ['text', 'required', 'Required', 'boolean'],
  ['array', 'unique', 'Unique', 'boolean'],
  ['array', 'notEmpty', 'Not Empty', 'boolean'],
  ['array', 'minItems', 'Minimum Items', 'number'],
  ['array', 'maxItems', 'Maximum Items', 'number'],
  ['object', 'notEmpty', 'Not Empty', 'boolean'],
  ['object', 'minKeys', 'Minimum Keys', 'number'],
  ['object', 'maxKeys', 'Maximum Keys', 'number'],
  ['text', 'notEmpty', 'Not Empty', 'boolean'],
  ['text', 'minLength', 'Minimum Length', 'number'],
  ['text', 'maxLength', 'Maximum Length', 'number'],
  ['text', 'enum', 'In List', 'array'],
  ['number', 'enum', 'In List', 'array'],
  ['text', 'url', 'URL', 'boolean'],
  ['text', 'image', 'Image URL', 'boolean'],
  ['text', 'video', 'Video URL', 'boolean'],
  ['text', 'audio', 'Audio URL', 'boolean'],
  ['text', 'stream', 'Stream URL', 'boolean'],
  ['text', 'email', 'Email', 'boolean'],
  ['text', 'phone', 'Phone Number', 'boolean'],
  ['text', 'address', 'Address', 'boolean'],
  ['text', 'code', 'Code', 'boolean'],
  ['text', 'regex', 'Regular Expression', 'text'],
  ['number', 'min', 'Minimum', 'number'],
  ['number', 'max', 'Maximum', 'number'],
  ['date', 'min', 'Minimum', 'date'],
  ['date', 'max', 'Maximum', 'date'],
  ['point', 'minLongitude', 'Minimum Longitude', 'number'],
  ['point', 'maxLongitude', 'Maximum Longitude', 'number'],
  ['point', 'minLatitude', 'Minimum Latitude', 'number'],
  ['point', 'maxLatitude', 'Maximum Latitude', 'number'],
]

const numbers = { good: [0, -1, 1.5, 1e300], bad: ['1', null, undefined, true, Infinity, Number.NaN, [], {}] }
const positives = { good: [1, 0.5], bad: [0, -1, '1', Infinity, null] }
const flags = { good: [true], bad: [false, 1, 'true', null, undefined, {}] }
const lists = { good: [['a'], [1, null], ['']], bad: [[], 'a', { length: 1 }, null] }
const moments = { good: ['2020-01-01T00:00:00'], bad: ['2020-01-01', 0, '', null] }
const regexes = { good: ['^a', ''], bad: ['(', '(?=a)', '(a)\\1', 5, null, {}] }

const parameters: [FieldType, string, { good: unknown[]; bad: unknown[] }][] = [
  ['array', 'minItems', numbers],
  ['array', 'maxItems', numbers],
  ['array', 'unique', flags],
  ['object', 'minKeys', positives],
  ['object', 'maxKeys', positives],
  ['text', 'required', flags],
  ['text', 'email', flags],
  ['text', 'minLength', positives],
  ['text', 'maxLength', positives],
  ['text', 'enum', lists],
  ['text', 'regex', regexes],
  ['number', 'min', numbers],
  ['number', 'max', numbers],
  ['date', 'min', moments],
  ['date', 'max', moments],
  ['point', 'maxLatitude', numbers],
]

const createPoint = (longitude: number, latitude: number) => ({
  type: 'Point',
  coordinates: [longitude, latitude],
})
const cases: [FieldType, string, unknown, unknown[], unknown[]][] = [
  ['text', 'required', true, ['', 'a'], [null, undefined]],
  ['array', 'unique', true, [[], [1, '1'], [[1], [1, 2]], [{ a: 1 }, { a: 2 }], ['{"a":1}', { a: 1 }]],
    [[1, 1], [null, null], [{ a: 1, b: 2 }, { b: 2, a: 1 }], [[1, [2]], [1, [2]]]]],
  ['array', 'notEmpty', true, [[null]], [[]]],
  ['array', 'minItems', 2, [[1, 2]], [[1]]],
  ['array', 'minItems', 0, [[]], []],
  ['array', 'maxItems', 1, [[], [1]], [[1, 2]]],
  ['array', 'maxItems', 0, [[]], [[1]]],
  ['object', 'notEmpty', true, [{ a: null }], [{}]],
  ['object', 'minKeys', 2, [{ a: 1, b: 1 }], [{ a: 1 }]],
  ['object', 'maxKeys', 1, [{}, { a: 1 }], [{ a: 1, b: 1 }]],
  ['text', 'notEmpty', true, [' '], ['']],
  ['text', 'minLength', 2, ['ab', '😀'], ['a', '']],
  ['text', 'maxLength', 2, ['', 'ab', '😀'], ['abc']],
  ['text', 'enum', ['a', 'b'], ['a'], ['A', '', 'ab']],
  ['number', 'enum', [1, 2], [1], [3]],
  ['number', 'enum', ['1'], [], [1]],
  ['text', 'url', true, ['http://a.co'], ['a.co', 'rtmp://a.co/x']],
  [
    ...(['text', 'image', true] as const),
    ['https://a.co/x.PNG', 'https://a.co/x.jpg?w=2#a', 'https://a.co/media?id=3', 'https://a.co/x.php', 'https://a.co'],
    ['x.png', 'https://a.co/x.txt', 'https://a.co/x.pdf?y=z.png', 'https://a.co/x.mp4', 'ftp://a.co/x.png'],
  ],
  ['text', 'video', true, ['https://a.co/x', 'https://a.co/x.m3u8'], ['x.mp4', 'https://a.co/x.mp3', 'https://a.co/a.html']],
  ['text', 'audio', true, ['https://a.co/x', 'https://a.co/x.ogg'], ['x.mp3', 'https://a.co/x.webm']],
  ['text', 'stream', true, ['rtmp://a.co/x', 'rtmps://a.co', 'http://a.co'], ['rtsp://a.co']],
  ['text', 'email', true, ['a@b.co'], ['A <a@b.co>']],
  [
    ...(['text', 'phone', true] as const),
    ['(206) 555-0100', '+44 20 7946 0958', '020 7946 0958', '+1 206 555 0100 ext. 12', '206.555.0100 x7', '112'],
    ['', 'anything', '12', '+0206555010', '+12345', '1234567890123456', '206-CALL-NOW', '(206 555-0100', 'call 2065550100'],
  ],
  [
    ...(['text', 'address', true] as const),
    ['600 4th Avenue, Seattle, WA 98104', 'Marienplatz 8', '東京都千代田区丸の内', 'شارع الملك فهد'],
    ['', '12', 'Elm', '47.6, -122.3', 'a@b.com', 'https://a.co/x y', '<b>1 Main St</b>'],
  ],
  [
    ...(['text', 'code', true] as const),
    ['US-WA', '53033', 'A1.2/7', 'Б-12', 'a_b'],
    ['', ' ', 'two\nlines', 'a b', 'what?', 'x'.repeat(65)],
  ],
  ['text', 'regex', 'b+', ['abc', 'b'], ['ac', '']],
  ['number', 'min', 1, [1, 2], [0.999]],
  ['number', 'max', 1, [1, 0], [1.001]],
  ['date', 'min', '2020-01-01T00:00:00', ['2020-01-01T00:00:00Z', '2021-01-01T00:00:00'], ['2019-12-31T23:59:59.999Z']],
  ['date', 'max', '2020-01-01T00:00:00Z', ['2020-01-01T00:00:00', '0000-01-01T00:00:00'], ['2020-01-01T00:00:00.001Z']],
  ['point', 'minLongitude', 5, [createPoint(5, 1), createPoint(6, 1)], [createPoint(4, 9)]],
  ['point', 'maxLongitude', 5, [createPoint(5, 9), createPoint(4, 9)], [createPoint(6, 1)]],
  ['point', 'minLatitude', 5, [createPoint(1, 5), createPoint(1, 6)], [createPoint(9, 4)]],
  ['point', 'maxLatitude', 5, [createPoint(9, 5), createPoint(9, 4)], [createPoint(1, 6)]],
] // prettier-ignore

describe('validators', () => {
  it('are these, in this order', () => {
    const actual = Object.keys(fieldTypes).map((type) => [
      type,
      listValidators({ type: type as FieldType })
        .map(({ key }) => key)
        .join(' '),
    ])
    expect(Object.fromEntries(actual)).toEqual(expected)
  })
  it.each(labels)('%s %s is %s, entered as %s', (type, key, label, input) => {
    expect(findValidator({ type }, key)).toMatchObject({ key, label, input })
  })
  it.each(parameters)('%s %s accepts only its parameters', (type, key, { good, bad }) => {
    const validator = findValidator({ type }, key)!
    expect(good.filter((parameter) => !validator.accepts(parameter))).toEqual([])
    expect(bad.filter((parameter) => validator.accepts(parameter))).toEqual([])
  })
  it.each(cases)('%s %s %j', (type, key, parameter, good, bad) => {
    const validator = findValidator({ type }, key)!
    const passes = validator.test(parameter)
    expect(good.filter((value) => !passes(value))).toEqual([])
    expect(bad.filter((value) => passes(value))).toEqual([])
    expect(validator.accepts(parameter)).toBe(true)
  })
  it('are not found by inherited property names or for other types', () => {
    expect(findValidator({ type: 'text' }, 'constructor')).toBeNull()
    expect(findValidator({ type: 'number' }, 'regex')).toBeNull()
  })
  it('compare deeply nested lists without exhausting the stack', () => {
    const deep = () => JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as unknown
    expect(findValidator({ type: 'array' }, 'unique')!.test(true)([deep(), deep()])).toBe(false)
  })
})
