import { describe, expect, test } from 'vitest'
import { exportFormats } from '#functions/shapes/export-format.ts'
import { languages } from '#functions/shapes/language/index.ts'
import { locales } from '#functions/shapes/locale.ts'
import { fileAddress, fileFormats, programExample, programs, toolExample, tools } from './examples.ts'
import { guideHtml } from './html.ts'

const source = {
  origin: 'http://data.oakton.test:8787',
  placeId: 'oakton',
  sourceId: 'old-oaks',
  hasShapes: true,
}
const at = 'http://data.oakton.test:8787/v1/places/oakton/sources/old-oaks/export'

describe('examples', () => {
  test.each(programs)('of %s have the URL on this host, with its port', (program) => {
    expect(programExample(program, source)).toContain(`${at}.${program === 'javascript' ? 'json' : 'csv'}`)
  })

  test.each(tools)('of %s have the URL on this host, with its port', (tool) => {
    expect(toolExample(tool, source)).toContain(at)
    // Records without a place on a map have no file of shapes.
    expect(toolExample(tool, { ...source, hasShapes: false })).not.toContain('geojson')
  })

  test('have a URL for every format: of a prepared file, or one that is generated', () => {
    expect(fileFormats(source)).toEqual(exportFormats)
    expect(fileAddress(source, 'parquet')).toBe(`${at}.parquet`)
    expect(fileAddress(source, 'shp')).toBe(`${at}?format=shp`)
    expect(fileFormats({ hasShapes: false })).toEqual([
      ...['csv', 'tsv', 'json', 'ndjson', 'xlsx', 'parquet', 'zip'],
    ])
  })
})

describe.each(locales)('the page in $code', ({ code }) => {
  const { guide: words, hub } = languages[code]
  const html = guideHtml(source, {
    words,
    copy: hub.copy,
    copied: hub.copied,
    reference: 'https://app.test/api',
  })

  test('has a section for every program and tool, and no broken links within the page', () => {
    for (const name of [...programs, ...tools]) expect(html).toContain(`<h3 id="${name}">`)
    for (const [, id] of html.matchAll(/href="#([^"]*)"/g)) expect(html).toContain(`id="${id}"`)
  })

  test('links every format on this host', () => {
    expect([...html.matchAll(/href="\/v1\/places\/oakton\/sources\/old-oaks\/export[.?]/g)]).toHaveLength(
      exportFormats.length,
    )
  })

  test('has no unfilled placeholders except those of the console', () => {
    expect(html.replace(/ data-(?:answer|refused)="[^"]*"/g, '')).not.toMatch(/\{(?:name|url|status|rows)\}/)
  })
})

test('escapes ids of sources', () => {
  const words = languages.en.guide
  const html = guideHtml(
    { ...source, sourceId: '"><script>' },
    { words, copy: '', copied: '', reference: '' },
  )
  expect(html).not.toContain('<script>')
})
