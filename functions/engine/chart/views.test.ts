import { describe, expect, test } from 'vitest'
import type { ChartInput } from './frame.ts'
import { buildOutput } from './samples.testing.ts'
import { applySlice } from './slice.ts'
import { mapInput, getOtherViews } from './views.ts'

const state = { name: 'State', type: 'text' as const, region: 'us-states' as const }
const year = { name: 'Year', type: 'date' as const, measurement: { type: 'bucket' as const, value: 'year' } }
const n = { name: 'Strikes', type: 'number' as const }
const words = { title: 'Strikes', locale: 'en', timeZone: 'UTC' }

const byStateAndYear: ChartInput = {
  ...words,
  visualization: { type: 'line' },
  output: {
    ...buildOutput({ year, state, n }, ['year', 'state']),
    coverage: { alias: 'year', from: '2015-01-01', to: '2018-06-30', precision: 'day' },
  },
  rows: [2015, 2016, 2017, 2018].flatMap((at) =>
    ['OH', 'IA'].map((name, index) => ({ year: `${at}-01-01`, state: name, n: at - 2000 + index })),
  ),
}

describe('the alternative view of an answer', () => {
  test.each([
    ['bars by state are a map', ['state'], { type: 'map', settings: { region: 'state', color: 'n' } }],
    [
      'by state and year as well',
      ['year', 'state'],
      { type: 'map', settings: { region: 'state', color: 'n' } },
    ],
    ['by state and kind they are none: a region has one colour', ['state', 'kind'], undefined],
    ['by year alone they are none', ['year'], undefined],
    ['rows that no region groups are none: one region has many', [], undefined],
  ])('%s', (_what, groupings, map) => {
    const output = buildOutput({ state, year, kind: { name: 'Kind', type: 'text' }, n }, groupings)
    expect(getOtherViews({ visualization: { type: 'bar' }, output })).toEqual(map ? { map } : {})
  })

  test('a map of regions has bars; a map of points, a number and a table have none', () => {
    const output = buildOutput({ state, n }, ['state'])
    const visualization = { type: 'map' as const, settings: { region: 'state', color: 'n' } }
    expect(getOtherViews({ visualization, output })).toEqual({
      chart: { type: 'bar', settings: { x: 'state', y: 'n' } },
    })
    for (const type of ['number', 'table'] as const)
      expect(getOtherViews({ visualization: { type }, output })).toEqual({})
    const points = buildOutput({ place: { name: 'Place', type: 'point' }, n }, [])
    expect(getOtherViews({ visualization: { type: 'map' }, output: points })).toEqual({})
  })
})

describe('a map of a time series', () => {
  const { map = { type: 'map' as const } } = getOtherViews(byStateAndYear)
  const mapSlice = (slice: Parameters<typeof applySlice>[1]) =>
    mapInput(applySlice(byStateAndYear, slice).input, map)

  test('shows the last span that the data cover completely, and names it', () => {
    const { input, moment } = mapSlice({})
    expect(moment).toBe('2017')
    expect(input.rows.map((row) => [row.state, row.n])).toEqual([
      ['OH', 17],
      ['IA', 18],
    ])
    expect(input.visualization).toEqual(map)
  })

  test('shows the end of the chosen range, even a partial one if it is the only one', () => {
    expect(mapSlice({ to: '2016-01-01' }).moment).toBe('2016')
    expect(mapSlice({ from: '2018-01-01' })).toMatchObject({
      moment: '2018',
      input: { rows: [{ n: 18 }, { n: 19 }] },
    })
  })

  test('has only the chosen regions, and the highlighted measure', () => {
    expect(mapSlice({ series: ['IA'] }).input.rows.map((row) => row.state)).toEqual(['IA'])
    const two = {
      ...words,
      visualization: { type: 'bar' as const, settings: { x: 'state' } },
      output: buildOutput(
        { state, n: { ...n, unit: 'strikes' }, m: { ...n, name: 'Reported', unit: 'strikes' } },
        ['state'],
      ),
      rows: [{ state: 'OH', n: 1, m: 2 }],
    }
    const { input } = mapInput(applySlice(two, { highlight: 'm' }).input, getOtherViews(two).map ?? map)
    expect(input.visualization.settings).toEqual({ region: 'state', color: 'm' })
  })
})
