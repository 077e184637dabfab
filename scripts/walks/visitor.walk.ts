import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import { generate, parse, walk } from 'css-tree'
import { PMTiles } from 'pmtiles'
import { describe, expect, inject, test } from 'vitest'
import { leanCss } from '#app/theme/lean-css.ts'
import { firstScript, firstScriptHash } from '#functions/shapes/first-script.ts'
import { sourceInPath } from '#functions/shapes/hub-picture.ts'
import { defaultLocale, locales } from '#functions/shapes/locale.ts'
import { brotli } from '../bench/edge.ts'
import { filesBelow } from '../files-below.ts'
import { readHubWords, readStyles } from '../hub-css.ts'
import { ask, hubPaths, hubs } from './ask.ts'

/** The size of the first round trip in bytes: ten segments of 1,460 bytes. */
const firstRoundTrip = 14_600
/**
 * The limit in bytes for the map of a place: its page contains the drawing and the list of its items, because
 * switches work on both without scripts.
 */
const maxOfMap = 20_500

/** The size of a page as the edge sends it, with its headers. */
async function measurePageSize(path: string, host: string): Promise<number> {
  const { status, body, headers } = await ask(path, { host })
  expect([path, status]).toEqual([path, path.endsWith('/nowhere') ? 404 : 200])
  return brotli(body).length + Object.entries(headers).join('\r\n').length
}

/**
 * The paths of pages that are filled when they are requested: the table of each source, other pages of one
 * source, and those of the hub.
 */
function listOnDemandPaths(paths: readonly string[]): string[] {
  const [source = '', ...others] = paths.filter((path) => sourceInPath(path) !== null)
  const sourcePaths = ['/data', '/fields', '/use', '/report', '/versions'].map((rest) => source + rest)
  return [
    ...(source === '' ? [] : sourcePaths),
    ...others.map((other) => `${other}/data`),
    ...['/search?search=airports', '/search', '/privacy', '/nowhere'],
  ]
}

/**
 * Other states of a page: invalid filters, a chart and a record of a table, a part of a guide, no results.
 */
function listStatePaths(path: string, text: string): string[] {
  if (path.startsWith('/search')) return ['/search?search=zzqqy']
  if (path.endsWith('/use')) return [`${path}?for=python`]
  if (!path.endsWith('/data')) return []
  const [, chart = ''] = /<select id="chart"[\s\S]*?<option value="([^"]+)"/.exec(text) ?? []
  const [, record = ''] = /href="([^"?]*\/data\/[^"?]+)"/.exec(text) ?? []
  return [`${path}?q=zzzz&sort=-nothing&from.x=1`, `${path}?chart=${chart}`, record]
}

/** The selectors of a style sheet, each with its enclosing conditions. */
function selectorsIn(css: string): Set<string> {
  const selectors = new Set<string>()
  walk(parse(css), {
    visit: 'Rule',
    enter(rule) {
      const condition = this.atrule?.prelude ? generate(this.atrule.prelude) : ''
      if (rule.prelude.type !== 'SelectorList') return
      for (const selector of rule.prelude.children) selectors.add(`${condition} ${generate(selector)}`.trim())
    },
  })
  return selectors
}

describe('hosts', () => {
  test.each([
    ['a place below the public host', 'seattle-wa.localhost', 'Seattle Open Data'],
    ['the organization’s own host', 'data.seattle.localhost', 'Seattle Open Data'],
    ['another hub', 'usa.localhost', 'Atlas of the United States'],
  ])('%s serves its hub', async (_what, host, name) => {
    const { status, text, headers } = await ask('/', { host })
    expect(status).toBe(200)
    expect(text).toContain(name)
    expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate')
    expect(headers['set-cookie']).toBeUndefined()
  })

  test('both hosts of a hub name the same canonical address', async () => {
    const port = inject('port')
    for (const host of ['seattle-wa.localhost', 'data.seattle.localhost']) {
      const { text } = await ask('/domains', { host })
      expect(text).toContain(`<link rel="canonical" href="http://data.seattle.localhost:${port}/domains"/>`)
    }
  })

  test('an unknown host has a page of its own that is never cached', async () => {
    for (const host of [
      'nobody.localhost',
      'seattle-wa.evil.example',
      'a.b.localhost',
      'xn--80ak6aa92e.localhost',
    ]) {
      const { status, headers } = await ask('/', { host })
      expect([host, status, headers['cache-control']]).toEqual([host, 404, 'no-store'])
    }
  })

  test('a place without a hub leads to the public pages', async () => {
    const { status, headers } = await ask('/', { host: 'world.localhost' })
    expect([status, headers.location]).toEqual([302, `http://localhost:${inject('port')}/explore`])
  })

  test('one hub’s stored files cannot be reached through another host', async () => {
    const { text } = await ask('/pages/storytelling/seattle-rain/preview', { host: hubs.seattle.host })
    for (const name of [/data-chart-href="([^"]+)"/, /<use href="([^"#]+)#wide"/]) {
      const file = name.exec(text)?.[1] ?? ''
      expect((await ask(file, { host: hubs.seattle.host })).status).toBe(200)
      expect((await ask(file, { host: hubs.usa.host })).status).toBe(404)
    }
    expect((await ask('/hubs/seattle-wa/manifests/1.json', { host: hubs.seattle.host })).status).toBe(404)
  })
})

describe('stored pages', () => {
  test('every page is complete and small, and inlines only what its policy allows', async () => {
    for (const { host } of Object.values(hubs)) {
      for (const path of await hubPaths(host)) {
        const { status, text, headers } = await ask(path, { host })
        expect([path, status]).toEqual([path, 200])
        expect(text, path).toMatch(/<h1/)
        const inline = [...text.matchAll(/<script(?![^>]*application\/ld\+json)[^>]*>([\s\S]*?)<\/script>/g)]
        expect(
          inline.map(([, script]) => script),
          path,
        ).toEqual([firstScript])
        expect(text, path).toMatch(/<html[^>]* data-script="\/hub\/hub-[^"]+\.js"/)
        expect(text, path).not.toMatch(/\sstyle="/)
        expect(headers['content-security-policy']).toContain(`script-src 'self' '${firstScriptHash}';`)
        for (const [, style = ''] of text.matchAll(/<style>([\s\S]*?)<\/style>/g))
          expect(headers['content-security-policy'], path).toContain(
            `'sha256-${createHash('sha256').update(style).digest('base64')}'`,
          )
        expect(text, path).not.toContain('rel="stylesheet"')
        const bytes = brotliCompressSync(text).length
        expect(bytes, `${path} with its styles`).toBeLessThanOrEqual(45_000)
      }
    }
  })

  test.each(locales)('every page in $code fits into one round trip', async ({ code }) => {
    const base = code === defaultLocale ? '' : `/${code}`
    const sizes: [size: number, path: string][] = []
    for (const { host } of Object.values(hubs)) {
      const home = (await ask('/', { host })).body.toString()
      if (!home.includes(` hrefLang="${code}"`)) continue
      const paths = await hubPaths(host)
      for (const path of [...paths, ...listOnDemandPaths(paths)]) {
        const localized = path === '/' ? base || '/' : base + path
        const size = await measurePageSize(localized, host)
        if (path === '/map') expect(size, localized).toBeLessThanOrEqual(maxOfMap)
        else sizes.push([size, host + localized])
      }
    }
    const [largest] = sizes.sort(([a], [b]) => b - a)
    console.log(`the largest of ${sizes.length} pages with its headers, brotli: ${largest?.join(' B, ')}`)
    expect(sizes.filter(([size]) => size > firstRoundTrip)).toEqual([])
    expect(sizes.length).toBeGreaterThan(20)
  })

  test('a page that is filled later contains every CSS rule it may need', async () => {
    const sheets = filesBelow('.cache/hub-assets/hub')
    const sheet = [...sheets].find((path) => /^hub-.*\.css$/.test(path)) ?? ''
    const css = readFileSync(`.cache/hub-assets/hub/${sheet}`, 'utf8').trim()
    const useful = leanCss(readStyles(css, readHubWords()))
    const { host } = hubs.usa
    const missing: string[] = []
    const paths = listOnDemandPaths(await hubPaths(host))
    // Its states are added while the list is iterated.
    for (const path of paths) {
      const text = (await ask(path, { host })).body.toString()
      if (!path.includes('?')) paths.push(...listStatePaths(path, text))
      const styles = [...text.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, css]) => css).join('\n')
      const pageSelectors = selectorsIn(styles)
      expect(pageSelectors.size, path).toBeGreaterThan(100)
      const body = text.replace(/<style>[\s\S]*?<\/style>/g, '')
      for (const selector of selectorsIn(useful(body)))
        if (!pageSelectors.has(selector)) missing.push(`${path}: ${selector}`)
    }
    expect([...new Set(missing)]).toEqual([])
  })

  test('a repeated request is answered by 304', async () => {
    const { headers } = await ask('/', { host: hubs.usa.host })
    const again = await ask('/', { host: hubs.usa.host, headers: { 'if-none-match': String(headers.etag) } })
    expect([again.status, again.body.length]).toEqual([304, 0])
  })

  test('unknown paths and the error page keep their status', async () => {
    const missing = await ask('/no-such-page-anywhere', { host: hubs.usa.host })
    expect([missing.status, missing.headers['cache-control']]).toEqual([404, 'no-store'])
    expect(missing.text).toMatch(/that page doesn(?:’|'|&#x27;)t exist!/)
    expect((await ask('/error', { host: hubs.usa.host })).status).toBe(500)
    expect((await ask('/home', { host: hubs.usa.host })).status).toBe(404)
    expect((await ask('/', { host: hubs.usa.host, method: 'POST' })).status).toBe(405)
  })

  test('nothing private is in any page', async () => {
    for (const path of await hubPaths(hubs.seattle.host)) {
      const { text } = await ask(path, { host: hubs.seattle.host })
      expect(text, path).not.toContain('washington-strikes')
      expect(text, path).not.toContain('seattle-dashboard')
    }
  })
})

describe('tiles', () => {
  test('an archive supports ranges and can be opened by the reader', async () => {
    const { text } = await ask('/map', { host: hubs.usa.host })
    const map = await ask(/data-map-href="([^"]+)"/.exec(text)?.[1] ?? '', { host: hubs.usa.host })
    const path = /\/a\/[0-9a-f]{12}\.pmtiles/.exec(map.text)?.[0] ?? ''
    const part = await ask(path, { headers: { range: 'bytes=0-6' } })
    expect([part.status, part.text, part.headers['cache-control']]).toEqual([
      206,
      'PMTiles',
      expect.stringContaining('immutable'),
    ])
    const archive = new PMTiles({
      getKey: () => path,
      async getBytes(offset, length) {
        const { body } = await ask(path, { headers: { range: `bytes=${offset}-${offset + length - 1}` } })
        return { data: body.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength) as ArrayBuffer }
      },
    })
    expect((await archive.getHeader()).specVersion).toBe(3)
    expect((await archive.getZxy(4, 4, 6))?.data.byteLength).toBeGreaterThan(100)
  })

  test('the all-states file is served for maps, and invalid names are not found', async () => {
    const { status, text } = await ask('/a/boundaries/us-states.geojson')
    expect(status).toBe(200)
    expect((JSON.parse(text) as { features: unknown[] }).features.length).toBeGreaterThan(50)
    for (const path of ['/a/ffffffffffff.pmtiles', '/a/..%2Fmanifest.json', '/t/ffffffffffff/1/1/1.mvt']) {
      expect((await ask(path)).status).toBe(404)
    }
  })
})
