import { expect, test } from 'vitest'
import { formatPercent } from './percent.ts'

test.each([
  [1, 1, '100%'],
  [999_999, 1_000_000, '99.9%'],
  [1, 8, '12.5%'],
  [1, 3, '33.3%'],
  [1, 100, '1%'],
  [1, 3_000_000, '0.000033%'],
])('%d of %d is %s: a part is never rounded to none or to all', (part, whole, text) => {
  expect(formatPercent(part, whole, 'en')).toBe(text)
})

test('uses the separators and sign of the language', () => {
  expect(formatPercent(1, 8, 'fr')).toMatch(/^12,5\s%$/)
  expect(formatPercent(1, 8, 'ar-u-nu-latn')).toMatch(/12\.5/)
})
