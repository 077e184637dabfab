import { describe, expect, it } from 'vitest'
import { visualizationTypes } from '#functions/shapes/analytics.ts'
import { samples } from './samples.ts'
import { chartSentence } from './sentence.ts'

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

describe('chartSentence', () => {
  it.each<[keyof typeof samples, string]>([
    ['line', 'Mean maximum temperature rose from 7.1 °C in January 2012 to 14.9 °C in April 2012.'],
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
  ])('says what %s shows', (name, sentence) => {
    expect(plain(chartSentence(samples[name]))).toBe(sentence)
  })

  it('says one value, a fall and no change', () => {
    const [first, second] = samples.line.rows
    const say = (rows: typeof samples.line.rows) => plain(chartSentence({ ...samples.line, rows }))
    expect(say([first ?? {}])).toBe('Mean maximum temperature came to 7.05 °C in January 2012.')
    expect(say([first ?? {}, { ...second, t: -1 }])).toContain(
      'fell from 7.05 °C in January 2012 to -1.00 °C in',
    )
    expect(say([first ?? {}, { ...second, t: 7.05 }])).toBe(
      'Mean maximum temperature came to 7.05 °C in February 2012, the same as in January 2012.',
    )
  })

  it('says a number, a count of rows, points and areas', () => {
    const say = (
      visualization: Parameters<typeof chartSentence>[0]['visualization'],
      rows = samples.rows.rows,
    ) => chartSentence({ ...samples.rows, visualization, rows })
    expect(say({ type: 'number' })).toBe('Deaths since 1900 came to 2,576,801.')
    expect(say({ type: 'table' })).toBe('The table has 9 rows.')
    expect(say({ type: 'table' }, samples.rows.rows.slice(0, 1))).toBe('The table has 1 row.')
    expect(say({ type: 'map' })).toBe('The map shows 9 points.')
    expect(say({ type: 'map', settings: { region: 'kind' } })).toBe('The map shows 9 areas.')
  })

  it('says that there is nothing yet', () => {
    for (const type of visualizationTypes) {
      const sentence = chartSentence({ ...samples.rows, visualization: { type }, rows: [] })
      expect(sentence).toBe(type === 'text' ? samples.rows.title : 'No data yet.')
    }
    const empty = { kind: null, n: null }
    for (const type of ['number', 'bar', 'pie', 'line', 'histogram', 'scatter', 'heatmap'] as const) {
      expect(chartSentence({ ...samples.rows, visualization: { type }, rows: [empty] }), type).toBe(
        'No data yet.',
      )
    }
  })
})
