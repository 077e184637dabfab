import { expect, it } from 'vitest'
import { samples } from './samples.testing.ts'
import { chartTable } from './table.ts'

it('has one column per alias, and units only in the header', () => {
  const { columns, rows } = chartTable(samples.line)
  expect(columns).toEqual([
    { key: 'month', name: 'Month', unit: '', numeric: false },
    { key: 't', name: 'Mean maximum temperature', unit: '°C', numeric: true },
  ])
  expect(rows[0]).toEqual(['January 2012', '7.1'])
  expect(rows).toHaveLength(4)
})

it('formats a column with the same decimals, date parts as words, and missing values as a dash', () => {
  const { columns, rows } = chartTable({
    ...samples.heatmap,
    rows: [
      { month: 1, hour: 4, t: 4 },
      { month: 7, t: 24.31 },
    ],
  })
  expect(columns.map((column) => column.numeric)).toEqual([false, false, true])
  expect(rows).toEqual([
    ['Jan', '04:00', '4.0'],
    ['Jul', '–', '24.3'],
  ])
})

it('marks partial spans, in each language', () => {
  const texts = (locale: string) => chartTable({ ...samples.partialLine, locale }).rows.map(([year]) => year)
  expect(texts('en')).toEqual(['1999', '2000', '2001', '2002 (partial)'])
  expect(texts('es').at(-1)).toBe('2002 (parcial)')
  expect(texts('fr').at(-1)).toBe('2002 (incomplet)')
  expect(texts('ar').at(-1)).toContain('(جزئي)')
})
