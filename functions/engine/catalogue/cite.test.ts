import { expect, test } from 'vitest'
import { citationBibtex, citationRis, citationText, type Citation } from './cite.ts'

const calls: Citation = {
  author: 'Oakton Police',
  publisher: 'Office of Open Data',
  title: 'Calls & {places} 100%\nof_it \\ ~ ^',
  version: '7',
  day: '2026-11-05',
  url: 'https://data.oakton.example/domains/call/source/open/versions/7',
  kind: 'data set',
}

test('a citation has author, year, title, version, publisher and URL, without duplicate names', () => {
  expect(citationText({ ...calls, title: 'Calls' })).toBe(
    'Oakton Police (2026). Calls (7) [data set]. Office of Open Data. https://data.oakton.example/domains/call/source/open/versions/7',
  )
  expect(citationText({ ...calls, title: 'Calls', author: null })).toBe(
    'Office of Open Data (2026). Calls (7) [data set]. https://data.oakton.example/domains/call/source/open/versions/7',
  )
})

test('BibTeX has one entry with balanced braces, whatever the title contains', () => {
  const text = citationBibtex(calls)
  expect(text).toContain('@misc{oaktonpolice2026,')
  expect(text).toContain(
    'title = {{Calls \\& \\{places\\} 100\\% of\\_it \\textbackslash{} \\textasciitilde{} \\textasciicircum{}}}',
  )
  expect(text).toContain('month = {11}')
  let depth = 0
  for (const mark of text.replace(/\\[{}]/g, '').match(/[{}]/g) ?? []) {
    depth += mark === '{' ? 1 : -1
    expect(depth).toBeGreaterThanOrEqual(0)
  }
  expect(depth).toBe(0)
  expect(citationBibtex({ ...calls, author: 'بلدية' })).toContain('@misc{data2026,')
})

test('RIS has one line per tag, and a line break in a title adds none', () => {
  const lines = citationRis({ ...calls, title: 'Calls\r\nER  - x' }).split('\r\n')
  expect(lines.at(0)).toBe('TY  - DATA')
  expect(lines.at(-2)).toBe('ER  - ')
  expect(lines.filter((line) => line.startsWith('ER  -'))).toHaveLength(1)
  expect(lines).toContain('DA  - 2026/11/05')
})
