import { expect, test } from 'vitest'
import { cleanHtml } from '#functions/domain/page/html.ts'
import {
  figureReferencesIn,
  fillFigures,
  insightsOfText,
  parseFigureReference,
  writeFigureReference,
  type FigureReference,
} from './figure-reference.ts'

const full: FigureReference = {
  ...{ insightId: 'rain by month/1', show: 'precipitation', row: { month: '7', kind: 'a & "b" <c>' } },
  ...{ digits: 0, hasUnit: false },
}

test.each<FigureReference>([
  full,
  { ...full, digits: null, hasUnit: true, row: {} },
  { ...full, row: { 'día?': '¿=&', month: '' } },
])('round-trips a reference', (reference) => {
  expect(parseFigureReference(writeFigureReference(reference))).toEqual(reference)
})

test.each([
  '',
  'insight:',
  'insight:rain',
  'insight:?show=a',
  'insight:rain?month=7',
  'insight:rain?show=a&digits=7',
  'insight:rain?show=a&digits=-1',
  'insight:%E0%A4%A?show=a',
  'source:rain?show=a',
  'javascript:alert(1)',
  `insight:rain?show=a&${Array.from({ length: 9 }, (_none, i) => `c${i}=1`).join('&')}`,
  `insight:rain?show=${'a'.repeat(1000)}`,
])('%s is not a reference', (value) => {
  expect(parseFigureReference(value)).toBeNull()
})

const element = (text: string, value = writeFigureReference(full)) =>
  `<data value="${value.replaceAll('&', '&amp;')}">${text}</data>`

test('sanitising a text keeps its references as plain texts, and no other data elements', () => {
  const clean = cleanHtml(
    `<p onclick="x()">${element('<b>12</b> mm<script>alert(1)</script>')} and <data value="7">seven</data></p>`,
  )
  expect(clean).toBe(`<p>${element('12 mm')} and <span>seven</span></p>`)
  expect(cleanHtml(clean)).toBe(clean)
  expect(figureReferencesIn(clean)).toEqual([writeFigureReference(full)])
  expect(insightsOfText(clean)).toEqual(['rain by month/1'])
  // One within another would end with it.
  const nested = cleanHtml(element(`1 ${element('2')} 3`))
  expect(nested.match(/<data/g)).toHaveLength(1)
  expect(nested.match(/<\/data>/g)).toHaveLength(1)
})

test('figures are inserted as escaped texts; a missing one is not replaced', () => {
  const other = writeFigureReference({ ...full, show: 'days' })
  const html = cleanHtml(`<p>${element('1')}, ${element('2', other)}</p>`)
  expect(fillFigures(html, new Map([[writeFigureReference(full), '<i>&12']]))).toBe(
    `<p>${element('&lt;i&gt;&amp;12')}, ${element('2', other)}</p>`,
  )
})
