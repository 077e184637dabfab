import { describe, expect, it } from 'vitest'
import { visualizationTypes } from '#functions/shapes/analytics.ts'
import { buildOutput, samples } from './samples.testing.ts'
import { chartSentence } from './sentence.ts'

const normalizeSpaces = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

describe('chartSentence', () => {
  it.each<[keyof typeof samples, string]>([
    ['line', 'Mean maximum temperature ranged between 7.1 °C in January 2012 and 14.9 °C in April 2012.'],
    ['series', 'Deaths ranged from 648 for Flood down to 49 for Earthquake in 2017.'],
    ['rows', 'Deaths since 1900 ranged from 11,731,294 for Drought down to 5,030 for Mass movement (dry).'],
    ['columns', 'Days ranged from 641 for rain down to 26 for snow.'],
    ['pie', 'Rain made up 43.9% of Days, the largest of 5 parts.'],
    ['scatter', '5 points compare Income with Life expectancy.'],
    ['heatmap', 'Normal temperature ranged from 24.3 °C for Jul, 16:00 down to 4.1 °C for Jan, 04:00.'],
    [
      'histogram',
      '4 of 14 values of Maximum temperature lie between 6 °C and 8 °C, more than in any other range.',
    ],
  ])('describes %s', (name, sentence) => {
    expect(normalizeSpaces(chartSentence(samples[name]))).toBe(sentence)
  })

  it('describes a single value, a range, and equal values', () => {
    const [first, second] = samples.line.rows
    const describeRows = (rows: typeof samples.line.rows) =>
      normalizeSpaces(chartSentence({ ...samples.line, rows }))
    expect(describeRows([first ?? {}])).toBe('Mean maximum temperature came to 7.05 °C in January 2012.')
    expect(describeRows([first ?? {}, { ...second, t: -1 }])).toBe(
      'Mean maximum temperature ranged between −1.00 °C in February 2012 and 7.05 °C in January 2012.',
    )
    expect(describeRows([first ?? {}, { ...second, t: 7.05 }])).toBe(
      'Mean maximum temperature came to 7.05 °C in all 2 cases.',
    )
  })

  it('says that an answer is truncated, and which part is shown', () => {
    const { output, rows } = samples.rows
    const [alias = ''] = output.aggregations.map((each) => each.alias).filter((each) => each !== 'kind')
    const describeOutput = (
      more: object,
      visualization = samples.rows.visualization,
      inputRows = rows,
      locale = 'en',
    ) =>
      normalizeSpaces(
        chartSentence({
          ...{ ...samples.rows, visualization, rows: inputRows, locale },
          output: { ...output, total: 1234, ...more },
        }),
      )
    const orderings = (direction: 'asc' | 'desc') => ({ orderings: [{ alias, direction }] })
    const range = 'ranged from 11,731,294 for Drought down to 5,030 for Mass movement (dry).'
    expect(describeOutput(orderings('desc'))).toBe(`Deaths since 1900, the 9 largest of 1,234, ${range}`)
    expect(describeOutput(orderings('asc'))).toBe(`Deaths since 1900, the 9 smallest of 1,234, ${range}`)
    // Without an order, or with a preceding page, the largest of the rows has no meaning.
    expect(describeOutput({ orderings: [] })).toBe('9 of 1,234 are shown, not all.')
    expect(describeOutput({ ...orderings('desc'), skipped: 9 })).toBe('9 of 1,234 are shown, not all.')
    expect(describeOutput({ orderings: [], total: 9, skipped: 9 }, samples.rows.visualization, [])).toBe(
      '0 of 9 are shown, not all.',
    )
    expect(describeOutput(orderings('desc'), { type: 'number' }, rows.slice(0, 1))).toContain(
      'Deaths since 1900, the largest of 1,234, came to ',
    )
    expect(describeOutput({ estimated: true }, { type: 'table' })).toBe(
      'The table has 9 rows. 9 of about 1,234 are shown, not all.',
    )
    // The share of some parts is no share of the whole: it is described like bars.
    expect(describeOutput(orderings('desc'), { type: 'pie' })).toBe(
      `Deaths since 1900, the 9 largest of 1,234, ${range}`,
    )
    for (const locale of ['en', 'es', 'fr', 'ar'])
      for (const type of visualizationTypes)
        expect(describeOutput(orderings('desc'), { type }, rows, locale)).toMatch(/1[., ]?234|١٬٢٣٤/)
  })

  it('does not say that there are no data if a limit left rows out', () => {
    const { output, rows } = samples.line
    const none = rows.map((row) => ({ ...row, t: null }))
    const describeEmpty = (more: object) =>
      chartSentence({ ...samples.line, rows: none, output: { ...output, ...more } })
    expect(describeEmpty({})).toBe('No data yet.')
    expect(describeEmpty({ total: 13 })).toBe(`${rows.length} of 13 are shown, not all.`)
  })

  it('describes a missing group of a grid in words, in every language', () => {
    const { rows } = samples.heatmap
    const [x = '', y = ''] = samples.heatmap.output.groupings.map(({ alias }) => alias)
    const [first, ...others] = rows
    const describeGrid = (without: object, locale = 'en') =>
      normalizeSpaces(
        chartSentence({ ...samples.heatmap, locale, rows: [{ ...first, ...without, t: 99 }, ...others] }),
      )
    expect(describeGrid({ [y]: null })).toContain('from 99.0 °C for Jan, without Hour down to')
    expect(describeGrid({ [x]: null })).toContain('from 99.0 °C without Month, ')
    expect(describeGrid({ [x]: null, [y]: null })).toContain('without Month, without Hour down to')
    const words = { es: ', sin Hour a ', fr: ', sans Hour à ', ar: ', بدون Hour إلى ' }
    for (const [locale, expected] of Object.entries(words))
      expect(describeGrid({ [y]: null }, locale)).toContain(expected)
  })

  it('claims neither a maximum nor a sum of truncated series', () => {
    for (const name of ['series', 'heatmap'] as const) {
      const { output, rows } = samples[name]
      const sentence = chartSentence({ ...samples[name], output: { ...output, total: 5000 } })
      expect(normalizeSpaces(sentence)).toBe(`${rows.length} of 5,000 are shown, not all.`)
    }
  })

  it('describes a number, a number of rows, points and areas', () => {
    const describeVisualization = (
      visualization: Parameters<typeof chartSentence>[0]['visualization'],
      rows = samples.rows.rows,
    ) => chartSentence({ ...samples.rows, visualization, rows })
    expect(describeVisualization({ type: 'number' })).toBe(
      'Deaths since 1900 came to 2,576,801 for Earthquake.',
    )
    expect(describeVisualization({ type: 'table' })).toBe('The table has 9 rows.')
    expect(describeVisualization({ type: 'table' }, samples.rows.rows.slice(0, 1))).toBe(
      'The table has 1 row.',
    )
    const areas = { type: 'map', settings: { region: 'kind' } } as const
    expect(describeVisualization(areas)).toBe(
      'Deaths since 1900 ranged from 11,731,294 for Drought down to 5,030 for Mass movement (dry).',
    )
    expect(describeVisualization(areas, [{ kind: 'Flood' }])).toBe('The map shows 1 area.')
  })

  it('counts only points with a position', () => {
    const rows = [
      { at: { type: 'Point', coordinates: [-122.3, 47.6] } },
      { at: null },
      { at: { type: 'Point' } },
    ]
    const output = buildOutput({ at: { name: 'Place', type: 'point' } }, [])
    const input = { ...samples.rows, visualization: { type: 'map' as const }, output }
    expect(chartSentence({ ...input, rows })).toBe('The map shows 1 point.')
    expect(chartSentence({ ...input, rows: rows.slice(1) })).toBe('No data yet.')
    const numbers = buildOutput({ a: { name: 'A', type: 'number' }, b: { name: 'B', type: 'number' } }, [])
    const mapVisualization = { type: 'map' as const, settings: { latitude: 'a', longitude: 'b' } }
    const pointRows = [
      { a: 47, b: -122 },
      { a: 91, b: 0 },
    ]
    expect(
      chartSentence({ ...input, output: numbers, visualization: mapVisualization, rows: pointRows }),
    ).toBe('The map shows 1 point.')
  })

  it('names all that share the first or last rank, up to two', () => {
    const writeSentence = (...values: number[]) => {
      const rows = values.map((n, at) => ({ kind: 'abcde'[at], n }))
      return chartSentence({ ...samples.rows, rows })
    }
    expect(writeSentence(5, 5, 1)).toBe('Deaths since 1900 ranged from 5 for a and for b down to 1 for c.')
    expect(writeSentence(5, 1, 1, 1, 1)).toBe(
      'Deaths since 1900 ranged from 5 for a down to 1 for b and 3 others.',
    )
    expect(writeSentence(5, 5, 5)).toBe('Deaths since 1900 came to 5 in all 3 cases.')
    const pie = {
      ...samples.pie,
      rows: [
        { kind: 'a', n: 2 },
        { kind: 'b', n: 2 },
        { kind: 'c', n: 1 },
      ],
    }
    expect(chartSentence(pie)).toBe('A made up 40% of Days, the largest of 3 parts, together with b.')
    const bins = { ...samples.histogram, rows: [{ t: 1 }, { t: 9 }] }
    expect(normalizeSpaces(chartSentence(bins))).toBe(
      '1 of 2 values of Maximum temperature lies between 0 °C and 2 °C, and no range has more.',
    )
  })

  it('describes a value without a group', () => {
    const rows = [
      { kind: null, n: 2 },
      { kind: 'sun', n: 1 },
    ]
    expect(chartSentence({ ...samples.columns, rows })).toBe(
      'Days ranged from 2 without Weather down to 1 for sun.',
    )
    expect(chartSentence({ ...samples.pie, rows })).toBe(
      'What has no Weather made up 66.7% of Days, the largest of 2 parts.',
    )
    const lines = { ...samples.series, rows: samples.series.rows.map((row) => ({ ...row, kind: null })) }
    expect(chartSentence(lines)).toContain('without Disaster')
  })

  it('describes an answer in words by its content', () => {
    const text = { type: 'text' as const }
    expect(normalizeSpaces(chartSentence({ ...samples.line, visualization: text }))).toContain(
      'ranged between',
    )
    expect(chartSentence({ ...samples.rows, visualization: text })).toContain('ranged from 11,731,294')
    const one = buildOutput({ n: { name: 'Calls', type: 'number' } }, [])
    expect(chartSentence({ ...samples.rows, visualization: text, output: one, rows: [{ n: 1 }] })).toBe(
      'Calls came to 1.',
    )
    const largest = { ...samples.rows, visualization: { type: 'number' as const } }
    expect(chartSentence(largest)).toBe('Deaths since 1900 came to 2,576,801 for Earthquake.')
  })

  it('describes durations in a suitable unit', () => {
    const field = {
      name: 'Time to close',
      type: 'number',
      measurement: { type: 'duration', value: 'millisecond' },
    }
    const output = buildOutput({ n: field as (typeof samples.rows.output.schema)[string] }, [])
    const describeDuration = (n: number) =>
      normalizeSpaces(
        chartSentence({ ...samples.rows, visualization: { type: 'number' }, output, rows: [{ n }] }),
      )
    expect(describeDuration(9_000_000)).toBe('Time to close came to 2.5 h.')
    expect(describeDuration(90_000)).toBe('Time to close came to 90 s.')
    expect(describeDuration(1460 * 86_400_000)).toBe('Time to close came to 1,460 days.')
    expect(describeDuration(350)).toBe('Time to close came to 350 ms.')
    expect(describeDuration(0)).toBe('Time to close came to 0 ms.')
    expect(describeDuration(-7_200_000)).toBe('Time to close came to −2 h.')
  })

  it('formats a bucket in the time zone of its query', () => {
    const rows = [{ day: '2026-03-08T05:00:00Z', n: 3 }]
    const output = buildOutput(
      {
        day: { name: 'Day', type: 'date', measurement: { type: 'bucket', value: 'day' } },
        n: { name: 'Calls', type: 'number' },
      },
      ['day'],
    )
    const input = { ...samples.line, output, rows, timeZone: 'America/New_York' }
    expect(chartSentence(input)).toBe('Calls came to 3 on Mar 8, 2026.')
    expect(chartSentence({ ...input, timeZone: 'UTC' })).toBe('Calls came to 3 on Mar 8, 2026.')
    expect(chartSentence({ ...input, timeZone: 'America/Los_Angeles' })).toBe(
      'Calls came to 3 on Mar 7, 2026.',
    )
  })

  it('says that there are no data yet', () => {
    for (const type of visualizationTypes) {
      const sentence = chartSentence({ ...samples.rows, visualization: { type }, rows: [] })
      expect(sentence).toBe('No data yet.')
    }
    const empty = { kind: null, n: null }
    for (const type of ['number', 'bar', 'pie', 'line', 'histogram', 'scatter', 'heatmap'] as const) {
      expect(chartSentence({ ...samples.rows, visualization: { type }, rows: [empty] }), type).toBe(
        'No data yet.',
      )
    }
  })
})
