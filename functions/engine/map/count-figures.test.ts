import { createExpression } from '@maplibre/maplibre-gl-style-spec'
import { expect, test } from 'vitest'
import { allLanguages, formatTag } from '#functions/shapes/locale.ts'
import { countFigure } from './count-figures.ts'
import { mapStyle } from './style.ts'

/** The figure of a circle of so many points. */
function evaluateFigure(expression: unknown, count: number): string {
  const { result, value } = createExpression(expression, { type: 'string' } as never)
  if (result === 'error') throw new Error(value.map(({ message }) => message).join())
  const feature = { type: 'Point', properties: { point_count: count } }
  return String(value.evaluate({ zoom: 4 }, feature as never))
}

const counts = [
  ...[2, 950, 999, 1000, 1049, 1050, 1150, 1200, 2999, 3000, 9949, 9950, 12_345, 99_499, 99_500, 123_456],
  ...[999_499, 999_500, 1_234_567, 9_949_999, 9_950_000, 42_000_000],
]

test.each(allLanguages)('figures in circles are written as %s writes short numbers', (language) => {
  const locale = formatTag(language)
  const expression = countFigure(locale)
  const short = new Intl.NumberFormat(locale, { notation: 'compact' })
  const whole = new Intl.NumberFormat(locale)
  for (const count of counts) {
    // Where a language has no short form it groups the digits.
    const isShort = short.formatToParts(count).some(({ type }) => type === 'compact')
    const expected = isShort ? short.format(count).replace(/(\d)(\d{3})(?=\D)/, '$1,$2') : whole.format(count)
    expect(evaluateFigure(expression, count), String(count)).toBe(expected)
  }
})

test.each([
  ['en', '1.2K'],
  ['es', '1,2 mil'],
  ['fr', '1,2 k'],
  ['de', '1.234'],
  ['ja', '1,234'],
  ['ar-u-nu-latn', '1.2 ألف'],
])('a map in %s has %s in a circle of 1234 points', (locale, figure) => {
  const records = [{ key: 'trees', points: { tiles: '/t' }, colour: '#000000', onColour: '#ffffff' }]
  const colours = { water: '', land: '', line: '', label: '', halo: '', data: '', onData: '' }
  const fields = [{ records }, { points: { tiles: '/t' } }].map((data) => {
    const { layers } = mapStyle({ sets: [], origin: '', dark: false, colours, font: 'A', locale, ...data })
    const layer = layers.find(({ type }) => type === 'symbol')
    return evaluateFigure(layer?.type === 'symbol' && layer.layout?.['text-field'], 1234)
  })
  expect(fields.map((text) => text.replace(/\s/g, ' '))).toEqual([figure, figure])
})
