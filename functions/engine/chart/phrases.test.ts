import { describe, expect, it } from 'vitest'
import { formatTag, locales } from '#functions/shapes/locale.ts'
import { fitVisualization } from './fit.ts'
import { formatValue } from './format.ts'
import { getPhrases } from './phrases.ts'
import type { ChartInput } from './frame.ts'
import { buildOutput, plainSamples, samples } from './samples.testing.ts'
import { chartSentence } from './sentence.ts'
import { chartSpec } from './spec.ts'
import { chartSvg } from './svg.ts'
import { textWidth } from './text-width.ts'

const toPlainText = (text: string) => text.replace(/[\u2066\u2069]/g, '').replace(/[\u00a0\u202f]/g, ' ')
const writeSentence = (name: keyof typeof samples, locale: string) =>
  toPlainText(chartSentence({ ...samples[name], locale }))

describe('a sentence in another language', () => {
  it.each<[keyof typeof samples, string, string]>([
    ['line', 'es', 'Mean maximum temperature: entre 7,1 °C en enero de 2012 y 14,9 °C en abril de 2012.'],
    ['line', 'fr', 'Mean maximum temperature : entre 7,1 °C en janvier 2012 et 14,9 °C en avril 2012.'],
    ['line', 'ar-u-nu-latn', 'Mean maximum temperature: بين 7.1 °C في يناير 2012 و14.9 °C في أبريل 2012.'],
    ['line', 'de', 'Mean maximum temperature: zwischen 7,1 °C im Januar 2012 und 14,9 °C im April 2012.'],
    ['partialLine', 'de', 'Strikes: Anstieg von 941 im Jahr 1999 auf 1.095 im Jahr 2001.'],
    ['line', 'ja', 'Mean maximum temperature：7.1 °C（2012年1月）から14.9 °C（2012年4月）の間。'],
    ['partialLine', 'ja', 'Strikes：941（1999年）から1,095（2001年）に増加。'],
    ['rows', 'es', 'Deaths since 1900: de 11.731.294 para Drought a 5030 para Mass movement (dry).'],
    ['pie', 'fr', 'Rain : 43,9 % de Days, la plus grande de 5 parts.'],
    ['scatter', 'ar-u-nu-latn', '5 نقاط تقارن Income مع Life expectancy.'],
    [
      'histogram',
      'es',
      'Maximum temperature: 4 de 14 valores entre 6 °C y 8 °C, más que en cualquier otro intervalo.',
    ],
  ])('describes %s in %s', (name, locale, sentence) => expect(writeSentence(name, locale)).toBe(sentence))

  it('has no English words for any kind of chart', () => {
    for (const { code } of locales.filter((one) => one.code !== 'en'))
      for (const name of Object.keys(samples) as (keyof typeof samples)[])
        // "in" is German too.
        expect(writeSentence(name, formatTag(code))).not.toMatch(
          /\b(rose|fell|ranged|came|made up|lie|shows|has|from|for|values)\b/,
        )
  })

  it('says that there are no data', () => {
    const none = { ...samples.line, rows: [] }
    expect(locales.map(({ code }) => chartSentence({ ...none, locale: code }))).toEqual([
      'No data yet.',
      'Todavía no hay datos.',
      'Pas encore de données.',
      'Noch keine Daten.',
      'لا توجد بيانات بعد.',
      'データはまだありません。',
    ])
  })

  it('says why a chart is drawn as another type', () => {
    const total = buildOutput({ n: { name: 'Count', type: 'number' } }, [])
    const findReason = (locale: string) => fitVisualization({ type: 'pie' }, total, locale).why
    expect(findReason('es')).toBe('Un gráfico circular necesita algo que comparar. Se muestra como número.')
    expect(findReason('ar-u-nu-latn')).toBe('المخطط الدائري: يلزم ما يمكن مقارنته. عُرضت الإجابة كرقم.')
  })
})

describe('values in another language', () => {
  const options = (locale: string) => ({ locale, timeZone: 'UTC' })
  const part = (value: string) =>
    ({ name: '', type: 'number', measurement: { type: 'datePart', value } }) as const
  it.each([
    [true, undefined, 'es', 'Sí'],
    [3, part('quarter'), 'fr', 'T3'],
    [201, part('decade'), 'es', 'década de 2010'],
    [1, part('dayOfWeek'), 'ar-u-nu-latn', 'الاثنين'],
    // Latin digits: the same figures as in the files and on the axes.
    [1234567.5, undefined, 'ar-u-nu-latn', '1,234,568'],
  ])('formats %j as in its language', (value, field, locale, text) => {
    expect(formatValue(value, field as never, options(locale))).toBe(text)
  })

  it('keep the order of number and unit in right-to-left text', () => {
    const field = {
      name: '',
      type: 'number',
      measurement: { type: 'temperature', value: 'celsius' },
    } as const
    expect(formatValue(7.1, field, options('ar-u-nu-latn'))).toBe('\u20667.1\u00a0°C\u2069')
    expect(textWidth('\u20667.1\u2069', 12)).toBe(textWidth('7.1', 12))
  })

  it('are in the picture: months of an axis', async () => {
    const spec = chartSpec({ ...samples.line, locale: 'es' })
    const svg = spec && (await chartSvg(spec, { id: 'x', title: 'T', description: 'D' }))
    expect(svg).toMatch(/>ene</)
    expect(svg).not.toMatch(/>Jan</)
  })
})

describe('a picture in another language', () => {
  const kinds = Array.from({ length: 10 }, (_, i) => `Kind ${i}`)
  const years = ['2015-01-01', '2016-01-01']
  const many = {
    ...samples.series,
    rows: years.flatMap((year) => kinds.map((kind, n) => ({ year, kind, n: n + 1 }))),
  }
  const long = {
    ...plainSamples.table,
    rows: Array.from({ length: 30 }, () => plainSamples.table.rows[0] ?? {}),
  }
  it.each<[string, string, string, string]>([
    ['en', 'Deaths, 8 largest of 10 in colour', 'Life expectancy; circles by Population', 'and 10 rows more'],
    [
      'es',
      'Deaths, en color los 8 mayores de 10',
      'Life expectancy; círculos según Population',
      'y 10 filas más',
    ],
    [
      'fr',
      'Deaths, en couleur les 8 plus grands sur 10',
      'Life expectancy ; cercles selon Population',
      'et 10 lignes de plus',
    ],
    [
      'ar-u-nu-latn',
      'Deaths، أكبر 8 من 10 بالألوان',
      'Life expectancy؛ حجم الدوائر حسب Population',
      'بالإضافة إلى 10 صفوف',
    ],
  ])('says in %s which part is shown', (locale, lines, circles, rest) => {
    const specTexts = [many, samples.scatter, long].map((input) =>
      toPlainText(JSON.stringify(chartSpec({ ...input, locale, width: 640, height: 400 }))),
    )
    for (const [i, text] of [lines, circles, rest].entries()) expect(specTexts[i]).toContain(text)
  })
})

describe('numbers without a heading', () => {
  const toCountInput = (input: ChartInput): ChartInput => ({
    ...input,
    output: {
      ...input.output,
      aggregations: input.output.aggregations.map((each) =>
        each.alias === 'n' ? { ...each, function: 'count' } : each,
      ),
    },
  })
  const writeSpec = (input: ChartInput) => JSON.stringify(chartSpec({ ...input, width: 640, height: 400 }))

  it('have a unit of what is counted, and sums do not repeat it', () => {
    // In the middle of the ring, and where the pointer is.
    const days = (input: ChartInput) => writeSpec(input).split('"text":"Days"').length - 1
    expect([days(samples.pie), days(toCountInput(samples.pie))]).toEqual([1, 2])
    expect(writeSpec(toCountInput(samples.pie))).toContain('rain, Days: 641 (43.9%)')
    expect(writeSpec(samples.pie)).toContain('rain: 641 (43.9%)')
    expect(writeSpec(toCountInput(samples.columns))).toContain('rain, Days: 641')
    expect(writeSpec(toCountInput(samples.series))).toContain('Flood, 2015, Deaths: 4,002')
    expect(writeSpec(samples.series)).toContain('Flood, 2015: 4,002')
    expect(writeSpec(samples.histogram)).toContain('6 – 8 °C, Count: 4')
  })
})

/** Every text in a tree of phrases; functions are called with placeholders. */
function collectTexts(value: unknown, path: string): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') {
    const bin = { name: 'N', count: 2, counted: '2', total: 9, low: '1', high: '2', rest: 'alone' }
    const change = { name: 'N', isRise: true, before: '1', then: 'A', now: '2', when: 'B', turn: 'C' }
    const phrase = value as (...args: unknown[]) => string
    const argsByPath: Record<string, unknown[]> = {
      '.bin': [bin],
      '.changed': [change],
      '.misfit.needs': ['map', 'places'],
      '.misfit.groupings': ['map', 1, 3],
    }
    return [[path, phrase(...(argsByPath[path] ?? ['A', 'B', 'C', 'D', 'E', 'F']))]]
  }
  return Object.entries(value as object).flatMap(([key, one]) => collectTexts(one, `${path}.${key}`))
}

it('has every phrase in every language, and none left in English', () => {
  const english = new Map(collectTexts(getPhrases('en'), ''))
  // 'Un número' and 'No' are Spanish too.
  const alike = ['es .no', 'de .quarter', 'de .quarterOfYear', 'de .functions.median', 'de .where.quarter']
  for (const { code } of locales.filter((one) => one.code !== 'en'))
    for (const [path, text] of collectTexts(getPhrases(code), '')) {
      if (alike.includes(`${code} ${path}`)) continue
      expect(text, `${code} ${path}`).not.toBe(english.get(path))
      expect(text, `${code} ${path}`).not.toMatch(/undefined|\[object/)
    }
})
