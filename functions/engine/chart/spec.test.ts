import { format } from 'oxfmt'
import type { TopLevelSpec } from 'vega-lite'
import { describe, expect, it } from 'vitest'
import { visualizationTypes } from '#functions/shapes/analytics.ts'
import { findClaim } from './find-claim.ts'
import { compileChart } from './compiled.ts'
import { findMisfit } from './fit.ts'
import { chartWidths, type ChartInput } from './frame.ts'
import { withFunction, plainSamples, sampleOfType, samples } from './samples.testing.ts'
import { chartSpec } from './spec.ts'

const names = Object.keys(samples) as (keyof typeof samples)[]
const plainNames = Object.keys(plainSamples) as (keyof typeof plainSamples)[]
// As the formatter of the project writes it, so that it leaves the golden files alone
const formatSpec = async (spec: unknown) =>
  (await format('spec.json', JSON.stringify(spec), { printWidth: 110 })).code
const getLayers = (spec: unknown) =>
  (
    spec as {
      layer: {
        mark: { type: string }
        data: { values: Record<string, unknown>[] }
        encoding: { x?: { field?: string } }
      }[]
    }
  ).layer
const getTexts = (spec: unknown) =>
  getLayers(spec)
    .filter((layer) => layer.mark.type === 'text')
    .flatMap((layer) => layer.data.values.map((row) => row.text))

describe('a type of chart', () => {
  it.each(visualizationTypes)('%s has a drawing and a sentence for a suitable answer', (type) => {
    const sample: ChartInput = sampleOfType[type]
    expect(sample.visualization.type).toBe(type)
    expect(findMisfit(sample.visualization, sample.output)).toBeNull()
    expect(chartSpec(sample)).not.toBeNull()
    expect(findClaim(sample)).not.toBeNull()
  })
})

describe('the spec of a family', () => {
  it.each(names)('%s matches its golden file', async (name) => {
    const spec = chartSpec(samples[name])
    await expect(await formatSpec(spec)).toMatchFileSnapshot(`golden/${name}.json`)
    expect(await compileChart(spec as TopLevelSpec)).toHaveProperty('marks')
  })

  it.each(names)('%s has the requested width', (name) => {
    for (const width of Object.values(chartWidths)) {
      const spec = chartSpec({ ...samples[name], width }) as {
        width: number
        padding: { left: number; right: number }
      }
      expect(spec.width + spec.padding.left + spec.padding.right).toBe(width)
    }
  })
})

describe('the spec of charts without axes', () => {
  it.each(plainNames)('%s matches its golden file, and vega-lite accepts it', async (name) => {
    const spec = chartSpec(plainSamples[name])
    await expect(await formatSpec(spec)).toMatchFileSnapshot(`golden/${name}.json`)
    expect(await compileChart(spec as TopLevelSpec)).toHaveProperty('marks')
  })

  it('a table has the rows and columns that fit, and counts the others', () => {
    const rows = Array.from({ length: 30 }, (_, at) => ({ type: `Type ${at}`, calls: at, wait: at * 60_000 }))
    const texts = getTexts(chartSpec({ ...plainSamples.table, rows }))
    expect(texts).toContain('Mean wait (min)')
    expect(texts).toContain('and 10 rows more')
    const narrow = chartSpec({
      ...plainSamples.table,
      rows: rows.map((row) => ({ ...row, type: 'A type with a rather long name' })),
      width: 200,
    })
    expect(getTexts(narrow)).toContain('and 18 rows and 1 column more')
  })

  it('a long number gets smaller, and a map of regions without keys has no spec', () => {
    const rows = [{ calls: 123_456_789_012_345 }]
    const size = (spec: unknown) =>
      Math.max(...[...JSON.stringify(spec).matchAll(/"fontSize":(\d+)/g)].map(([, digits]) => Number(digits)))
    expect(size(chartSpec({ ...plainSamples.number }))).toBe(72)
    expect(size(chartSpec({ ...plainSamples.number, rows, width: 340 }))).toBeLessThan(40)
    expect(chartSpec({ ...plainSamples.regions, regions: undefined })).toBeNull()
  })
})

it('returns no spec without rows', () => {
  for (const type of visualizationTypes) {
    expect(chartSpec({ ...samples.rows, visualization: { type }, rows: [] }), type).toBeNull()
  }
})

it('returns no spec for rows without values', () => {
  const nothing = {
    month: null,
    t: null,
    kind: null,
    n: null,
    hour: null,
    income: null,
    health: null,
    year: null,
  }
  for (const name of names) expect(chartSpec({ ...samples[name], rows: [nothing, nothing] }), name).toBeNull()
})

it('draws a single value and equal values without dividing by zero', () => {
  for (const name of names) {
    const [first] = samples[name].rows
    for (const rows of [[first ?? {}], [first ?? {}, first ?? {}]]) {
      const text = JSON.stringify(chartSpec({ ...samples[name], rows }))
      expect(text, name).not.toMatch(/NaN|Infinity/)
      // JSON writes NaN as null
      expect(text, name).not.toMatch(/"(?:x2?|y2?|low|high)":null/)
    }
  }
})

it('has the unit in the heading and localised numbers on the axis', () => {
  const rows = samples.line.rows.map((row) => ({ ...row, t: Number(row.t) * 1000 }))
  const spec = chartSpec({ ...samples.line, rows, locale: 'de-DE' })
  expect(getTexts(spec)).toContain('Mean maximum temperature (°C)')
  expect(JSON.stringify(spec)).toContain('5000\\":\\"5.000')
  expect(JSON.stringify(chartSpec({ ...samples.line, locale: 'de-DE' }))).toContain('März')
})

it("draws time in the organization's time zone", () => {
  const values = getLayers(chartSpec(samples.line)).flatMap((layer) => layer.data.values)
  expect(values.filter((row) => row.tip).map((row) => row.x)).toContain(Date.UTC(2012, 3, 1))
})

describe('bars', () => {
  const many = Array.from({ length: 40 }, (_, at) => ({ kind: `Kind ${at}`, n: 40 - at }))

  it('shows at most 30, with a note', () => {
    const spec = chartSpec({ ...samples.rows, rows: many })
    expect(getTexts(spec)).toContain('Deaths since 1900, first 30 of 40')
    expect(getTexts(spec).filter((text) => String(text).startsWith('Kind'))).toHaveLength(30)
  })

  it('sums the series after the eighth', () => {
    // The last of the years of this sample.
    const rows = many.slice(0, 12).map(({ kind }) => ({ year: '2017-01-01', kind, n: 10 }))
    const values = getLayers(
      chartSpec({ ...withFunction(samples.series, 'n'), rows, visualization: { type: 'bar' } }),
    )
      .flatMap((layer) => layer.data.values)
      .filter((row) => row.s)
    expect(values).toHaveLength(8)
    expect(values.at(-1)).toMatchObject({ s: 'Other', low: 70, high: 120, tip: 'Other, 2017, Deaths: 50' })
  })

  it('marks the span of the series after the eighth as partial too', () => {
    const rows = many.slice(0, 12).map(({ kind }) => ({ year: '2018-01-01', kind, n: 10 }))
    const values = getLayers(
      chartSpec({ ...withFunction(samples.series, 'n'), rows, visualization: { type: 'bar' } }),
    )
      .flatMap((layer) => layer.data.values)
      .filter((row) => row.s)
    expect(values.at(-1)).toMatchObject({
      s: 'Other',
      tip: 'Other, 2018 (partial), Deaths: 50',
      partial: true,
    })
  })

  it('keeps the order of the query, and otherwise begins with the largest', () => {
    const order = (spec: unknown) => getTexts(spec).slice(1, 4)
    const { output } = samples.rows
    const orderings = [{ alias: 'kind', direction: 'asc' as const }]
    expect(order(chartSpec({ ...samples.rows, output: { ...output, orderings } }))).toEqual([
      'Earthquake',
      'Drought',
      'Flood',
    ])
    expect(order(chartSpec(samples.rows))).toEqual(['Drought', 'Epidemic', 'Flood'])
  })

  it('is horizontal if names are long or many', () => {
    const isLying = (spec: unknown) =>
      getLayers(spec).some((layer) => layer.mark.type === 'rect' && layer.encoding.x?.field === 'low')
    expect(isLying(chartSpec(samples.rows))).toBe(true)
    expect(isLying(chartSpec({ ...samples.rows, rows: samples.rows.rows.slice(0, 4) }))).toBe(false)
    const long = [
      { kind: 'Drought', n: 1 },
      { kind: 'A name that is far too long for the foot of a column', n: 2 },
    ]
    expect(isLying(chartSpec({ ...samples.rows, rows: long, width: 340 }))).toBe(true)
  })

  it('starts at zero, whatever the values', () => {
    const rows = [
      { kind: 'a', n: 1000 },
      { kind: 'b', n: 1001 },
      { kind: 'c', n: -5 },
    ]
    for (const [inputRows, low] of [
      [rows.slice(0, 2), 0],
      [rows, -5],
    ] as const) {
      expect(JSON.stringify(chartSpec({ ...samples.columns, rows: [...inputRows] }))).toContain(
        `"domain":[${low},`,
      )
    }
  })
})

describe('a span not covered by the data', () => {
  const getMarks = (spec: unknown) =>
    (spec as { layer: { mark: Record<string, unknown>; data?: { values: Record<string, unknown>[] } }[] })
      .layer

  it('is a hollow point at the end of a dashed line, and the legend says partial', () => {
    const spec = chartSpec(samples.partialLine)
    const years = (pick: (mark: Record<string, unknown>) => boolean) =>
      getMarks(spec)
        .filter(({ mark }) => pick(mark))
        .flatMap(({ data }) => data?.values ?? [])
        .map(({ x }) => new Date(x as number).getUTCFullYear())
    expect(years((mark) => mark.type === 'line' && !mark.strokeDash)).toEqual([1999, 2000, 2001])
    expect(years((mark) => mark.type === 'line' && Boolean(mark.strokeDash))).toEqual([2001, 2002])
    expect(years((mark) => mark.type === 'point' && mark.filled === false)).toEqual([2002])
    expect(getTexts(spec)).toContain('partial')
    expect(getTexts(chartSpec({ ...samples.partialLine, locale: 'es' }))).toContain('parcial')
  })

  it('is a lighter bar, or a lighter segment of an area', () => {
    const columns = chartSpec(samples.partialColumns)
    const bars = getMarks(columns).find(({ mark }) => mark.type === 'rect')
    expect(bars?.data?.values.map(({ partial }) => partial ?? false)).toEqual([false, false, false, true])
    expect(bars).toHaveProperty('encoding.fillOpacity.condition.test', 'datum.partial')
    expect(getTexts(columns)).toContain('partial')
    const areas = getMarks(chartSpec(samples.partialArea)).filter(({ mark }) => mark.type === 'area')
    expect(areas.map(({ mark, data }) => [mark.fillOpacity, data?.values.length])).toEqual([
      [0.92, 6],
      [0.4, 6],
    ])
  })

  it('is not marked if all are covered, or coverage is unknown', () => {
    for (const coverage of [{ ...samples.partialLine.output.coverage, to: '2002-12-31' }, undefined]) {
      const output = { ...samples.partialLine.output, coverage } as typeof samples.partialLine.output
      for (const type of ['line', 'area', 'bar'] as const) {
        const spec = chartSpec({ ...samples.partialLine, output, visualization: { type } })
        expect(getTexts(spec)).not.toContain('partial')
        expect(JSON.stringify(spec)).not.toMatch(/strokeDash|partial|fillOpacity":\{/)
      }
    }
  })
})
