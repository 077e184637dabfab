import { expect, test } from 'vitest'
import { mapTokens } from '#functions/engine/map/tokens.ts'
import { paintSvg } from './paint.ts'
import { formatCredit } from './credit.ts'
import { roomFor, sheetSvg, type Sheet } from './sheet.ts'

const drawing =
  '<svg xmlns="x" viewBox="0 0 744 300" width="100%"><title id="a">A</title><desc id="b">B</desc><path d="M0,0"/></svg>'
const sheet: Sheet = {
  title: 'Calls & "more"',
  description: 'They rose.',
  lines: ['They rose.'],
  drawing,
  legend: [],
  credit: 'Source: City',
}

test('the parts around a drawing have their own space, and the drawing has no title', () => {
  const { svg, height } = sheetSvg(sheet, { width: 800, height: null })
  expect(svg).toContain('<title id="title">Calls &amp; &quot;more&quot;</title>')
  expect(svg).toMatch(
    /<svg x="28" y="[\d.]+" width="744" height="300" viewBox="0 0 744 300" overflow="visible"><path/,
  )
  expect(svg.match(/<title/g)).toHaveLength(1)
  expect(height).toBeGreaterThan(300)
  expect(roomFor(sheet, { width: 800, height: null })).toEqual({ width: 744, height: null })
})

test('a drawing too tall for the requested height is scaled down', () => {
  const { svg, height } = sheetSvg(sheet, { width: 800, height: 260 })
  expect(height).toBe(260)
  const [, wide, high] = /<svg x="\d+" y="[\d.]+" width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? []
  expect(Number(high)).toBeLessThan(160)
  expect(Number(wide) / Number(high)).toBeCloseTo(744 / 300, 1)
})

test('a long title is wrapped, a longer one truncated', () => {
  const { svg } = sheetSvg({ ...sheet, title: 'word '.repeat(200) }, { width: 240, height: null })
  expect(svg.match(/font-size="20"/g)).toHaveLength(4)
  expect(svg).toContain('…</text>')
})

test('without a drawing title and sentence remain', () => {
  const { svg } = sheetSvg({ ...sheet, drawing: null, lines: ['No data yet.'] }, { width: 800, height: null })
  expect(svg).toContain('>No data yet.</text>')
  expect(svg.match(/<svg/g)).toHaveLength(1)
})

test('a legend that is too wide is wrapped', () => {
  const legend = Array.from({ length: 12 }, (_, at) => ({ label: `Class ${at}`, fill: 'var(--seq-1)' }))
  const rows = (width: number) =>
    new Set(
      sheetSvg({ ...sheet, legend }, { width, height: null })
        .svg.match(/<rect x="[^"]*" y="[\d.]+" width="16"/g)
        ?.map((rect) => /y="[^"]*"/.exec(rect)?.[0]),
    ).size
  expect(rows(1200)).toBe(1)
  expect(rows(400)).toBeGreaterThan(2)
})

test('colours are replaced in tags only, including those of maps', () => {
  const svg =
    '<svg a="b"><text fill="var(--cat-1)">var(--cat-1)</text><path fill="var(--map-land)" stroke="var(--surface)"/></svg>'
  expect(paintSvg(svg, 'light')).toBe(
    `<svg a="b"><text fill="#2f75e2">var(--cat-1)</text><path fill="${mapTokens.light['--map-land']}" stroke="#ffffff"/></svg>`,
  )
  expect(paintSvg(svg, 'dark')).toContain(mapTokens.dark['--map-land'])
  expect(paintSvg(svg, 'auto')).toMatch(
    /^<svg a="b"><style>svg\{--cat-1:#2f75e2.*<\/style><text fill="var\(--cat-1\)">/,
  )
})

test("the credit has the data's attributions, licences and the date in the organization's time zone", () => {
  const source = (name: string, attribution: string | null = null, licence: string | null = null) => ({
    name,
    attribution,
    licence,
  })
  const day = new Date('2026-03-01T02:00:00Z')
  expect(formatCredit([], day, 'UTC')).toBe('')
  expect(
    formatCredit(
      [source('Calls', 'City of Oakton', 'CC BY 4.0'), source('More', 'City of Oakton', 'CC BY 4.0')],
      day,
      'America/New_York',
    ),
  ).toBe('Source: City of Oakton · CC BY 4.0 · Updated Feb 28, 2026')
  expect(
    formatCredit(
      ['a', 'b', 'c', 'd', 'e'].map((name) => source(name)),
      null,
      'UTC',
    ),
  ).toBe('Source: a, b, c and 2 more')
})
