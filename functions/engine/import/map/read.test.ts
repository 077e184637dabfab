import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Field, FieldType } from '#functions/shapes/field.ts'
import { isText } from '#functions/shapes/fields/plain.ts'
import { wallTime } from '#functions/shapes/wall-time.ts'
import { instantRead } from './dates.ts'
import { reader } from './read.ts'
import { Refusal, type ColumnReading } from './reading.ts'
import { createZone } from '#functions/shapes/zone.ts'

const zone = createZone('America/New_York')
const read = (
  type: FieldType,
  value: unknown,
  reading: ColumnReading = {},
  more: Partial<Field> = {},
  at = zone,
) => reader({ name: 'x', type, ...more }, { path: 'x', columns: { x: reading }, zone: at })(value)
/** The message for a rejected value; undefined for an accepted one. */
const readRefusal = (...args: Parameters<typeof read>) => {
  const result = read(...args)
  return result instanceof Refusal ? result.message : undefined
}

describe('texts', () => {
  test('are unchanged: ids keep their zeros, and words for missing values are kept', () => {
    for (const text of ['00042', ' a ', '-', 'N/A', 'null', '1e400', '5%', 'NaN'])
      expect(read('text', text)).toBe(text)
    for (const text of ['', ' ', '\t\n', '\u00a0']) expect(read('text', text)).toBeNull()
  })
  test('of JSON numbers and booleans are exact', () => {
    expect([read('text', 12.5), read('text', 0.1), read('text', true)]).toEqual(['12.5', '0.1', 'true'])
    expect(readRefusal('text', 2 ** 53)).toMatch(/beyond 9007199254740991/)
    expect(readRefusal('text', { a: 1 })).toBe('A map, not a text.')
    expect(readRefusal('text', 'a\u0000b')).toMatch(/no text can keep/)
  })
  test('round-trip if they can be stored', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const result = read('text', text)
        if (text.trim() === '') expect(result).toBeNull()
        else if (isText(text)) expect(result).toBe(text)
        else expect(result).toBeInstanceOf(Refusal)
      }),
    )
  })
})

describe('numbers', () => {
  const storableNumbers = fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((n) => Math.abs(n) <= Number.MAX_SAFE_INTEGER || String(n).includes('e'))
  test('round-trip through text, with a decimal point and with a decimal comma', () => {
    fc.assert(
      fc.property(storableNumbers, (number) => {
        const expected = number === 0 ? 0 : number
        expect(read('number', String(number))).toBe(expected)
        expect(read('number', String(number).replace('.', ','), { decimal: ',' })).toBe(expected)
      }),
    )
  })
  test('between two texts of sixteen digits are read as written', () => {
    expect(read('number', '-581840284589469.2')).toBe(-581840284589469.2)
    expect(read('number', '581840284589469.27')).toBeInstanceOf(Refusal)
  })
  test('with thousands separators are read in both formats, and never as another number', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 1, max: 99 }), (whole, cents) => {
        const number = Number(`${whole}.${cents}`)
        const text = number.toLocaleString('en-US', { maximumFractionDigits: 2 })
        const german = number.toLocaleString('de-DE', { maximumFractionDigits: 2 })
        expect(read('number', text)).toBe(number)
        expect(read('number', german, { decimal: ',' })).toBe(number)
        const other = read('number', german)
        if (/\..*,/.test(german)) expect(other).toBeInstanceOf(Refusal)
      }),
    )
  })
  test('that a double cannot represent are rejected', () => {
    const long = fc.tuple(fc.bigInt({ min: 2n ** 53n, max: 10n ** 40n }), fc.boolean())
    fc.assert(
      fc.property(long, ([whole, isNegative]) => {
        expect(read('number', `${isNegative ? '-' : ''}${whole}`)).toBeInstanceOf(Refusal)
      }),
    )
    fc.assert(
      fc.property(fc.bigInt({ min: 10n ** 19n, max: 10n ** 30n }), (digits) => {
        const text = `0.${digits}`.replace(/0+$/, '')
        const result = read('number', text)
        // Only a text that represents the double exactly may pass.
        if (!(result instanceof Refusal)) expect((result as number).toFixed(text.length - 2)).toBe(text)
      }),
    )
  })
  test.each([
    ['1e400', 'Too large for a number.'],
    ['NaN', 'Not a number that can be kept.'],
    ['Infinity', 'Not a number that can be kept.'],
    ['-inf', 'Not a number that can be kept.'],
    ['12abc', 'Not a number.'],
    ['0x10', 'Not a number.'],
    ['1,23,456', 'Not a number.'],
    ['1.2.3', 'Not a number.'],
    ['1e-400', 'Too small for a number: it would become 0.'],
    ['9007199254740993', 'A whole number beyond 9007199254740991, where digits are lost: keep it as text.'],
    ['$5', 'Has the sign $, which the column is not known to have.'],
    ['5%', 'Has the sign %, which the column is not known to have.'],
    ['1.234,5', 'Has a decimal comma; the numbers of the column have a decimal point.'],
    ['1 234', 'Has blanks between thousands, which the column is not known to have.'],
    [true, 'Not a number.'],
    [2 ** 60, 'A whole number beyond 9007199254740991, where digits are lost: keep it as text.'],
  ])('%s is rejected: %s', (value, message) => expect(readRefusal('number', value)).toBe(message))
  test.each([
    ['1,234.5', {}, 1234.5],
    ['1.234,5', { decimal: ',' }, 1234.5],
    ['1.234', {}, 1.234],
    ['1.234', { decimal: ',' }, 1234],
    ['0095', {}, 95],
    ['−3', {}, -3],
    ['-$1,234.50', { sign: '$' }, -1234.5],
    ['5 €', { sign: '€', decimal: ',' }, 5],
    ['1 234,5', { decimal: ',', group: ' ' }, 1234.5],
    ["1'234.5", { group: "'" }, 1234.5],
    ['6.022e23', {}, 6.022e23],
    [' 7 ', {}, 7],
  ] as [string, ColumnReading, number][])('%s with %o is %s', (text, reading, number) =>
    expect(read('number', text, reading)).toBe(number),
  )
  test('percent signs divide by a hundred if the field is a fraction', () => {
    const share = { measurement: { type: 'percentage', value: 'decimal' } }
    expect(read('number', '12.3%', { sign: '%' }, share)).toBe(0.123)
    expect(read('number', '12.3%', { sign: '%' })).toBe(12.3)
  })
})

describe('booleans', () => {
  test('by the usual words, or only by those of the column', () => {
    for (const word of ['true', 'T', 'Yes', 'y', '1', 1, true]) expect(read('boolean', word)).toBe(true)
    for (const word of ['FALSE', 'f', 'no', 'N', '0', 0, false]) expect(read('boolean', word)).toBe(false)
    for (const word of ['2', 'maybe', 'ja', 2, []])
      expect(readRefusal('boolean', word)).toBe('Neither true nor false.')
    const german = { true: ['ja'], false: ['nein'] }
    expect([read('boolean', 'Ja', german), read('boolean', 'nein', german)]).toEqual([true, false])
    expect(readRefusal('boolean', 'yes', german)).toBe('Neither true nor false.')
  })
})

describe('dates', () => {
  const instant = fc.date({
    min: new Date('0001-01-02T00:00:00Z'),
    max: new Date('9999-12-30T00:00:00Z'),
    noInvalidDate: true,
  })
  test('every instant round-trips through ISO text, with Z and with an offset', () => {
    fc.assert(
      fc.property(instant, fc.integer({ min: -14 * 60, max: 14 * 60 }), (date, offset) => {
        expect(read('date', date.toISOString())).toBe(date.toISOString())
        const clock = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1)
        const minutes = String(Math.abs(offset) % 60).padStart(2, '0')
        const sign = `${offset < 0 ? '-' : '+'}${String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0')}:${minutes}`
        if (clock.length === 23) expect(read('date', clock + sign)).toBe(date.toISOString())
      }),
    )
  })
  test.each([
    'America/New_York',
    'Europe/Berlin',
    'Australia/Lord_Howe',
    'Asia/Kolkata',
    'Africa/Casablanca',
    'America/St_Johns',
    'UTC',
  ])('a local time in %s is converted to its instant, unless it is skipped or repeated', (name) => {
    const here = createZone(name)
    const modern = fc.date({
      min: new Date('1975-01-01'),
      max: new Date('2037-01-01'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(modern, (date) => {
        const at = Math.floor(date.getTime() / 1000) * 1000
        const wall = new Date(wallTime(at, name)).toISOString().slice(0, 19)
        const result = read('date', wall, {}, {}, here)
        if (result instanceof Refusal) expect(result.message).toContain('twice')
        else expect(result).toBe(new Date(at).toISOString())
        const both = (['first', 'second'] as const).map((twice) => read('date', wall, { twice }, {}, here))
        expect(both).toContain(new Date(at).toISOString())
      }),
      { numRuns: 200 },
    )
  })
  test('skipped and repeated local times are reported', () => {
    expect(readRefusal('date', '2024-03-10 02:30')).toBe(
      'The clocks of America/New_York skip 2024-03-10 02:30.',
    )
    expect(readRefusal('date', '2024-11-03 01:30')).toBe(
      'The clocks of America/New_York show 2024-11-03 01:30 twice: 2024-11-03T05:30:00Z or 2024-11-03T06:30:00Z.',
    )
    expect(read('date', '2024-11-03 01:30', { twice: 'second' })).toBe('2024-11-03T06:30:00.000Z')
    // A day alone begins, also where its midnight does not exist.
    expect(read('date', '2018-11-04', {}, {}, createZone('America/Sao_Paulo'))).toBe(
      '2018-11-04T03:00:00.000Z',
    )
  })
  test.each([
    ['2019-5-15', '2019-05-15T04:00:00.000Z'],
    ['2019/05/15', '2019-05-15T04:00:00.000Z'],
    ['20190515', '2019-05-15T04:00:00.000Z'],
    ['2016-01-01 11:31:23 PM', '2016-01-02T04:31:23.000Z'],
    ['2016-01-01 12:00 AM', '2016-01-01T05:00:00.000Z'],
    ['February 3rd, 2014', '2014-02-03T05:00:00.000Z'],
    ['Feb 3, 2014', '2014-02-03T05:00:00.000Z'],
    ['3-Feb-2014', '2014-02-03T05:00:00.000Z'],
    ['5/2018', '2018-05-01T04:00:00.000Z'],
    ['1.2.2019', '2019-02-01T05:00:00.000Z'],
    ['13/2/2019', '2019-02-13T05:00:00.000Z'],
    ['2/2/2019', '2019-02-02T05:00:00.000Z'],
    ['Mon, 25 Dec 1995 13:30:00 +0430', '1995-12-25T09:00:00.000Z'],
    ['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
    ['Wed May 15 2019 12:07:52 GMT-0400 (EDT)', '2019-05-15T16:07:52.000Z'],
    ['May 15, 2018 12:07:52 -0400', '2018-05-15T16:07:52.000Z'],
    ['5/15/2019, 3:04:05 PM', '2019-05-15T19:04:05.000Z'],
    ['/Date(1558000000000-0400)/', '2019-05-16T09:46:40.000Z'],
    ['2020-02-29T00:00:00.1234567Z', '2020-02-29T00:00:00.123Z'],
  ])('%s', (text, iso) => expect(read('date', text)).toBe(iso))
  test.each([
    ['1/2/2019', 'May be 2019-01-02 (month first) or 2019-02-01 (day first): nothing in the column decides.'],
    ['2023-02-30', 'There is no such day or time.'],
    ['2019-05-15T24:00:00Z', 'There is no such day or time.'],
    ['2019-05-15 13:00 PM', 'No such time: with AM or PM hours go from 1 to 12.'],
    ['0000-01-01', 'There is no such day or time.'],
    ['1/2/19', 'The year has only two digits: its century is not guessed.'],
    ['5-Jan-19', 'The year has only two digits: its century is not guessed.'],
    ['2019', 'A year alone is no date.'],
    ['43831', 'Not a date.'],
    ['R-105', 'Not a date.'],
    ['1/2', 'Not a date.'],
    ['15947037E095300019', 'Not a date.'],
    ['Tue, 25 Dec 1995 13:30:00 +0430', 'That day is a Monday.'],
    ['2019-01-01T00:00:00+99:00', 'No zone has that offset.'],
    [43831, 'A number is not taken for a date.'],
  ])('%s is rejected: %s', (value, message) => expect(readRefusal('date', value)).toBe(message))
  test('the column determines the order of day and month', () => {
    expect(read('date', '1/2/2019', { order: 'dayFirst' })).toBe('2019-02-01T05:00:00.000Z')
    expect(read('date', '1/2/2019', { order: 'monthFirst' })).toBe('2019-01-02T05:00:00.000Z')
    expect(readRefusal('date', '13/2/2019', { order: 'monthFirst' })).toBe('There is no such day or time.')
  })
  test('beyond the years 1 to 9999 are rejected', () => {
    expect(instantRead(Date.UTC(10_000, 0, 1))).toEqual({ fault: 'Beyond the years 1 to 9999.' })
    expect(readRefusal('date', '9999-12-31T23:00:00-05:00')).toBe('Beyond the years 1 to 9999.')
  })
})

describe('geometries', () => {
  const point = { type: 'Point', coordinates: [-122.3, 47.6] }
  test('GeoJSON as a value or a text, and well-known text in any case', () => {
    for (const value of [point, JSON.stringify(point), 'POINT (-122.3 47.6)', 'SRID=4326;point(-122.3 47.6)'])
      expect(read('point', value)).toEqual(point)
    expect(read('polygon', 'POLYGON((0 1,1 1,1 2,0 1))')).toEqual({
      type: 'Polygon',
      coordinates: [
        [
          [0, 1],
          [1, 1],
          [1, 2],
          [0, 1],
        ],
      ],
    })
    expect(read('multipolygon', 'MULTIPOLYGON EMPTY')).toBeNull()
  })
  test('every point round-trips through well-known text', () => {
    const degrees = (most: number) => fc.double({ min: -most, max: most, noNaN: true }).filter((n) => n !== 0)
    fc.assert(
      fc.property(degrees(180), degrees(90), (x, y) => {
        expect(read('point', `POINT (${x} ${y})`)).toEqual({ type: 'Point', coordinates: [x, y] })
      }),
    )
  })
  test('a line of 100,000 positions takes milliseconds', () => {
    const text = `LINESTRING(${Array.from({ length: 100_000 }, (_, i) => `${(i + 1) / 1000} ${(i + 1) / 2000}`).join(',')})`
    // Processor time: on a busy machine the clock also counts what others do.
    const before = process.cpuUsage()
    expect(read('line', text)).toMatchObject({ type: 'LineString' })
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(3000)
  })
  test.each([
    [
      { type: 'Point', coordinates: [47.6, -122.3] },
      'Latitude -122.3 is beyond 90: longitude comes first, and the two look swapped.',
    ],
    ['POINT(47.6 122.3)', 'Latitude 122.3 is beyond 90: longitude comes first, and the two look swapped.'],
    ['POINT(1266000 230000)', '1266000, 230000 are no degrees: the shape is in another coordinate system.'],
    ['SRID=2926;POINT(1 2)', 'Not in longitude and latitude but in the system 2926.'],
    ['POINT(1 2', 'Not well-known text from character 10 on.'],
    ['POINT(1,2)', 'Not well-known text from character 8 on.'],
    ['POINT(1.5.2)', 'Not well-known text from character 10 on.'],
    ['POINT M(1 2 3)', 'Has measures at its positions, which a shape here cannot keep.'],
    ['MULTIPOINT(1 2)', 'A MULTIPOINT, which is no type of a field.'],
    ['somewhere', 'Neither well-known text nor GeoJSON.'],
    [{ type: 'Feature', geometry: point }, 'A feature, not a shape: map its member "geometry".'],
    [5, 'Not a shape.'],
  ])('%j is rejected', (value, message) => expect(readRefusal('point', value)).toBe(message))
  test('a polygon for a multipolygon is rejected, with the name of the transform', () => {
    expect(readRefusal('multipolygon', 'POLYGON((0 1,1 1,1 2,0 1))')).toBe(
      'A Polygon, not a MultiPolygon: the transform "ensureMulti" makes one of it.',
    )
  })
})

describe('lists and maps', () => {
  const numbers = { items: { name: 'Item', type: 'number' as const } }
  test('are parsed item by item, also from JSON text', () => {
    expect(read('array', ['1', 2, null, '-'], {}, numbers)).toEqual([1, 2, null, null])
    expect(read('array', '[1, "2"]', {}, numbers)).toEqual([1, 2])
    expect(read('array', [1, 'x'], {}, numbers)).toEqual(new Refusal('Not a number.', 'x', '.1'))
    expect(readRefusal('array', 'a, b')).toBe('Not a list.')
  })
  test('members are parsed by the fields of the map, others are left out', () => {
    const schema = {
      schema: { zip: { name: 'Zip', type: 'text' as const }, n: { name: 'N', type: 'number' as const } },
    }
    expect(read('object', { zip: 7, n: '7', other: 1 }, {}, schema)).toEqual({ zip: '7', n: 7 })
    expect(read('object', '{"n": "x"}', {}, schema)).toEqual(new Refusal('Not a number.', 'x', '.n'))
    expect(read('object', { a: [1] })).toEqual({ a: [1] })
    expect(readRefusal('object', 'x')).toBe('Not a map.')
  })
  test('in a cell keep all digits, and reject duplicate members', () => {
    expect(read('object', '{"id": 9007199254740993}')).toEqual({ id: '9007199254740993' })
    expect(readRefusal('object', '{"x": 1, "x": 2}')).toBe('The member "x" comes twice in one object.')
    expect(readRefusal('array', '[1,')).toMatch(/^The text is not JSON: /)
  })
})

test("a column's words for missing values are missing for every type, also for text, and no other words", () => {
  const reading = { missing: ['999', 'k.a.'] }
  for (const type of ['number', 'date', 'boolean', 'text'] as const)
    for (const word of ['999', 999, ' K.A. ']) expect(read(type, word, reading)).toBeNull()
  expect([read('number', '9990', reading), read('number', 99.9, reading)]).toEqual([9990, 99.9])
  expect([read('text', 'k.A. today', reading), read('text', '-', reading)]).toEqual(['k.A. today', '-'])
})

test('the usual words for missing values are missing for every type but text', () => {
  for (const type of ['number', 'boolean', 'date', 'point', 'array', 'object'] as const)
    for (const word of ['-', 'N/A', '..', '…', 'null', 'None', ' ', '']) expect(read(type, word)).toBeNull()
})
