import { describe, expect, test } from 'vitest'
import type { ChartInput } from './frame.ts'
import { categorical, tokenColour } from './palette.ts'
import { buildOutput, samples } from './samples.testing.ts'
import { buildSeries } from './series.ts'
import { assignRoles } from './roles.ts'
import { getChoices, applySlice } from './slice.ts'
import { chartSpec } from './spec.ts'
import { chartTable } from './table.ts'

const byYear: ChartInput = {
  title: 'Deaths',
  visualization: { type: 'line' },
  output: buildOutput(
    {
      year: { name: 'Year', type: 'date', measurement: { type: 'bucket', value: 'year' } },
      kind: { name: 'Disaster', type: 'text' },
      n: { name: 'Deaths', type: 'number' },
    },
    ['year', 'kind'],
  ),
  rows: [2015, 2016, 2017, 2018].flatMap((year, at) =>
    [
      ['Quake', 1000],
      ['Flood', 500],
      ['Slide', 10],
      [null, 5],
    ].map(([kind, n]) => ({ year: `${year}-01-01`, kind, n: Number(n) + at })),
  ),
  locale: 'en',
  timeZone: 'America/Los_Angeles',
}

const colours = (input: ChartInput) =>
  Object.fromEntries(
    buildSeries(input, assignRoles(input.visualization, input.output)).series.map(({ name, color }) => [
      name,
      color,
    ]),
  )

describe('choices of a figure', () => {
  test('are the times in order and the series as drawn', () => {
    const { times, series } = getChoices(byYear)
    expect(times.map(({ key }) => key)).toEqual(['2015-01-01', '2016-01-01', '2017-01-01', '2018-01-01'])
    expect(times[0]?.label).toBe('2015')
    expect(series.map(({ key }) => key)).toEqual(['Quake', 'Flood', 'Slide', ''])
    expect(series[0]?.color).toBe(categorical[0])
  })

  test('have keys that are the same in every language, and translated labels', () => {
    const month = { ...samples.line, locale: 'fr' }
    expect(getChoices(month).times.map(({ key }) => key)).toEqual(
      getChoices(samples.line).times.map(({ key }) => key),
    )
    expect(getChoices(month).times[0]).toMatchObject({ key: '2012-01-01', label: 'janvier 2012' })
  })

  test('are empty for charts with shares, and without three times or more', () => {
    expect(getChoices(samples.pie)).toEqual({ times: [], series: [] })
    expect(getChoices(samples.histogram)).toEqual({ times: [], series: [] })
    expect(getChoices({ ...byYear, rows: byYear.rows.slice(0, 8) }).times).toEqual([])
  })
})

describe('has exactly the rows of its times and series', () => {
  test('has exactly the rows of its time and its series', () => {
    const part = applySlice(byYear, { from: '2016-01-01', to: '2017-01-01', series: ['Flood', ''] })
    expect(part.input.rows).toEqual([
      { year: '2016-01-01', kind: 'Flood', n: 501 },
      { year: '2016-01-01', kind: null, n: 6 },
      { year: '2017-01-01', kind: 'Flood', n: 502 },
      { year: '2017-01-01', kind: null, n: 7 },
    ])
    expect(part).toMatchObject({ isPart: true, range: { from: '2016', to: '2017' }, unknown: [] })
    expect(part.seriesNames?.[0]).toBe('Flood')
    expect(chartTable(part.input).rows).toHaveLength(4)
  })

  test('keeps the colour of each series, and gives unused colours to those without one', () => {
    const part = applySlice(byYear, { series: ['Flood'] }).input
    expect(colours(part)).toEqual({ Flood: categorical[1] })
    const many = {
      ...byYear,
      rows: Array.from({ length: 10 }, (_, at) => ({ year: '2015-01-01', kind: `k${at}`, n: 100 - at })),
    }
    expect(colours(applySlice(many, { series: ['k0', 'k9'] }).input)).toEqual({
      k0: categorical[0],
      k9: categorical[1],
    })
  })

  test('mutes all but the highlighted series, and draws all of them', () => {
    const { input, isPart } = applySlice(byYear, { highlight: 'Slide' })
    expect(isPart).toBe(false)
    expect(colours(input)).toMatchObject({ Slide: categorical[2], Quake: tokenColour('--chart-muted') })
    expect(chartSpec(input)).not.toBeNull()
  })

  test('drops the columns of measures that are not chosen', () => {
    const measure = (name: string) => ({
      name,
      type: 'number' as const,
      measurement: { type: 'temperature', value: 'celsius' },
    })
    const answer = {
      ...byYear,
      output: buildOutput(
        {
          year: byYear.output.schema['year'] ?? { name: '', type: 'date' },
          low: measure('Low'),
          high: measure('High'),
        },
        ['year'],
      ),
      rows: [2015, 2016, 2017].map((year) => ({ year: `${year}-01-01`, low: 1, high: 2 })),
    }
    const { input } = applySlice(answer, { series: ['high'] })
    expect(Object.keys(input.output.schema)).toEqual(['year', 'high'])
    expect(chartTable(input).columns.map(({ key }) => key)).toEqual(['year', 'high'])
  })

  test('reports choices that the data do not have, and shows the rest', () => {
    const part = applySlice(byYear, { from: '1999-01-01', to: '2016-01-01', series: ['Flood', 'Comet'] })
    expect(part.unknown).toEqual(['1999-01-01', 'Comet'])
    expect(part.range).toEqual({ from: '2015', to: '2016' })
    expect(part.input.rows).toHaveLength(2)
    const none = applySlice(byYear, {
      from: '2018-01-01',
      to: '2015-01-01',
      series: ['Comet'],
      highlight: 'x',
    })
    expect(none).toMatchObject({ isPart: false, range: null, seriesNames: null })
    expect(none.unknown).toHaveLength(3)
    expect(none.input.rows).toHaveLength(byYear.rows.length)
  })
})
