import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { AccessibilityResults } from '#functions/shapes/accessibility-results.ts'
import { languages } from '#functions/shapes/language/index.ts'
import { locales } from '#functions/shapes/locale.ts'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'
import { ask, hubs } from './ask.ts'
import { rules, findViolations } from './axe.ts'
import { openBrowser, openWindow, measureOverflow, type Browser } from './browser.ts'
import { unescapeHtml } from './unescape-html.ts'

const run = promisify(execFile)
const host = hubs.usa.host
const buildUrl = (path: string) => `http://${host}:${inject('port')}${path}`
const airports = '/domains/airport/source/us-airports'
const guide = `${airports}/use`

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

/** Returns the example below a heading of the guide. */
function getExample(page: string, id: string): string {
  return unescapeHtml(new RegExp(`<h3 id="${id}">.*?<code>(.*?)</code>`, 's').exec(page)?.[1] ?? '')
}

/** A proxy for programs that do not resolve `*.localhost`: it forwards their requests to the Worker. */
async function openProxy() {
  const server = createServer((incoming, answer) => {
    const { pathname, search, host: name } = new URL(incoming.url ?? '/', 'http://none')
    const options = {
      host: '127.0.0.1',
      port: inject('port'),
      path: pathname + search,
      headers: { host: name },
    }
    send(options, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** Makes Node resolve hosts below `localhost`, as browsers do. */
const findsLocalhost = `data:text/javascript,${encodeURIComponent(
  "import dns from 'node:dns';const find=dns.lookup;dns.lookup=(name,...rest)=>find(name.endsWith('.localhost')?'127.0.0.1':name,...rest)",
)}`

const hasR = await run('Rscript', ['--version']).then(
  () => true,
  () => false,
)

/** Counts the records of a CSV file whose cells have no line breaks. */
const countRecords = (csv: string) => csv.trimEnd().split(/\r?\n/).length - 1

describe('how a source is used', () => {
  let page: string
  let total: number
  let folder: string
  let proxy: Awaited<ReturnType<typeof openProxy>>
  beforeAll(async () => {
    page = (await ask(guide, { host })).text
    const { text } = await ask('/v1/places/usa/sources/us-airports/data?limit=1&count=exact', { host })
    total = (JSON.parse(text) as { meta: { total: number } }).meta.total
    folder = mkdtempSync(join(tmpdir(), 'examples-'))
    proxy = await openProxy()
  })
  afterAll(() => {
    proxy.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('the example for curl saves all records', async () => {
    const example = getExample(page, 'curl')
    await run('sh', ['-c', example], { cwd: folder })
    expect(total).toBeGreaterThan(1000)
    expect(countRecords(readFileSync(join(folder, 'us-airports.csv'), 'utf8'))).toBe(total)
  })

  test('the example for Python reads all records', async () => {
    const env = { ...process.env, http_proxy: proxy.address, no_proxy: '' }
    const { stdout } = await run('python3', ['-c', getExample(page, 'python')], { env })
    expect(stdout.trim()).toBe(`${total} rows`)
  })

  test('the example for JavaScript reads all records', async () => {
    const code = getExample(page, 'javascript')
    const { stdout } = await run('node', ['--import', findsLocalhost, '--input-type=module', '-e', code])
    expect(stdout.trim()).toBe(`${total} rows`)
  })

  test.skipIf(!hasR)('the example for R reads all records', async () => {
    const env = { ...process.env, http_proxy: proxy.address, no_proxy: '' }
    const { stdout } = await run('Rscript', ['-e', getExample(page, 'r')], { env })
    expect(stdout.trim()).toBe(`${total} rows`)
  })

  test.each(['r', 'excel', 'sheets', 'powerbi'])('the snippet for %s requests all records', async (id) => {
    const { host: exampleHost, pathname } = new URL(/"(http:[^"]+)"/.exec(getExample(page, id))?.[1] ?? '')
    expect(exampleHost).toBe(`${host}:${inject('port')}`)
    const { status, text } = await ask(pathname, { host })
    expect([status, countRecords(text)]).toEqual([200, total])
  })

  test.each(['tableau', 'arcgis', 'qgis'])('the address for %s is that of all shapes', async (id) => {
    const { host: exampleHost, pathname } = new URL(getExample(page, id))
    expect(exampleHost).toBe(`${host}:${inject('port')}`)
    const { text } = await ask(pathname, { host })
    expect((JSON.parse(text) as { features: unknown[] }).features).toHaveLength(total)
  })

  test('all 13 formats can be downloaded', async () => {
    const section = /<h2 id="formats">.*/s.exec(page)?.[0] ?? ''
    const paths = [...section.matchAll(/href="(\/v1\/[^"]*)"/g)].map(([, path = '']) => unescapeHtml(path))
    expect(paths).toHaveLength(13)
    for (const path of paths) {
      const { status, body } = await ask(path, { host })
      expect([path, status]).toEqual([path, 200])
      expect(body.length).toBeGreaterThan(1000)
    }
  })

  test('the console shows the answer, and links to it without scripts', async () => {
    const { page: window } = await openWindow(browser)
    await window.goto(buildUrl(guide), { waitUntil: 'networkidle' })
    await window.getByLabel('Records that contain').fill('international')
    await window.getByRole('button', { name: 'Send the request' }).click()
    const status = window.getByRole('status').filter({ hasText: 'Answer 200' })
    await status.waitFor()
    expect(await status.innerText()).toMatch(/^Answer 200: 5 of \d+ records, after [\d,]+ ms$/)
    expect(await window.locator('[data-console-answer]').innerText()).toContain('"results": [')
    expect(await findViolations(window)).toEqual([])
    await window.getByRole('button', { name: 'Copy: Python' }).waitFor()
    await window.context().close()

    const { page: plainWindow } = await openWindow(browser, { hasScripts: false })
    await plainWindow.goto(buildUrl(guide))
    await plainWindow.getByRole('button', { name: 'Send the request' }).click()
    await plainWindow.waitForURL(/\/v1\/places\/usa\/sources\/us-airports\/data\?/)
    expect(await plainWindow.locator('body').innerText()).toContain('"results"')
    await plainWindow.context().close()
  })

  test('another hub’s source, or a missing one, has no guide', async () => {
    expect((await ask(guide, { host: hubs.seattle.host })).status).toBe(404)
    expect((await ask('/domains/airport/source/no-such-source/use', { host })).status).toBe(404)
  })
})

describe('the frame around the pages', () => {
  test.each(locales)('in $code every link of the footer leads to what it names', async ({ code }) => {
    const base = code === 'en' ? '' : `/${code}`
    const { text } = await ask(base || '/', { host })
    const footer = /<footer.*<\/footer>/s.exec(text)?.[0] ?? ''
    const { frame } = languages[code]
    const links = [...footer.matchAll(/href="(\/[^"]*)"/g)].map(([, path = '']) => path)
    expect(links.filter((path) => path.startsWith(`${base}/about#`))).toHaveLength(3)
    for (const link of links) {
      const [path = '', id] = link.split('#')
      const { status, text: page } = await ask(path, { host })
      expect([link, status]).toEqual([link, 200])
      if (id) expect(page).toContain(`<h2 id="${id}">`)
    }
    const statement = (await ask(`${base}/accessibility`, { host })).text
    expect(statement).toContain(`<h1>${frame.accessibility.title}</h1>`)
    expect((await ask(`${base}/privacy`, { host })).text).toContain(`<h1>${frame.privacy.title}</h1>`)
  })

  test('a hub has an icon, a manifest and a search of its own', async () => {
    const icon = await ask('/favicon.ico', { host })
    expect(icon.headers['content-type']).toBe('image/x-icon')
    expect([...icon.body.subarray(0, 6)]).toEqual([0, 0, 1, 0, 3, 0])
    for (const { code } of locales) {
      const base = code === 'en' ? '' : `/${code}`
      const { text } = await ask(`${base}/about`, { host })
      const findLink = (rel: string) =>
        new RegExp(`<link rel="${rel}"[^>]*href="([^"]*)"`).exec(text)?.[1] ?? ''
      const answer = await ask(findLink('manifest'), { host })
      const manifest = JSON.parse(answer.text) as { lang: string; icons: { src: string; sizes: string }[] }
      expect([answer.headers['content-type'], manifest.lang]).toEqual([
        'application/manifest+json; charset=utf-8',
        code,
      ])
      for (const { src, sizes } of manifest.icons) {
        const { body } = await ask(src, { host })
        const side = new DataView(body.buffer, body.byteOffset).getUint32(16)
        expect([body.toString('latin1', 1, 4), `${side}x${side}`]).toEqual(['PNG', sizes])
      }
      const search = (await ask(findLink('search'), { host })).text
      const template = unescapeHtml(/template="([^"]*)"/.exec(search)?.[1] ?? '')
      const { pathname, search: query } = new URL(template.replace('{searchTerms}', 'airports'))
      const results = await ask(pathname + query, { host })
      expect([search.includes(`<Language>${code}</Language>`), results.status]).toEqual([true, 200])
      expect(results.text).toContain('Airports of the United States')
    }
    const other = await ask('/favicon.ico', { host: hubs.seattle.host })
    expect(other.body.equals(icon.body)).toBe(false)
  })

  test('an unknown address suggests the nearest pages and searches, without scripts', async () => {
    const { page } = await openWindow(browser, { width: 320, hasScripts: false })
    const answer = await page.goto(buildUrl('/domains/airport/source/us-airprots'))
    expect(answer?.status()).toBe(404)
    expect(await page.getByLabel('Search this hub instead').inputValue()).toBe('us airprots')
    await page.getByRole('link', { name: 'Airports of the United States' }).click()
    await page.getByRole('heading', { level: 1, name: 'Airports of the United States' }).waitFor()
    await page.context().close()
    // Nothing of another hub that is not public is suggested.
    const elsewhere = await ask('/domains/airport/source/us-airprots', { host: hubs.seattle.host })
    expect(elsewhere.text).not.toContain('Airports of the United States')
  })

  test('the page of an unassigned host names it, and no other host', async () => {
    const { status, text } = await ask('/', { host: 'nobody.localhost' })
    expect(status).toBe(404)
    expect(text).toContain('<bdi>nobody.localhost</bdi>')
    expect(text).not.toMatch(/Seattle|Atlas|usa|seattle/)
  })
})

/** Every kind of page of a hub. */
const kinds = [
  ...[
    '/',
    '/datastories',
    '/domains',
    '/domains/airport',
    '/topics',
    '/topics/transport',
    '/map',
    '/about',
    '/accessibility',
    '/privacy',
    '/?search=airports',
  ],
  ...[airports, `${airports}/data`, guide, '/no-such-page'],
]
const widths = [320, 768, 1280]
const themes = ['light', 'dark'] as const
/** The languages to check: one written from left to right, and one from right to left. */
const readings = ['en', 'ar'] as const
/** In the small run each direction is checked wide in one theme and narrow in the other. */
const isLooked = (width: number, scheme: string, language: string) =>
  isFullRun || (width !== 768 && ((width === 320) === (scheme === 'dark')) === (language === 'en'))
const looks = themes.flatMap((scheme) =>
  widths.flatMap((width) =>
    readings
      .filter((language) => isLooked(width, scheme, language))
      .map((language) => ({ scheme, width, language })),
  ),
)

test('every kind of page has no violation that axe finds, in both themes, wide and narrow and in two directions', async () => {
  const story = /href="(\/pages\/storytelling\/[^"]*\/preview)"/.exec(
    (await ask('/datastories', { host })).text,
  )
  const pages = [...kinds, story?.[1] ?? '/no-story']
  const violationPaths = new Map<string, string[]>()
  const wide: string[] = []
  let checks = 0
  for (const { scheme, width, language } of looks) {
    const { page } = await openWindow(browser, { width, scheme })
    // Many pages in a row on a machine that may be busy: speed is tested elsewhere.
    page.setDefaultTimeout(120_000)
    for (const path of pages) {
      const base = language === 'en' ? '' : `/${language}`
      await page.goto(buildUrl(base + (base && path.startsWith('/?') ? path.slice(1) : path)))
      const name = `${base}${path} ${scheme} ${width}`
      for (const fault of await findViolations(page)) {
        const rule = fault.split(':')[0] ?? ''
        violationPaths.set(rule, [...(violationPaths.get(rule) ?? []), `${name} ${fault}`])
      }
      if ((await measureOverflow(page)) > 0) wide.push(name)
      checks += 1
    }
    await page.context().close()
  }
  writeMeasurements('frame', {
    'kinds of pages looked at': checks,
    'rules broken': violationPaths.size,
    wide: wide.length,
  })
  expect(looks.length).toBe(isFullRun ? 12 : 4)
  const { version } = createRequire(import.meta.url)('axe-core/package.json') as { version: string }
  const results: AccessibilityResults = {
    testedAt: new Date().toISOString().slice(0, 10),
    tool: `axe-core ${version}`,
    browser: `Chromium ${browser.version()}`,
    rules,
    pages,
    languages: [...readings],
    themes: [...themes],
    widths,
    checks,
    faults: [...violationPaths].map(([rule, faults]) => ({ rule, pages: faults.length })),
  }
  const text = `${JSON.stringify(results, null, 2)}\n`
  mkdirSync('.cache', { recursive: true })
  writeFileSync('.cache/accessibility-results.json', text)
  // The accessibility statement of hubs shows the latest findings: they are recorded for a release.
  if (isFullRun && process.env['RECORD_ACCESSIBILITY'])
    writeFileSync('app/routes/hub/accessibility-results.json', text)
  expect([...violationPaths.values()].flat()).toEqual([])
  expect(wide).toEqual([])
  expect(checks).toBe(pages.length * looks.length)
}, 900_000)

test('in forced-colors mode every control shows its focus, and the sidebar marks only the current page', async () => {
  for (const scheme of themes) {
    const { page } = await openWindow(browser, { scheme })
    await page.emulateMedia({ colorScheme: scheme, forcedColors: 'active' })
    for (const path of [airports, `${airports}/data`, '/map']) {
      await page.goto(buildUrl(path))
      expect(await findViolations(page), `${path} ${scheme}`).toEqual([])
      const markedLinks = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.hub-sidebar a')]
          .filter((link) => parseFloat(getComputedStyle(link).borderInlineStartWidth) > 0)
          .map((link) => link.hasAttribute('aria-current')),
      )
      expect(markedLinks.length).toBeLessThanOrEqual(2)
      expect(markedLinks).not.toContain(false)
      for (let stop = 0; stop < 25; stop += 1) {
        await page.keyboard.press('Tab')
        const focus = await page.evaluate(() => {
          const element = document.activeElement ?? document.body
          // A field and its button share one outline.
          const isSeen = [element, element.closest('form') ?? element].some((each) => {
            const { outlineStyle, outlineWidth } = getComputedStyle(each)
            return outlineStyle !== 'none' && outlineWidth !== '0px'
          })
          return { element: element.outerHTML.slice(0, 80), isSeen }
        })
        expect(focus.isSeen, `${path} ${scheme}: ${focus.element}`).toBe(true)
      }
    }
    await page.context().close()
  }
}, 300_000)
