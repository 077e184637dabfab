import { describe, expect, it } from 'vitest'
import type { OutputField } from '#functions/shapes/analytics.ts'
import { getFieldUnit } from './format.ts'
import { flatRows, toReadableAnswer } from './readable.ts'
import { buildOutput } from './samples.testing.ts'
import { chartTable } from './table.ts'

const duration = (value: string): OutputField => ({
  name: 'Time',
  type: 'number',
  measurement: { type: 'duration', value },
})

describe('durations', () => {
  it.each<[string, number[], string, number[]]>([
    ['millisecond', [9_000_000, 1_800_000], 'h', [2.5, 0.5]],
    ['millisecond', [350, 999], 'ms', [350, 999]],
    ['millisecond', [5_000], 's', [5]],
    ['minute', [5, 90], 'min', [5, 90]],
    ['minute', [14_400], 'days', [10]],
    ['minute', [1_500], 'h', [25]],
    ['second', [0.25], 'ms', [250]],
    ['hour', [1_460 * 24], 'days', [1_460]],
    ['hour', [0, 0], 'h', [0, 0]],
    ['fortnight', [5_000], '', [5_000]],
  ])('in %s of %j are shown in %s', (unit, values, expectedUnit, expectedValues) => {
    const output = buildOutput({ n: duration(unit) }, [])
    const answer = toReadableAnswer({ output, rows: values.map((n) => ({ n })) })
    expect(answer.rows.map(({ n }) => n)).toEqual(expectedValues)
    expect(getFieldUnit(answer.output.schema.n)).toBe(expectedUnit)
    expect(toReadableAnswer(answer)).toEqual(answer)
  })

  it('do not change missing values', () => {
    const output = buildOutput({ n: duration('millisecond') }, [])
    const { rows } = toReadableAnswer({ output, rows: [{ n: null }, { n: 7_200_000 }, {}] })
    expect(rows).toEqual([{ n: null }, { n: 2 }, {}])
  })
})

describe('records', () => {
  const output = buildOutput(
    {
      id: { name: 'Id', type: 'text' },
      'data.cost': { name: 'Cost', type: 'number' },
      'data.meta.unit': { name: 'Unit', type: 'text' },
    },
    [],
  )
  const rows = [
    { id: '1', data: { cost: 5, meta: { unit: 'x' } } },
    { id: '2', data: {} },
  ]

  it("are flattened by field names, with the data type's fields before the built-in ones", () => {
    const flat = flatRows({ output, rows })
    expect(Object.keys(flat.output.schema)).toEqual(['data.cost', 'data.meta.unit', 'id'])
    expect(flat.rows).toMatchObject([
      { 'data.cost': 5, 'data.meta.unit': 'x' },
      { 'data.cost': null, 'data.meta.unit': null },
    ])
    expect(chartTable({ output, rows, locale: 'en', timeZone: 'UTC' }).rows).toEqual([
      ['5', 'x', '1'],
      ['–', '–', '2'],
    ])
  })
})
