import { describe, expect, test } from 'vitest'
import { validateDataType } from '#functions/shapes/fields/document.ts'
import { readMapping } from '#functions/shapes/importer-mapping.ts'
import { recordChecker } from '#functions/shapes/fields/record.ts'
import { mapper } from '../map/index.ts'
import { compare, profiler, propose } from './index.ts'
import { toFieldKey, toFieldName } from './keys.ts'

const toRows = (values: unknown[]) => values.map((value, i) => ({ at: { row: i + 1 }, value }))
function proposed(values: unknown[]) {
  const all = profiler()
  all.add(toRows(values))
  const profile = all.result()
  const proposal = propose(profile, { name: 'Things' })
  expect(validateDataType({ ...proposal, id: 'things', notes: 'n' }, 'full')).toEqual([])
  expect(readMapping(proposal.mapping).issues).toEqual([])
  return { profile, proposal }
}
const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i))
const day = (i: number) => String((i % 28) + 1)

/** A column's header, its texts, the proposed type, its format, and the number of rejected values. */
const shapes: [string, string, unknown[], string, object?, number?][] = [
  ['zip codes with zeros', 'Zip', times(50, (i) => String(1000 + i * 37).padStart(5, '0')), 'text'],
  ['digits of which some begin with a zero', 'Tract', times(50, (i) => (i ? String(i * 7) : '0042')), 'text'],
  ['zip codes without zeros', 'zip_code', times(50, (i) => String(98_101 + (i % 30))), 'text'],
  ['telephone numbers as digits', 'Phone', times(50, (i) => String(2_065_550_100 + (i % 9))), 'text'],
  ['telephone numbers', 'Call', times(50, (i) => `(206) 555-01${String(i).padStart(2, '0')}`), 'text'],
  ['years', 'Year', times(50, (i) => String(1980 + (i % 40))), 'number'],
  ['whole numbers', 'Count', times(50, (i) => String(i % 7)), 'number'],
  ['numbers with a fraction', 'Rate', times(50, (i) => (i / 7).toFixed(3)), 'number'],
  ['long ids', 'Ref', times(50, (i) => String(4_000_000 + i)), 'text'],
  ['numbers too long for a number', 'Value', times(50, (i) => `90071992547409${90 + (i % 9)}1`), 'text'],
  [
    'money',
    'Cost',
    times(50, (i) => `$${(1000 + i * 13).toLocaleString('en-US')}.50`),
    'number',
    { sign: '$' },
  ],
  ['euros', 'Preis', times(50, (i) => `${1 + (i % 9)}.234,50 €`), 'number', { decimal: ',', sign: '€' }],
  ['German numbers', 'Menge', times(50, (i) => `${1 + (i % 9)}.234,${i % 10}`), 'number', { decimal: ',' }],
  [
    'French numbers',
    'Somme',
    times(50, (i) => `${1 + (i % 9)} 234,${i % 10}`),
    'number',
    { decimal: ',', group: ' ' },
  ],
  ['percents', 'Share', times(50, (i) => `${i}.5%`), 'number', { sign: '%' }],
  ['numbers with a few words', 'Level', [...times(99, (i) => String(i % 7)), 'low'], 'number', {}, 1],
  ['numbers with many words', 'Level', [...times(90, (i) => String(i)), ...times(10, () => 'low')], 'text'],
  [
    'two ways of writing numbers',
    'Amount',
    [...times(25, () => '1,234.5'), ...times(25, () => '1.234,5')],
    'text',
  ],
  ['ISO days', 'Opened', times(50, (i) => `2019-05-${day(i).padStart(2, '0')}`), 'date'],
  ['ISO instants', 'Stamp', times(50, (i) => `2019-05-01T10:00:${String(i).padStart(2, '0')}Z`), 'date'],
  ['month first', 'When', times(50, (i) => `5/${day(i)}/2019`), 'date', { order: 'monthFirst' }],
  ['day first', 'When', times(50, (i) => `${day(i)}/5/2019`), 'date', { order: 'dayFirst' }],
  [
    'dates that may be either',
    'When',
    times(50, (i) => `${(i % 12) + 1}/${((i + 1) % 12) + 1}/2019`),
    'text',
  ],
  [
    'dates in both orders',
    'When',
    [...times(40, (i) => `5/${day(i)}/2019`), ...times(10, () => '15/5/2019')],
    'text',
  ],
  [
    'one date in the other order',
    'When',
    [...times(99, (i) => `5/${day(i)}/2019`), '15/5/2019'],
    'date',
    { order: 'monthFirst' },
    1,
  ],
  ['dates with names of months', 'When', times(50, (i) => `May ${day(i)}, 2019`), 'date'],
  ['days as eight digits', 'start_date', times(50, (i) => `201905${day(i).padStart(2, '0')}`), 'date'],
  [
    'eight digits that are no days by name',
    'Nummer',
    times(50, (i) => `201905${day(i).padStart(2, '0')}`),
    'number',
  ],
  ['Y and N', 'Open', times(50, (i) => 'YN'[i % 2]), 'boolean'],
  ['one N among directions', 'Side', times(50, (i) => 'NSEW'[i % 4]), 'text'],
  ['nothing but N', 'Side', times(50, () => 'N'), 'text'],
  ['true and nothing', 'Seen', times(50, (i) => (i % 2 ? 'TRUE' : '')), 'boolean'],
  [
    'ja and nein',
    'Offen',
    times(50, (i) => (i % 2 ? 'ja' : 'nein')),
    'boolean',
    { true: ['ja', 'j'], false: ['nein', 'n'] },
  ],
  ['0 and 1', 'Floors', times(50, (i) => String(i % 2)), 'number'],
  ['0 and 1 of a flag', 'is_open', times(50, (i) => String(i % 2)), 'boolean'],
  ['a constant', 'State', times(50, () => 'WA'), 'text'],
  ['nothing', 'Empty', times(50, () => ''), 'text'],
  ['numbers with N/A', 'Depth', times(50, (i) => (i % 5 ? String(i % 7) : 'N/A')), 'number'],
  ['numbers of JSON', 'Depth', times(50, (i) => i / 4), 'number'],
  ['lists', 'Tags', times(50, (i) => ['a', `b${i}`]), 'array'],
  ['points as well-known text', 'Shape', times(50, (i) => `POINT (-122.${i + 1} 47.5)`), 'point'],
  [
    'areas of both kinds',
    'the_geom',
    times(50, (i) => (i % 2 ? 'POLYGON((0 1,1 1,1 2,0 1))' : 'MULTIPOLYGON(((0 1,1 1,1 2,0 1)))')),
    'multipolygon',
  ],
  ['maps as text', 'Meta', times(50, (i) => `{"a": ${i}}`), 'object'],
]

describe('a column', () => {
  test.each(shapes)('of %s', async (_, header, list, type, reading = {}, rejectedCount = 0) => {
    const { profile, proposal } = proposed(list.map((value) => ({ [header]: value })))
    const [evidence] = proposal.fields
    expect([evidence!.type, evidence!.values - evidence!.parsed]).toEqual([type, rejectedCount])
    expect(proposal.columns[header] ?? {}).toEqual(reading)
    expect(evidence!.failing.length).toBe(rejectedCount)
    // The proposal is accurate: exactly the predicted rows are rejected.
    const { schema, mapping, columns } = proposal
    const map = await mapper(mapping, schema, { timeZone: 'America/Los_Angeles', columns })
    const results = toRows(list.map((value) => ({ [header]: value }))).map((row) => map(row))
    expect(results.filter((result) => result && 'rejects' in result).length).toBe(rejectedCount)
    const check = recordChecker(schema)
    for (const result of results) if (result && 'value' in result) expect(check(result.value)).toEqual([])
    const [field] = compare(profile, schema, mapping, columns).fields
    if (field!.refused !== null) expect(field!.refused).toBe(rejectedCount)
  })
})

describe('a proposal', () => {
  const rows = times(60, (i) => ({
    'Permit #': `P-${String(i).padStart(4, '0')}`,
    'Issued Date': `2019-05-${day(i).padStart(2, '0')}`,
    'Straße / Größe': `Main ${i}`,
    Latitude: String(47.5 + i / 1000),
    Longitude: String(-122.3 - i / 1000),
    name: 'x',
    Name: 'y',
  }))
  test('has keys, names, id, primary date, point and evidence', () => {
    const { proposal } = proposed(rows)
    expect(Object.entries(proposal.schema).map(([key, { name, type }]) => [key, name, type])).toEqual([
      ['id', 'Permit #', 'text'],
      ['issuedDate', 'Issued Date', 'date'],
      ['strasseGrosse', 'Straße / Größe', 'text'],
      ['name', 'name', 'text'],
      ['name2', 'Name', 'text'],
      ['location', 'Location', 'point'],
    ])
    expect([proposal.id, proposal.temporal]).toEqual(['Permit #', { primary: 'issuedDate' }])
    expect(proposal.mapping.location).toEqual({
      transform: 'createPoint',
      arguments: [{ field: 'Longitude' }, { field: 'Latitude' }],
    })
    expect(proposal.fields.find(({ key }) => key === 'location')).toMatchObject({ values: 60, parsed: 60 })
  })
  test('has no id if one is repeated, and does not use "id" as the key of that column', () => {
    const { proposal } = proposed(times(30, (i) => ({ id: String(i % 29), a: 'x' })))
    expect([proposal.id, Object.keys(proposal.schema)]).toEqual([null, ['idValue', 'a']])
  })
  test('of features uses properties and geometry', () => {
    const { proposal } = proposed(
      times(30, (i) => ({
        type: 'Feature',
        properties: { OBJECTID: i, NAME: `n${i}` },
        geometry: { type: 'Point', coordinates: [-122 - i / 100, 47] },
      })),
    )
    expect(proposal.mapping).toEqual({
      id: { field: 'properties.OBJECTID' },
      name: { field: 'properties.NAME' },
      geometry: { field: 'geometry' },
    })
    expect(Object.values(proposal.schema).map(({ type }) => type)).toEqual(['text', 'text', 'point'])
  })
  test('makes no point of columns that are swapped or mostly 0, 0', () => {
    const swapped = proposed(times(30, () => ({ lat: '-122.3', lon: '47.5' })))
    expect(swapped.profile.pairs[0]).toMatchObject({ both: 30, swapped: 30, good: 0 })
    expect(Object.keys(swapped.proposal.schema)).toEqual(['lat', 'lon'])
    const zero = proposed(times(30, (i) => ({ lat: i % 2 ? '0' : '47.5', lon: i % 2 ? '0' : '-122.3' })))
    expect(zero.profile.pairs[0]).toMatchObject({ both: 30, zero: 15 })
    expect(Object.keys(zero.proposal.schema)).toEqual(['lat', 'lon'])
  })
  test('of nothing is empty', () => {
    expect(proposed([]).proposal).toMatchObject({
      schema: {},
      mapping: {},
      id: null,
      temporal: null,
      fields: [],
    })
  })
})

describe('words for missing values', () => {
  const proposeColumn = (values: unknown[]) => {
    const { proposal, profile } = proposed(values.map((v, i) => ({ v, other: i })))
    const evidence = proposal.fields.find(({ paths }) => paths[0] === 'v')
    const report = compare(profile, proposal.schema, proposal.mapping, proposal.columns)
    const rejectedCount = report.fields.find(({ path }) => path === 'v')?.refused
    const { type, missing } = evidence!
    return { type, missing, reading: proposal.columns.v, refused: rejectedCount }
  }
  const word = (text: string, count: number, how: string) => ({ word: text, count, how })

  test('are chosen if all other values have another type, with their counts', () => {
    const depths = times(40, (i) => String(i % 7))
    expect(proposeColumn([...depths, ...times(8, () => 'k.A.'), '..', '..', 'n/a'])).toEqual({
      type: 'number',
      missing: [word('k.a.', 8, 'chosen'), word('..', 2, 'usual'), word('n/a', 1, 'usual')],
      reading: { missing: ['k.a.'] },
      refused: 0,
    })
    const days = times(40, (i) => `2019-05-${day(i).padStart(2, '0')}`)
    expect(proposeColumn([...days, 'Unknown', 'not recorded'])).toMatchObject({
      type: 'date',
      reading: { missing: ['unknown', 'not recorded'] },
      refused: 0,
    })
    // Among other words they are ordinary words.
    expect(proposeColumn([...times(20, () => 'Oak'), ...depths, 'unknown', '-'])).toMatchObject({
      type: 'text',
      missing: [word('-', 1, 'offered'), word('unknown', 1, 'offered')],
      reading: undefined,
    })
  })
  test('that may be codes are offered and never chosen', () => {
    const codes = [...times(40, (i) => i % 60), 999, 999, -99, -99, -99]
    expect(proposeColumn(codes)).toEqual({
      type: 'number',
      missing: [word('-99', 3, 'offered'), word('999', 2, 'offered')],
      reading: undefined,
      refused: 0,
    })
    // Within the range of the others, or once, it is a number.
    expect(proposeColumn([...times(40, (i) => i * 40), 999, 999]).missing).toEqual([])
    expect(proposeColumn([...times(40, (i) => i), 999]).missing).toEqual([])
  })
})

test('a comparison counts rejected, missing and unknown values', () => {
  const { profile } = proposed(
    times(100, (i) => ({ a: i % 10 ? String(i) : 'x', b: i % 4 ? 'yes' : '', c: '1/2/2019' })),
  )
  const schema = {
    n: { name: 'N', type: 'number' as const },
    yes: { name: 'Yes', type: 'boolean' as const, validation: { required: true } },
    at: { name: 'At', type: 'date' as const },
    sum: { name: 'Sum', type: 'number' as const },
  }
  const mapping = {
    n: { field: 'a' },
    yes: { field: 'b' },
    at: { field: 'c' },
    sum: { transform: 'add', arguments: [1, { field: 'z' }] },
    nope: 1,
  }
  const result = compare(profile, schema, mapping)
  expect(
    result.fields.map(({ field, values, refused: rejectedCount, missing }) => [
      field,
      values,
      rejectedCount,
      missing,
    ]),
  ).toEqual([
    ['n', 100, 10, 0],
    ['yes', 75, 0, 25],
    ['at', 100, 100, 0],
    ['sum', null, null, null],
  ])
  expect([result.unknownTargets, result.absentColumns, result.unusedColumns]).toEqual([['nope'], ['z'], []])
  expect(compare(profile, schema, mapping, { c: { order: 'dayFirst' } }).fields[2]).toMatchObject({
    refused: 0,
  })
})

test('derives keys and names from headers', () => {
  expect(
    ['Zip Code', 'HTTPStatus', 'camelCase', ' 2019 sales', '2019', '007', 'Größe (m²)', '%', '日本'].map(
      toFieldKey,
    ),
  ).toEqual(['zipCode', 'httpStatus', 'camelCase', '2019Sales', '_2019', '007', 'grosseM2', 'percent', ''])
  expect(
    ['Größe (m²)', '日本', 'Höchsttemperatur °C', ' a\n<b>\tc ', '#', '\ud800x', `${'n'.repeat(127)}😀`].map(
      (head) => toFieldName(head, 'key'),
    ),
  ).toEqual(['Größe (m²)', '日本', 'Höchsttemperatur °C', 'a b c', 'key', '\ufffdx', 'n'.repeat(127)])
})
