import { describe, expect, test } from 'vitest'
import type { Field } from '#functions/shapes/field.ts'
import { cleanDataType, validateDataType } from '#functions/shapes/fields/document.ts'
import { mapper } from '../map/index.ts'
import { headUnit } from './head-unit.ts'
import { profiler, propose } from './index.ts'
import { regionWritings } from './regions.ts'

const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i))
const among = (list: readonly string[]) => times(60, (i) => list[i % list.length])
const toRows = (values: unknown[]) => values.map((value, i) => ({ at: { row: i + 1 }, value }))

/** The proposed field of a column, and the notes about it. */
function proposed(header: string, list: unknown[]) {
  const all = profiler()
  all.add(toRows(list.map((value) => ({ [header]: value }))))
  const proposal = propose(all.result(), { name: 'Things' })
  expect(validateDataType(cleanDataType({ schema: proposal.schema }), 'schema')).toEqual([])
  const [evidence] = proposal.fields
  return { field: Object.values(proposal.schema)[0] as Field, notes: evidence?.notes ?? [] }
}

const speeds = times(60, (i) => String(i / 4))
const measured = (type: string, value: string) => ({ measurement: { type, value } })

const heads: [string, object | null][] = [
  ['Speed (km/h)', measured('speed', 'kilometer')],
  ['Speed [KM/H]', measured('speed', 'kilometer')],
  ['Höchsttemperatur °C', measured('temperature', 'celsius')],
  ['Tmax (°F)', { unit: '°F' }],
  ['Area (m2)', measured('area', 'meter')],
  ['PM2.5 (\u03bcg/m3)', measured('concentration', 'microgram')],
  ['Distance in km', measured('distance', 'kilometer')],
  ['distance_km', measured('distance', 'kilometer')],
  ['Cost (USD)', measured('currency', 'usd')],
  ['Preis (€)', measured('currency', 'eur')],
  ['Time (min)', measured('duration', 'minute')],
  ['Depth (m)', measured('distance', 'meter')],
  ['Weight (kg)', { unit: 'kg' }],
  ['Energy [kWh]', { unit: 'kWh' }],
  ['Humidity (%)', { unit: '%' }],
  ['Flow (m³/s)', { unit: 'm³/s' }],
  // No evidence: a plural, a word, an ambiguous letter, an unknown unit, a word with the ending of a unit.
  ['Vehicle(s)', null],
  ['Value (estimated)', null],
  ['Depth m', null],
  ['Pole height M', null],
  ['Yield (bushels per rod)', null],
  ['Grade in', null],
  ['Rooms (__proto__)', null],
  ['Km', null],
]

describe('the unit in a header', () => {
  test.each(heads)('%s', (header, expected) => {
    const { field, notes } = proposed(header, speeds)
    const { measurement, unit } = field
    expect({ measurement, unit }).toEqual({ measurement: undefined, unit: undefined, ...expected })
    expect(field.name).toBe(header)
    expect(notes.some((note) => note.startsWith('Its head says that the unit is '))).toBe(expected !== null)
  })
  test('is ignored for texts, and does not override what the values show', () => {
    expect(proposed('Place (km)', among(['here', 'there'])).field).toEqual({
      name: 'Place (km)',
      type: 'text',
    })
    expect(
      proposed(
        'Cost (EUR)',
        times(60, (i) => `$${i}.50`),
      ).field.measurement,
    ).toEqual({
      type: 'currency',
      value: 'usd',
    })
  })
  test('of one letter is case-sensitive', () => {
    expect(['(m)', '(M)', '(S)', '(s)'].map((end) => headUnit(`A ${end}`)?.unit)).toEqual([
      'm',
      undefined,
      undefined,
      's',
    ])
  })
})

describe('identifiers', () => {
  test('are unique texts, and digits with a name that means a code', () => {
    expect(
      proposed(
        'case_id',
        times(60, (i) => `C-${i}`),
      ).field.identifier,
    ).toBe(true)
    expect(
      proposed(
        'Zip',
        times(60, (i) => String(98_101 + (i % 30))),
      ).field,
    ).toMatchObject({
      type: 'text',
      identifier: true,
    })
    expect(
      proposed(
        'Ref',
        times(60, (i) => String(4_000_000 + i)),
      ).field.identifier,
    ).toBe(true)
    const all = profiler()
    all.add(toRows(times(60, (i) => ({ id: `a${i}`, 'record key': `b${i}`, n: String(i) }))))
    const { schema, fields } = propose(all.result(), { name: 'Things' })
    expect([schema.id?.identifier, schema.recordKey?.identifier, schema.n?.identifier]).toEqual([
      true,
      true,
      undefined,
    ])
    expect(fields.find(({ key }) => key === 'recordKey')?.notes).toEqual([
      'Every row has another one: it names them.',
    ])
  })
  test('are neither repeated values nor amounts', () => {
    expect(proposed('Note', among(['a', 'b', 'c'])).field.identifier).toBeUndefined()
    expect(
      proposed(
        'Cost',
        times(60, (i) => String(i * 17)),
      ).field.identifier,
    ).toBeUndefined()
  })
})

describe('additive columns', () => {
  const counts = times(60, (i) => String(i % 5))
  test.each(['Number of injuries', 'num_killed', 'Crash count', 'PERSONS INJURED', 'Deaths'])(
    '%s',
    (header) => {
      const { field, notes } = proposed(header, counts)
      expect(field.additive).toBe(true)
      expect(notes).toHaveLength(1)
    },
  )
  test.each(
    [
      [
        'Population',
        'Beds',
        'Injury rate',
        'Cumulative deaths',
        'Total deaths',
        'Deaths per 1000',
        'Number of people',
      ],
      ['Average number of trips', 'Count', 'Floors'],
    ].flat(),
  )('does not include %s', (header) => {
    expect(proposed(header, counts).field.additive).toBeUndefined()
  })
  test('include neither fractions nor negative numbers', () => {
    expect(
      proposed(
        'Deaths',
        times(60, (i) => String(i / 2)),
      ).field.additive,
    ).toBeUndefined()
    expect(
      proposed(
        'Deaths',
        times(60, (i) => String(i - 1)),
      ).field.additive,
    ).toBeUndefined()
  })
})

describe('regions', () => {
  const postal = ['WA', 'OR', 'CA', 'ID', 'NV', 'AK', 'HI', 'PR']
  test('are recognised by postal code, with their names', () => {
    const { field, notes } = proposed('State', among(postal))
    expect(field.region).toBe('us-states')
    expect(field.values).toHaveLength(56)
    expect(field.values).toContainEqual({ value: 'WA', name: 'Washington' })
    expect(notes).toEqual([
      '8 of its 8 different values are postal codes of states of the United States. Charts and tables show their names.',
    ])
  })
  test('are recognised even if some values are others', () => {
    const { field, notes } = proposed('STATE', among([...postal, 'BC']))
    expect(field.region).toBe('us-states')
    expect(notes[0]).toContain('8 of its 9 different values are postal codes')
    expect(notes[0]).toContain('; not: BC.')
  })
  test.each<[string, string, string[], string | undefined, boolean]>([
    ['names of states', 'Where', ['Washington', 'Oregon', 'new york'], 'us-states', false],
    ['numbers of states', 'State FIPS', ['53', '06', '01'], 'us-states', true],
    ['codes of states without a word that says so', 'Kind', postal, undefined, false],
    ['two letters of countries', 'Country', ['DE', 'FR', 'US'], 'world-countries', true],
    [
      'letters that are states and countries, by their head',
      'country',
      ['CA', 'DE', 'AL'],
      'world-countries',
      true,
    ],
    ['three letters of countries', 'Code', ['DEU', 'FRA', 'USA'], 'world-countries', true],
    ['names of countries', 'Origin', ['Germany', 'France', 'Peru'], 'world-countries', false],
    ['counties', 'county_fips', ['53033', '06037', '01001'], 'us-counties', false],
    ['five digits that are none', 'county_fips', ['99033', '98037', '97001'], undefined, false],
    ['two states alone', 'Name', ['Washington', 'Georgia'], undefined, false],
    ['cities', 'State of mind', ['Oakton', 'Elmville'], undefined, false],
  ])('%s', (_, header, values, region, hasNames) => {
    const { field } = proposed(header, among(values))
    expect([field.region, field.values !== undefined]).toEqual([region, hasNames])
  })
  test('are not recognised with more values than there are regions', () => {
    expect(
      proposed(
        'State',
        times(600, (i) => `W${i}`),
      ).field.region,
    ).toBeUndefined()
  })
  test('every list of names is valid for a field', () => {
    for (const { names, knownCodes: values } of regionWritings()) {
      expect(values.size).toBeGreaterThan(50)
      if (names) expect(new Set(names.values()).size).toBe(names.size)
    }
  })
})

test('codes for missing values are read as missing, in texts, numbers and lists', async () => {
  const values = [
    { value: -9, name: 'Not asked', missing: true as const },
    { value: 1, name: 'Yes' },
  ]
  const map = await mapper(
    { n: { field: 'n' }, t: { field: 't' }, l: { field: 'l' } },
    {
      n: { name: 'N', type: 'number', values },
      t: { name: 'T', type: 'text', values: [{ value: 'NULL?', missing: true }] },
      l: { name: 'L', type: 'array', items: { name: 'I', type: 'number', values } },
    },
    { timeZone: 'UTC', columns: {} },
  )
  const read = (row: object) => {
    const result = map({ at: { row: 1 }, value: row })
    return result && 'value' in result ? result.value : result
  }
  expect(read({ n: '-9', t: 'NULL?', l: [1, -9] })).toEqual({ l: [1, null] })
  expect(read({ n: '1', t: 'NULL', l: [2] })).toEqual({ n: 1, t: 'NULL', l: [2] })
})
