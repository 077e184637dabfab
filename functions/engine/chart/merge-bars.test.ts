import { describe, expect, it } from 'vitest'
import type { AggregateFunction } from '#functions/shapes/analytics.ts'
import { locales } from '#functions/shapes/locale.ts'
import { chartWidths, type ChartInput } from './frame.ts'
import { describeOtherBars, buildOthersRow } from './merge-bars.ts'
import { withFunction, samples } from './samples.testing.ts'
import { chartSentence } from './sentence.ts'
import { chartSpec } from './spec.ts'
import { chartSvg } from './svg.ts'
import { chartTable } from './table.ts'

interface Row {
  rest?: true
  high?: number
  tip?: string
  text?: string
  s?: string
}
const getRows = (input: ChartInput): Row[] =>
  ((chartSpec(input) as { layer: { data: { values: Row[] } }[] } | null)?.layer ?? []).flatMap(
    ({ data }) => data.values,
  )
const getTexts = (input: ChartInput) => getRows(input).flatMap(({ text }) => text ?? [])

/** `count` categories with decreasing values: each has one less than the one before. */
const kinds = (count: number, of: AggregateFunction = 'count', least = 100): ChartInput => ({
  ...withFunction(samples.rows, 'n', of),
  rows: Array.from({ length: count }, (_none, at) => ({ kind: `Kind ${at}`, n: least + count - at })),
})

describe('bars after the thirtieth', () => {
  // 100 + 1 to 100 + 29.
  const sum = 29 * 100 + (29 * 30) / 2

  it.each(['count', 'sum'] as const)(
    'are one bar with their %s at the end, too long to be drawn to scale',
    (of) => {
      const input = kinds(59, of)
      const texts = getTexts(input)
      expect(texts.filter((text) => text.startsWith('Kind'))).toHaveLength(30)
      expect(texts).toContain('29 others')
      expect(texts).toContain(sum.toLocaleString('en-US'))
      expect(texts).toContain('Deaths since 1900')
      expect(getRows(input).filter(({ rest }) => rest)).toEqual([])
      expect(describeOtherBars(input)).toBe('29 others come to 3,335 together.')
    },
  )

  it('are drawn to scale if they are not much longer than the longest, with another style', async () => {
    const input = kinds(33)
    const rest = getRows(input).filter((row) => row.rest)
    expect(rest).toMatchObject([{ high: 101 + 102 + 103, tip: '3 others, Deaths since 1900: 306' }])
    const svg = await chartSvg(chartSpec(input)!, { id: 'c', title: '', description: '' })
    expect(svg.match(/<path[^>]*stroke-dasharray="3,3"[^>]*>/g)).toHaveLength(1)
    expect(svg.match(/<path[^>]*fill-opacity="0\.25"[^>]*>/g)).toHaveLength(1)
    expect(getTexts({ ...input, width: chartWidths.narrow })).toContain('3 others')
  })

  it('are not merged if there is only one: it has its own bar', () => {
    expect(getTexts(kinds(31)).filter((text) => text.startsWith('Kind'))).toHaveLength(31)
    expect(describeOtherBars(kinds(31))).toBe('')
    expect(describeOtherBars(kinds(30))).toBe('')
  })

  it.each(['average', 'median', 'min', 'max', 'distinctCount'] as const)(
    'with a %s are left out, and this is noted',
    (of) => {
      const input = kinds(59, of)
      expect(getRows(input).some(({ rest }) => rest)).toBe(false)
      expect(getTexts(input)).toContain('Deaths since 1900, first 30 of 59')
      expect(describeOtherBars(input)).toBe('The chart shows the first 30 of 59.')
      expect(buildOthersRow(input, 20)).toBeNull()
    },
  )

  it('of a truncated answer are left out, and the heading has the total', () => {
    const cut = kinds(40)
    const input = { ...cut, output: { ...cut.output, total: 1234 } }
    expect(getRows(input).some(({ rest }) => rest)).toBe(false)
    expect(getTexts(input)).toContain('Deaths since 1900, first 30 of 1,234')
    expect(describeOtherBars(input)).toBe('The chart shows the first 30 of 40.')
    expect(buildOthersRow(input, 20)).toBeNull()
    const few = { ...input, rows: input.rows.slice(0, 4) }
    expect(getTexts(few)).toContain('Deaths since 1900, first 4 of 1,234')
  })

  it('are summed for each of several series', () => {
    const { output } = withFunction(samples.series, 'n')
    const rows = Array.from({ length: 33 }, (_none, at) =>
      ['A', 'B'].map((year) => ({ year, kind: `Kind ${at}`, n: year === 'A' ? 200 - at : 10 })),
    ).flat()
    const input: ChartInput = {
      ...samples.series,
      visualization: { type: 'bar', settings: { x: 'kind', series: 'year' } },
      output: { ...output, schema: { ...output.schema, year: { name: 'Year', type: 'text' } } },
      rows,
    }
    expect(getRows(input).filter((row) => row.rest)).toMatchObject([
      { s: 'A', high: 170 + 169 + 168 },
      { s: 'B', high: 30 },
    ])
    expect(describeOtherBars(input)).toBe('3 others are drawn as one.')
  })

  it('have no bar if none of them has a value', () => {
    const input = kinds(40)
    const rows = input.rows.map((row, at) => (at < 30 ? row : { ...row, n: null }))
    expect(getRows({ ...input, rows }).some(({ rest }) => rest)).toBe(false)
    expect(describeOtherBars({ ...input, rows })).toBe('The chart shows the first 30 of 40.')
  })

  it('are not in the sentence, and the table has every row', () => {
    const input = kinds(59)
    expect(chartSentence(input)).toBe('Deaths since 1900 ranged from 159 for Kind 0 down to 101 for Kind 58.')
    expect(chartTable(input).rows).toHaveLength(59)
  })

  it('are named in every language', () => {
    const names = locales.map(({ code }) =>
      getTexts({ ...kinds(33), locale: code }).find((text) => /^(?!Kind).*\b3\b/.test(text)),
    )
    expect(names).toEqual([
      '3 others',
      'Otros 3',
      '3 autres',
      '3 weitere',
      expect.stringContaining('أخرى'),
      'ほか3件',
    ])
    const notes = locales.map(({ code }) => describeOtherBars({ ...kinds(33), locale: code }))
    expect(new Set(notes).size).toBe(locales.length)
    expect(notes.every((note) => note.includes('306'))).toBe(true)
  })
})

describe('rows of a table that are not listed', () => {
  it('are one row with the sums of additive columns', () => {
    const input = kinds(80)
    // 101 to 160.
    expect(buildOthersRow(input, 20)).toEqual(['60 others', (60 * 130.5).toLocaleString('en-US')])
    expect(buildOthersRow(input, 79)).toBeNull()
    expect(buildOthersRow(withFunction(samples.line, 't', 'sum'), 1)).toBeNull()
  })
})

describe('series after the eighth', () => {
  const buildManySeries = (of: AggregateFunction): ChartInput => ({
    ...withFunction(samples.series, 'n', of),
    visualization: { type: 'bar' },
    rows: Array.from({ length: 12 }, (_none, at) => ({ year: '2017-01-01', kind: `Kind ${at}`, n: 20 - at })),
  })

  it('are not merged if they are averages', () => {
    for (const type of ['bar', 'area'] as const) {
      const input = { ...buildManySeries('average'), visualization: { type } }
      expect(getRows(input).some(({ s }) => s === 'Other')).toBe(false)
      expect(getTexts(input)).toContain('Deaths, 8 of 12 series')
    }
    expect(getRows(buildManySeries('sum')).some(({ s }) => s === 'Other')).toBe(true)
  })
})
