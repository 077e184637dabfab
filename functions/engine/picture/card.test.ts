import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { cardSize, cardSvg, type Card } from './card.ts'
import { renderPng } from './png.ts'

const card: Card = {
  ...{
    place: 'Oakton',
    title: 'Calls <by> "day" & night',
    text: 'Calls rose to 12.',
    date: '20 November 2026',
  },
  ...{ value: '', drawing: '', legend: [] },
}
const drawing =
  '<svg viewBox="0 0 340 270"><title>Chart</title><path d="M0 0h340v270z" fill="var(--cat-1)"/></svg>'

const read = (svg: string) => new SaxesParser({ xmlns: true }).write(svg).close()

test('a card has place, title, sentence and date, and no unresolved colours', () => {
  const svg = cardSvg({ ...card, drawing, legend: [{ label: '1 – 3', fill: 'var(--seq-1)' }] })
  expect(() => read(svg)).not.toThrow()
  for (const expectedText of ['Oakton', 'Calls &lt;by&gt;', 'Calls rose', '20 November 2026', '1 – 3'])
    expect(svg).toContain(expectedText)
  expect(svg).toContain('M0 0h340v270z')
  expect(svg).not.toContain('var(')
})

test('long texts stay within the card', () => {
  const long = 'word '.repeat(400)
  for (const more of [{}, { drawing }, { value: '1,234,567,890,123 thousand tons' }]) {
    const svg = cardSvg({ ...card, title: long, text: long, place: long, ...more })
    const lowest = Math.max(...[...svg.matchAll(/<text x="28" y="([\d.]+)"/g)].map(([, y]) => Number(y)))
    expect(lowest).toBeLessThanOrEqual(cardSize.height - 20)
  }
})

test('in right-to-left languages texts are on the right and the drawing on the left', () => {
  const svg = cardSvg({ ...card, title: 'الأمطار', drawing, direction: 'rtl' })
  const texts = [...svg.matchAll(/<text x="(\d+)"[^>]*text-anchor="end"/g)].map(([, x]) => Number(x))
  expect(texts.length).toBeGreaterThan(3)
  expect(new Set(texts)).toEqual(new Set([cardSize.width - 28]))
  const [, x] = /<svg x="([\d.]+)"/.exec(svg) ?? []
  expect(Number(x)).toBeLessThan(cardSize.width / 2 - 100)
})

test('a line with Arabic text is right-to-left, whatever it begins with', async () => {
  const date = '22 نوفمبر 2026'
  const svg = cardSvg({ ...card, place: 'Oakton', title: '', text: '', date, direction: 'rtl' })
  expect(svg).toContain(`>\u2067${date}\u2069<`)
  expect(svg).toContain('>Oakton<')
  // In visual order: the day is to the right of the month
  const drawDate = (dateText: string) =>
    renderPng(
      cardSvg({ ...card, place: '', title: '', text: '', date: dateText, direction: 'rtl' }),
      cardSize,
      1,
    )
  expect(await drawDate(date)).toEqual(await drawDate(`\u200f${date}`))
})

test('a card is a PNG of 1,200 by 630 pixels', async () => {
  const png = await renderPng(cardSvg({ ...card, drawing }), cardSize, 2)
  expect([...png.subarray(1, 4)].map((byte) => String.fromCharCode(byte)).join('')).toBe('PNG')
  const view = new DataView(png.buffer, png.byteOffset)
  expect([view.getUint32(16), view.getUint32(20)]).toEqual([1200, 630])
})
