import { describe, expect, it } from 'vitest'
import type { OutputField } from '#functions/shapes/analytics.ts'
import { axisTitle, formatValue, getFieldUnit } from './format.ts'
import { assignRoles } from './roles.ts'
import { buildOutput, samples } from './samples.testing.ts'
import { chartSentence } from './sentence.ts'
import { buildSeries } from './series.ts'
import { chartTable } from './table.ts'

const reading = { locale: 'en', timeZone: 'UTC' }
const kinds = [
  { value: 1, name: 'Bird' },
  { value: 2, name: 'Bat' },
  { value: 8, name: 'Not told', missing: true as const },
  { value: 9, missing: true as const },
]
const kind: OutputField = { name: 'Kind', type: 'number', values: kinds, unit: 'kg' }
const state: OutputField = { name: 'State', type: 'text', values: [{ value: 'AK', name: 'Alaska' }] }
const mass: OutputField = { name: 'Mass', type: 'number', unit: 'kg' }

describe('codes', () => {
  it.each<[unknown, OutputField, string]>([
    [1, kind, 'Bird'],
    [8, kind, 'Not told'],
    [9, kind, '–'],
    [3, kind, '3'],
    ['1', kind, '1'],
    ['AK', state, 'Alaska'],
    ['constructor', state, 'constructor'],
    [['AK', 'WA'], { name: 'States', type: 'array', items: { ...state, type: 'text' } }, 'Alaska, WA'],
    [
      { k: 2 },
      { name: 'O', type: 'object', schema: { k: { ...kind, type: 'number' } } } as OutputField,
      'Kind: Bat',
    ],
    [true, { name: 'Open', type: 'boolean', values: [{ value: true, name: 'In use' }] }, 'In use'],
  ])('%j is displayed by name', (value, field, text) => {
    expect(formatValue(value, field, reading)).toBe(text)
  })

  it('have no unit, and numbers without a measurement have their own', () => {
    expect([
      getFieldUnit(kind),
      getFieldUnit(mass),
      getFieldUnit(state),
      getFieldUnit({ ...mass, type: 'text' }),
    ]).toEqual(['', 'kg', '', ''])
    expect(formatValue(2.5, mass, reading)).toBe('2.5\u00a0kg')
    expect(formatValue(2.5, { ...mass, unit: '%' }, reading)).toBe('2.5%')
  })

  it('a name that ends with its unit has it once', () => {
    const celsius = { type: 'number', measurement: { type: 'temperature', value: 'celsius' } } as const
    const titles = ['Höchsttemperatur °C', 'High (°C)', 'High [°C]', 'High'].map((name) =>
      axisTitle({ ...celsius, name }),
    )
    expect(titles).toEqual(['Höchsttemperatur °C', 'High (°C)', 'High [°C]', 'High (°C)'])
  })
})

describe('charts', () => {
  const rows = [
    { kind: 1, id: 7, rows: 30 },
    { kind: 2, id: 8, rows: 10 },
  ]
  const schema = {
    kind,
    id: { name: 'Id', type: 'number', identifier: true },
    rows: { name: 'Strikes', type: 'number' },
  } as const
  const input = {
    ...samples.line,
    output: buildOutput(schema, ['kind']),
    rows,
    visualization: { type: 'bar' as const },
  }

  it('treat codes as categories, and identifiers not as measures', () => {
    const parts = assignRoles(input.visualization, input.output)
    expect(parts).toMatchObject({ x: 'kind', y: 'rows' })
    expect(buildSeries(input, parts).along).toMatchObject({ kind: 'category', categories: ['Bird', 'Bat'] })
    // Without groupings there are none to choose from.
    expect(assignRoles({ type: 'bar' }, buildOutput(schema, []))).toMatchObject({ x: 'kind', y: 'rows' })
    // An identifier that is requested is used.
    expect(assignRoles({ type: 'bar', settings: { y: 'id' } }, input.output).y).toBe('id')
  })

  it('share an axis among measures with the same free-text unit', () => {
    const output = buildOutput(
      { state, mass, more: { ...mass, name: 'More' }, less: { ...mass, unit: 't' } },
      ['state'],
    )
    expect(assignRoles({ type: 'bar' }, output).measures).toEqual(['mass', 'more'])
  })

  it('have the names in their sentence and table', () => {
    expect(chartSentence(input)).toContain('Bird')
    expect(chartSentence(input)).toContain('Bat')
    const table = chartTable(input)
    expect(table.rows.map(([first]) => first)).toEqual(['Bird', 'Bat'])
    expect(table.columns.map(({ numeric }) => numeric)).toEqual([false, true, true])
  })
})
