import { describe, expect, it } from 'vitest'
import { visualizationTypes, type Visualization } from '#functions/shapes/analytics.ts'
import { fitVisualization, findMisfit, chooseVisualization } from './fit.ts'
import { withFunction, buildOutput, plainSamples, samples } from './samples.testing.ts'
import { chartSentence } from './sentence.ts'
import { chartSpec } from './spec.ts'

const number = (name: string) => ({ name, type: 'number' as const })
const text = (name: string) => ({ name, type: 'text' as const })
const kinds = buildOutput({ kind: text('Kind'), n: number('Count') }, ['kind'])
const total = buildOutput({ n: number('Count') }, [])
const three = buildOutput({ a: text('A'), b: text('B'), c: text('C'), n: number('Count') }, ['a', 'b', 'c'])
const names = buildOutput({ kind: text('Kind') }, ['kind'])

describe('findMisfit', () => {
  it.each(Object.entries({ ...samples, ...plainSamples }))('finds nothing wrong with %s', (_name, sample) => {
    expect(findMisfit(sample.visualization, sample.output)).toBeNull()
  })

  it.each<[Visualization['type'], typeof kinds, string]>([
    ['line', kinds, 'A line needs dates or numbers to run along.'],
    ['area', total, 'An area needs dates or numbers to run along.'],
    ['line', names, 'A line needs a number.'],
    ['pie', three, 'A pie shows one grouping at most; this answer has 3.'],
    ['pie', names, 'A pie needs a number.'],
    ['bar', three, 'A bar chart shows two groupings at most; this answer has 3.'],
    ['bar', total, 'A bar chart needs something to compare.'],
    ['scatter', kinds, 'A scatter plot needs two numbers.'],
    ['heatmap', kinds, 'A heatmap needs two groupings.'],
    ['heatmap', three, 'A heatmap shows two groupings at most; this answer has 3.'],
    ['histogram', kinds, 'A histogram needs numbers to count.'],
    ['map', kinds, 'A map needs points, or a column that names regions.'],
  ])('says why %s does not suit', (type, output, why) => {
    expect(findMisfit({ type }, output)).toEqual({ setting: null, why })
  })

  it('accepts only counts and sums as parts of a whole', () => {
    const findReason = (name?: 'average' | 'sum') =>
      findMisfit({ type: 'pie' }, name ? withFunction(samples.pie, 'n', name).output : samples.pie.output)
        ?.why
    expect(findReason('average')).toBe('A pie needs a count or a sum: other values are no parts of a whole.')
    expect([findReason('sum'), findReason()]).toEqual([undefined, undefined])
  })

  it('names the setting with a missing column', () => {
    expect(findMisfit({ type: 'bar', settings: { x: 'kind', y: 'sum' } }, kinds)).toEqual({
      setting: 'y',
      why: 'The answer has no column “sum”.',
    })
    expect(findMisfit({ type: 'bar', settings: { unit: 'min', stacked: true } }, kinds)).toBeNull()
    expect(
      findMisfit({ type: 'map', settings: { region: 'kind', boundarySetId: 'us-states' } }, kinds),
    ).toBeNull()
  })
})

describe('fitted', () => {
  const describeFit = (visualization: Visualization, output: typeof kinds) => {
    const { visualization: fittingVisualization, why } = fitVisualization(visualization, output)
    return [fittingVisualization.type, why]
  }

  it('draws an unsuitable chart as bars, a number or a table, and says why', () => {
    expect(describeFit({ type: 'line' }, kinds)).toEqual([
      'bar',
      'A line needs dates or numbers to run along. It is drawn as bars.',
    ])
    expect(describeFit({ type: 'pie' }, total)[0]).toBe('number')
    expect(describeFit({ type: 'pie' }, three)).toEqual([
      'table',
      'A pie shows one grouping at most; this answer has 3. It is told as a table.',
    ])
    expect(describeFit({ type: 'bar', settings: { y: 'gone' } }, kinds)).toEqual([
      'bar',
      'The answer has no column “gone”.',
    ])
  })

  it('never throws and always shows something, for every type and every answer', () => {
    const answers = { ...samples, ...plainSamples }
    for (const sample of Object.values(answers)) {
      for (const type of visualizationTypes) {
        const input = { ...sample, visualization: { type } }
        expect(
          findMisfit(fitVisualization({ type }, sample.output).visualization, sample.output),
          type,
        ).toBeNull()
        expect(chartSentence(input), type).toMatch(/\.$/)
        expect(() => chartSpec(input)).not.toThrow()
      }
    }
    for (const output of [kinds, total, three, names, buildOutput({}, [])])
      for (const type of visualizationTypes) {
        const input = { ...samples.rows, visualization: { type }, output, rows: [{ kind: 'a', n: null }, {}] }
        expect(() => [chartSpec(input), chartSentence(input)], type).not.toThrow()
      }
  })
})

it('chooseVisualization chooses the most informative chart', () => {
  const type = (output: typeof kinds) => chooseVisualization(output).type
  expect([type(total), type(kinds), type(three), type(names)]).toEqual(['number', 'bar', 'table', 'table'])
  expect([type(samples.line.output), type(plainSamples.points.output)]).toEqual(['line', 'bar'])
})
