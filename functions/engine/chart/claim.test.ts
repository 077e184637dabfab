import { describe, expect, it } from 'vitest'
import type {
  AggregateFunction,
  AnswerRow,
  Coverage,
  Output,
  OutputField,
} from '#functions/shapes/analytics.ts'
import { wallTime } from '#functions/shapes/wall-time.ts'
import { locales } from '#functions/shapes/locale.ts'
import { findClaim } from './find-claim.ts'
import type { ChartInput } from './frame.ts'
import { buildOutput } from './samples.testing.ts'
import { chartSentence } from './sentence.ts'
import { chartTable } from './table.ts'

const toPlain = (text: string) => text.replace(/[\u2066\u2069]/g, '').replace(/[\u00a0\u202f]/g, ' ')

const kindField: OutputField = { name: 'Kind', type: 'text' }
const delayField: OutputField = { name: 'Delay', type: 'number' }

interface ClaimCase {
  /** Values by the first day of their span, in order. */
  values: [day: string, value: number | null][]
  bucket: string
  /** First and last day; null: not known. */
  covers: [from: string, to: string, precision?: Coverage['precision']] | null
  moments?: Coverage['moments']
  field?: Partial<OutputField>
  of?: AggregateFunction
  type?: 'line' | 'area' | 'bar' | 'text'
  output?: Partial<Output>
}

/** An answer of one measure over time. */
function toChartInput(claimCase: ClaimCase): ChartInput {
  const { values, bucket, covers, moments, field, of, type = 'line', output } = claimCase
  const schema: Record<string, OutputField> = {
    at: { name: 'Span', type: 'date', precision: 'day', measurement: { type: 'bucket', value: bucket } },
    n: { name: 'Strikes', type: 'number', ...field },
  }
  const baseOutput = buildOutput(schema, ['at'])
  const [from = '', to = '', precision = 'day'] = covers ?? []
  return {
    title: 'A question',
    visualization: { type },
    output: {
      ...baseOutput,
      aggregations: baseOutput.aggregations.map((each) =>
        each.alias === 'n' && of ? { ...each, function: of } : each,
      ),
      ...(covers && { coverage: { alias: 'at', from, to, precision, ...(moments && { moments }) } }),
      ...output,
    },
    rows: values.map(([at, n]) => ({ at, n })),
    locale: 'en',
    timeZone: 'UTC',
  }
}

const show = (claimCase: ClaimCase, locale = 'en') =>
  toPlain(chartSentence({ ...toChartInput(claimCase), locale }))
const years = (...values: (number | null)[]): ClaimCase['values'] =>
  values.map((value, i) => [`${2000 + i}-01-01`, value])
const yearly = (...values: (number | null)[]): ClaimCase => ({
  ...{ values: years(...values), bucket: 'year' },
  covers: ['2000-01-01', `${1999 + values.length}-12-31`],
})
const months = (first: number, ...values: number[]): ClaimCase['values'] =>
  values.map((value, i) => [new Date(Date.UTC(first, i, 1)).toISOString().slice(0, 10), value])

describe('partial spans', () => {
  it.each<[string, ClaimCase['covers'], string]>([
    ['whole', ['2000-01-01', '2003-12-31'], 'Strikes rose from 1 in 2000 to 7 in 2003.'],
    ['the last one partial', ['2000-01-01', '2003-07-25'], 'Strikes rose from 1 in 2000 to 5 in 2002.'],
    ['by its last day alone', ['2000-01-01', '2003-12-30'], 'Strikes rose from 1 in 2000 to 5 in 2002.'],
    ['the first one partial', ['2000-01-02', '2003-12-31'], 'Strikes rose from 3 in 2001 to 7 in 2003.'],
    ['both', ['2000-06-01', '2003-06-01'], 'Strikes rose from 3 in 2001 to 5 in 2002.'],
    ['dates of months', ['2000-01-01', '2003-12-01', 'month'], 'Strikes rose from 1 in 2000 to 7 in 2003.'],
    [
      'months that end before',
      ['2000-01-01', '2003-11-01', 'month'],
      'Strikes rose from 1 in 2000 to 5 in 2002.',
    ],
    ['dates of years', ['2000-01-01', '2003-01-01', 'year'], 'Strikes rose from 1 in 2000 to 7 in 2003.'],
    // The ends are not compared if their coverage is unknown.
    ['not known', null, 'Strikes rose from 3 in 2001 to 5 in 2002.'],
  ])('%s', (_name, covers, sentence) => {
    const claimCase = { ...yearly(1, 3, 5, 7), covers }
    expect(show(claimCase)).toBe(sentence)
    expect(show({ ...claimCase, type: 'bar' })).toBe(sentence)
    expect(show({ ...claimCase, type: 'text' })).toBe(sentence)
  })

  it('are in the claim, and only complete spans are compared', () => {
    const claim = findClaim(toChartInput({ ...yearly(1, 3, 5, 7), covers: ['2000-06-01', '2003-06-01'] }))
    expect(claim).toMatchObject({
      ...{ kind: 'change', comparable: 'ends', direction: 'rose', subject: 'A question' },
      of: { groups: 4, shownCount: 4, complete: true },
      period: { from: '2000-01-01', to: '2003-01-01', partial: ['2000-01-01', '2003-01-01'] },
      operands: [{ value: 3 }, { value: 5 }],
    })
  })

  it('alone have their value, marked as partial', () => {
    const one = { values: years(627), bucket: 'year' }
    expect(show({ ...one, covers: ['2000-01-01', '2000-07-25'] })).toBe(
      'Strikes came to 627 in 2000 (partial).',
    )
    expect(show({ ...one, covers: ['2000-01-01', '2000-12-31'] })).toBe('Strikes came to 627 in 2000.')
    expect(show({ ...yearly(1, 9), covers: ['2000-01-01', '2001-03-01'] })).toBe('Strikes came to 1 in 2000.')
  })

  it('without a complete one: nothing is claimed', () => {
    expect(show({ ...yearly(1, 9), covers: ['2000-02-01', '2001-03-01'] })).toBe('')
    expect(show({ ...yearly(1, 9), covers: null })).toBe('')
    expect(findClaim(toChartInput({ ...yearly(1, 9), covers: null }))).toBeNull()
  })

  it('of several series are left out: the last complete span is described', () => {
    const input = toChartInput({ ...yearly(1, 2, 3), covers: ['2000-01-01', '2002-03-01'] })
    const kinds = ['a', 'b']
    const rows = input.rows.flatMap((row) =>
      kinds.map((kind, i) => ({ ...row, kind, n: Number(row.n) * 10 + i })),
    )
    const schema = { ...input.output.schema, kind: { name: 'Kind', type: 'text' as const } }
    const groupings = [{ alias: 'at' }, { alias: 'kind' }]
    const several = { ...input, rows, output: { ...input.output, schema, groupings } }
    expect(chartSentence(several)).toBe('Strikes ranged from 21 for b down to 20 for a in 2001.')
    const stacked = { type: 'bar', settings: { stacked: true } } as const
    expect(chartSentence({ ...several, visualization: stacked })).toBe(
      'Strikes rose from 21 in 2000 to 41 in 2001.',
    )
  })

  it('are found for years and decades as numbers', () => {
    const input = toChartInput({ ...yearly(1, 3, 5, 7), covers: ['2000-01-01', '2003-05-05'] })
    const schema: Record<string, OutputField> = {
      ...input.output.schema,
      at: { name: 'Year', type: 'number', measurement: { type: 'datePart', value: 'year' } },
    }
    const rows = input.rows.map((row, i): AnswerRow => ({ ...row, at: 2000 + i }))
    const numbers = { ...input, rows, output: { ...input.output, schema } }
    expect(chartSentence(numbers)).toBe('Strikes rose from 1 in 2000 to 5 in 2002.')
    expect(chartTable(numbers).rows.at(-1)?.[0]).toBe('2003 (partial)')
  })

  // A week from Monday to Sunday, a quarter, the year of a custom calendar, a decade.
  it.each<[string, string, string, boolean]>([
    ['week', '2021-03-08', '2021-03-14', true],
    ['week', '2021-03-08', '2021-03-13', false],
    ['quarter', '2021-01-01', '2021-03-31', true],
    ['quarter', '2021-01-01', '2021-03-30', false],
    ['customYear', '2020-10-01', '2021-09-30', true],
    ['customYear', '2020-10-01', '2021-09-29', false],
    ['decade', '2010-01-01', '2019-12-31', true],
    ['decade', '2010-01-01', '2019-12-30', false],
    ['month', '2020-02-01', '2020-02-29', true],
    ['month', '2020-02-01', '2020-02-28', false],
    ['day', '2020-02-29', '2020-02-29', true],
  ])('a %s from %s is covered by data up to %s: %s', (bucket, at, to, isWhole) => {
    const text = show({ values: [[at, 5]], bucket, covers: [at, to] })
    expect([text.includes('(partial)'), text.includes('came to 5')]).toEqual([!isWhole, true])
  })

  it.each(['Pacific/Auckland', 'America/St_Johns', 'Asia/Kolkata', 'Pacific/Honolulu', 'UTC'])(
    'of instants follow the clock of %s',
    (timeZone) => {
      // The moment at which a year begins there.
      const start = (year: number) => {
        const utc = Date.UTC(year, 0, 1)
        return new Date(utc - (wallTime(utc, timeZone) - utc)).toISOString()
      }
      const input = toChartInput({ ...yearly(1, 3, 5), covers: ['2000-01-01', '2002-12-31'] })
      const { at: _day, ...others } = input.output.schema
      const at: OutputField = { name: 'Span', type: 'date', measurement: { type: 'bucket', value: 'year' } }
      const rows = input.rows.map((row, i): AnswerRow => ({ ...row, at: start(2000 + i) }))
      const sentence = (to: string) => {
        const coverage: Coverage = { alias: 'at', from: '2000-01-01', to, precision: 'day' }
        const output = { ...input.output, schema: { at, ...others }, coverage }
        return chartSentence({ ...input, rows, output, timeZone })
      }
      expect(sentence('2002-12-31')).toBe('Strikes rose from 1 in 2000 to 5 in 2002.')
      expect(sentence('2002-12-30')).toBe('Strikes rose from 1 in 2000 to 3 in 2001.')
    },
  )

  it('have clocks that skip midnight', () => {
    // In Beirut the clocks went from 0:00 to 1:00 on 31 March 2024, and in Cairo on 26 April.
    const input = toChartInput({
      values: [['2024-03-30T22:00:00Z', 4]],
      bucket: 'day',
      covers: ['2024-03-31', '2024-03-31'],
    })
    const at: OutputField = { name: 'Day', type: 'date', measurement: { type: 'bucket', value: 'day' } }
    const output = { ...input.output, schema: { ...input.output.schema, at } }
    expect(chartSentence({ ...input, output, timeZone: 'Asia/Beirut' })).not.toContain('partial')
  })
})

describe('comparable spans', () => {
  const warm = (first: number, ...values: number[]): ClaimCase => ({
    ...{ values: months(first, ...values), bucket: 'month' },
    covers: [`${first}-01-01`, new Date(Date.UTC(first, values.length, 0)).toISOString().slice(0, 10)],
    field: { name: 'Mean daily high', measurement: { type: 'temperature', value: 'celsius' } },
  })
  const season = [7, 9, 10, 15, 18, 19, 23, 26, 23, 16, 11, 7]

  it('compares a month with the same month of the year before, not with the beginning of the series', () => {
    expect(show(warm(2012, ...season, ...season.map((value) => value + 1)))).toBe(
      'Mean daily high rose from 7 °C in December 2012 to 8 °C in December 2013.',
    )
    expect(findClaim(toChartInput(warm(2012, ...season, 6)))).toMatchObject({ comparable: 'yearBefore' })
    expect(show(warm(2012, ...season, 6))).toBe(
      'Mean daily high fell from 7 °C in January 2012 to 6 °C in January 2013.',
    )
  })

  it('describes the range of a series without a repeated month', () => {
    expect(show(warm(2012, ...season))).toBe(
      'Mean daily high ranged between 7 °C in January 2012 and in December 2012 and 26 °C in August 2012.',
    )
    expect(show(warm(2012, 4, 27))).toBe(
      'Mean daily high ranged between 4 °C in January 2012 and 27 °C in February 2012.',
    )
  })

  it('compares no partial month', () => {
    const claimCase = warm(2012, ...season, 6, 8)
    expect(show({ ...claimCase, covers: ['2012-01-01', '2013-02-11'] })).toContain('to 6 °C in January 2013.')
    expect(show({ ...claimCase, covers: ['2012-02-02', '2013-02-28'] })).toContain('ranged between')
  })

  it.each<[string, string, string, string]>([
    ['quarter', '2020-10-01', '2021-10-01', 'Strikes rose from 3 in Q4 2020 to 5 in Q4 2021.'],
    ['day', '2020-03-01', '2021-03-01', 'Strikes rose from 3 on Mar 1, 2020 to 5 on Mar 1, 2021.'],
  ])('compares %s by %s', (bucket, before, now, sentence) => {
    const values: ClaimCase['values'] = [
      [before, 3],
      ['2021-01-01', 90],
      [now, 5],
    ]
    expect(show({ values, bucket, covers: ['2020-01-01', '2021-12-31'] })).toBe(sentence)
  })

  it('compares a week with the one 52 weeks before, and 29 February with no other day', () => {
    const weeks: ClaimCase['values'] = [
      ['2020-03-09', 3],
      ['2021-03-08', 5],
    ]
    const claimCase = {
      values: weeks,
      bucket: 'week',
      covers: ['2020-01-01', '2021-12-31'] as ClaimCase['covers'],
    }
    expect(findClaim(toChartInput(claimCase))).toMatchObject({ kind: 'change', comparable: 'yearBefore' })
    const leap: ClaimCase['values'] = [
      ['2019-03-01', 3],
      ['2020-02-29', 5],
    ]
    expect(
      show({ ...claimCase, values: leap, bucket: 'day', covers: ['2019-01-01', '2020-12-31'] }),
    ).toContain('ranged between 3')
  })

  it('never compares the first and last of hours and instants', () => {
    const values: ClaimCase['values'] = [
      ['2020-01-01T00:00:00Z', 3],
      ['2021-01-01T00:00:00Z', 5],
    ]
    const moments = { from: '2019-12-31T23:59:59.000Z', to: '2021-01-01T01:00:00.000Z' }
    const covers: ClaimCase['covers'] = ['2019-12-31', '2021-01-01']
    expect(show({ values, bucket: 'hour', covers, moments })).toContain('ranged between 3')
    // The coverage of the first and the last hour is unknown.
    expect(show({ values, bucket: 'hour', covers: null })).toBe('')
  })
})

describe('rises and falls', () => {
  const cost = { name: 'Mean cost' }
  it.each<[string, (number | null)[], string]>([
    ['a rise', [1.25, 2.5], 'Mean cost rose from 1.25 in 2000 to 2.50 in 2001.'],
    ['a fall', [2.5, 1.25], 'Mean cost fell from 2.50 in 2000 to 1.25 in 2001.'],
    ['below what is shown', [7.001, 7.0049], 'Mean cost came to 7.00 in 2001, about the same as in 2000.'],
    ['a rounding apart', [7.004, 7.006], 'Mean cost came to 7.01 in 2001, about the same as in 2000.'],
    ['no change', [7.5, 7.5], 'Mean cost came to 7.5 in 2001, the same as in 2000.'],
    ['whole numbers that differ by one', [5, 6], 'Mean cost rose from 5 in 2000 to 6 in 2001.'],
    ['large numbers', [1000.21, 1000.28], 'Mean cost came to 1,000.3 in 2001, about the same as in 2000.'],
    [
      'a peak on the way',
      [10, 30, 20],
      'Mean cost rose from 10 in 2000 to 20 in 2002, after a peak of 30 in 2001.',
    ],
    [
      'a low on the way',
      [20, 5, 10],
      'Mean cost fell from 20 in 2000 to 10 in 2002, after a low of 5 in 2001.',
    ],
    [
      'a rise from a dip',
      [10, 5, 20],
      'Mean cost rose from 10 in 2000 to 20 in 2002, after a low of 5 in 2001.',
    ],
    [
      'a peak before the same',
      [10, 30, 10],
      'Mean cost came to 10 in 2002, the same as in 2000, after a peak of 30 in 2001.',
    ],
    [
      'its end is its peak',
      [10, 8, 30],
      'Mean cost rose from 10 in 2000 to 30 in 2002, after a low of 8 in 2001.',
    ],
    ['monotone', [10, 20, 30], 'Mean cost rose from 10 in 2000 to 30 in 2002.'],
    ['below zero', [-5, -2], 'Mean cost rose from −5 in 2000 to −2 in 2001.'],
    ['across zero', [2, -2.5], 'Mean cost fell from 2.0 in 2000 to −2.5 in 2001.'],
    ['years without a value', [1, null, 3, null], 'Mean cost rose from 1 in 2000 to 3 in 2002.'],
    ['one year', [4], 'Mean cost came to 4 in 2000.'],
    ['no value', [null, null], 'No data yet.'],
    ['none', [], 'No data yet.'],
    [
      'huge',
      [1e15, 2e15],
      'Mean cost rose from 1,000,000,000,000,000 in 2000 to 2,000,000,000,000,000 in 2001.',
    ],
  ])('%s', (_name, values, sentence) => {
    expect(show({ ...yearly(...values), field: cost })).toBe(sentence)
  })

  it('has the decimals of the whole column, as in its table', () => {
    const input = { ...yearly(1.25, 30, 20), field: cost }
    expect(show(input)).toBe('Mean cost rose from 1.3 in 2000 to 20.0 in 2002, after a peak of 30.0 in 2001.')
    expect(chartTable(toChartInput(input)).rows.map(([, text]) => text)).toEqual(['1.3', '30.0', '20.0'])
  })

  it('is about the same if shares differ by less than a tenth of a percent', () => {
    const field = { measurement: { type: 'percentage', value: 'decimal' } }
    expect(show({ ...yearly(0.1234, 0.1238), field })).toBe(
      'Strikes came to 12.4% in 2001, about the same as in 2000.',
    )
    expect(show({ ...yearly(0.12, 0.13), field })).toBe(
      'Strikes rose from 12% in 2000 to 13% in 2001.'.replace(/(\d)%/g, '$1.0%'),
    )
  })
})

describe('an answer truncated by a limit', () => {
  const total = 13
  const orderBy = (alias: string, direction: 'asc' | 'desc') => ({ orderings: [{ alias, direction }], total })

  it('is a range of years if ordered by time', () => {
    expect(show({ ...yearly(1, 3, 5), output: orderBy('at', 'desc') })).toBe(
      'Strikes rose from 1 in 2000 to 5 in 2002. 3 of 13 are shown, not all.',
    )
  })

  it('is mentioned even if nothing can be compared', () => {
    const claimCase: ClaimCase = { values: years(1, 3), bucket: 'year', covers: ['2000-06-01', '2001-06-01'] }
    expect(show({ ...claimCase, output: orderBy('at', 'asc') })).toBe('2 of 13 are shown, not all.')
    expect(show(claimCase)).toBe('')
  })

  it('has no sentence for a single row without a date, which is not a lack of data', () => {
    const input = { ...toChartInput(yearly(1)), rows: [{ at: null, n: 3 }] }
    expect(chartSentence(input)).toBe('')
    expect(chartSentence({ ...input, rows: [{ at: null, n: null }] })).toBe('No data yet.')
  })

  it('is a top list if ordered by size', () => {
    expect(show({ ...yearly(1, 3, 5), output: orderBy('n', 'desc') })).toBe(
      'Strikes, the 3 largest of 13, ranged from 5 in 2002 down to 1 in 2000.',
    )
  })
})

describe('names of aggregates', () => {
  it.each<[string, AggregateFunction, string]>([
    ['Delay', 'average', 'Delay (average) rose'],
    ['Mean delay', 'average', 'Mean delay rose'],
    ['Delay', 'median', 'Delay (median) rose'],
    ['Delay', 'max', 'Delay (largest) rose'],
    ['Highest delay', 'max', 'Highest delay rose'],
    ['Species', 'distinctCount', 'Species (different ones) rose'],
    ['Strikes', 'count', 'Strikes rose'],
    ['Cost', 'sum', 'Cost rose'],
  ])('%s as %s', (name, of, begins) => {
    expect(show({ ...yearly(1, 2), field: { name }, of })).toMatch(begins)
  })

  it('have no shares if they cannot be summed', () => {
    const output = buildOutput({ kind: kindField, n: delayField }, ['kind'])
    const [kind, n] = output.aggregations
    const pie = (of?: AggregateFunction): ChartInput => ({
      ...toChartInput(yearly(1)),
      visualization: { type: 'pie' },
      output: { ...output, aggregations: [kind!, { ...n!, ...(of && { function: of }) }] },
      rows: [
        { kind: 'a', n: 3 },
        { kind: 'b', n: 1 },
      ],
    })
    expect(chartSentence(pie('sum'))).toBe('A made up 75% of Delay, the largest of 2 parts.')
    expect(chartSentence(pie('average'))).toBe('Delay (average) ranged from 3 for a down to 1 for b.')
  })
})

describe('claims in every language', () => {
  const cases: Record<string, ClaimCase> = {
    rise: yearly(571, 657, 1095),
    peak: yearly(571, 1200, 1095),
    alike: { ...yearly(7.001, 7.004), field: { name: 'Cost' } },
    same: yearly(5, 5),
    between: { values: months(2012, 4, 27), bucket: 'month', covers: ['2012-01-01', '2012-02-29'] },
    yearBefore: {
      ...{ values: [['2012-01-01', 6] as [string, number], ['2013-01-01', 8] as [string, number]] },
      ...{ bucket: 'month', covers: ['2012-01-01', '2013-01-31'] },
    },
    partial: { values: years(627), bucket: 'year', covers: ['2000-01-01', '2000-07-25'] },
    average: { ...yearly(1, 2), of: 'average' },
  }
  const numbers: Record<string, string[]> = {
    rise: ['571', '2000', '1.?095', '2002'],
    peak: ['571', '2000', '1.?095', '2002', '1.?200', '2001'],
    alike: ['7.00', '2001', '2000'],
    same: ['5', '2001', '2000'],
    between: ['4', '2012', '27', '2012'],
    yearBefore: ['6', '2012', '8', '2013'],
    partial: ['627', '2000'],
    average: ['1', '2000', '2', '2001'],
  }
  const names = Object.keys(cases)

  it.each(locales.map(({ code }) => code))('%s has all numbers in order, and its own words', (code) => {
    const sentences = names.map((name) =>
      show(cases[name] as ClaimCase, code === 'ar' ? 'ar-u-nu-latn' : code),
    )
    sentences.forEach((sentence, i) => {
      expect(sentence, names[i]).toMatch(new RegExp((numbers[names[i] ?? ''] ?? []).join('.*')))
      expect(sentence, names[i]).toMatch(/[.。]$/)
      if (code !== 'en')
        expect(sentence, names[i]).not.toMatch(/\b(rose|came|ranged|between|partial|average|after)\b/)
    })
    // Each kind of claim has a different sentence.
    expect(
      new Set(sentences.map((sentence) => sentence.replace(/[\d.,\u2019 ]+/g, '#'))).size,
    ).toBeGreaterThan(6)
  })

  it('matches these examples', () => {
    expect(show(cases.peak as ClaimCase, 'es')).toBe(
      'Strikes: aumento de 571 en 2000 a 1095 en 2002, tras un máximo de 1200 en 2001.',
    )
    expect(show(cases.partial as ClaimCase, 'fr')).toBe('Strikes : 627 en 2000 (incomplet).')
    expect(show(cases.between as ClaimCase, 'fr')).toBe(
      'Strikes : entre 4 en janvier 2012 et 27 en février 2012.',
    )
    expect(show(cases.alike as ClaimCase, 'es')).toBe('Cost: 7,00 en 2001, casi igual que en 2000.')
    expect(show(cases.peak as ClaimCase, 'ar-u-nu-latn')).toBe(
      'Strikes: ارتفاع من 571 في 2000 إلى 1,095 في 2002، بعد حد أعلى بلغ 1,200 في 2001.',
    )
  })
})

describe('spans not covered by the data', () => {
  const describeChart = (dimensions: 'grid' | 'bars', to: string) => {
    const year: OutputField = {
      ...{ name: 'Year', type: 'date', precision: 'day', measurement: { type: 'bucket', value: 'year' } },
    }
    const schema = { kind: kindField, at: year, n: delayField }
    const baseOutput = buildOutput(schema, ['kind', 'at'])
    const rows = ['2000', '2001', '2002'].flatMap((at, i) =>
      ['a', 'b', 'c', 'd'].map((kind, k) => ({ kind, at: `${at}-01-01`, n: i === 2 ? k : 10 * (i + 1) + k })),
    )
    return toPlain(
      chartSentence({
        ...{ title: 'A question', rows, locale: 'en', timeZone: 'UTC' },
        visualization:
          dimensions === 'grid'
            ? { type: 'heatmap', settings: { x: 'at', y: 'kind', color: 'n' } }
            : { type: 'bar', settings: { x: 'kind', y: 'n', series: 'at', stacked: false } },
        output: {
          ...baseOutput,
          aggregations: baseOutput.aggregations.map((each) =>
            each.alias === 'n' ? { ...each, function: 'average' } : each,
          ),
          coverage: { alias: 'at', from: '2000-01-01', to, precision: 'day' },
        },
      }),
    )
  }

  it.each(['grid', 'bars'] as const)('are neither the largest nor the smallest of a %s', (dimensions) => {
    expect(describeChart(dimensions, '2002-12-31')).toMatch(/ranged from 23 .* down to 0 /)
    expect(describeChart(dimensions, '2002-07-25')).toMatch(/ranged from 23 .* down to 10 /)
  })

  it('are everything in a grid of one: nothing is claimed', () => {
    expect(describeChart('grid', '1999-12-31')).toBe('')
  })
})
