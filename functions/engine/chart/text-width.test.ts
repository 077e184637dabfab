import { expect, it } from 'vitest'
import { fitText, textWidth } from './text-width.ts'

it('measures like the font: narrow letters are narrow, and digits have equal widths', () => {
  expect(textWidth('iiii', 10)).toBeLessThan(textWidth('mmmm', 10) / 3)
  expect(textWidth('1111', 10)).toBe(textWidth('0000', 10))
  expect(textWidth('é', 10)).toBe(textWidth('e', 10))
  expect(textWidth('東京', 10)).toBe(20)
})

it('truncates what does not fit', () => {
  expect(fitText('Extreme temperature', 12, 500)).toBe('Extreme temperature')
  const cut = fitText('Extreme temperature', 12, 60)
  expect(cut).toMatch(/^Extr.*…$/)
  expect(textWidth(cut, 12)).toBeLessThanOrEqual(60)
})
