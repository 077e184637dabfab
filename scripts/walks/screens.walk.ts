import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { ask } from './ask.ts'
import { openBrowser, openWindow, type Browser } from './browser.ts'
import { openCrowdedCity, type CrowdedCity } from './crowded-city.ts'
import { fillRoute, mainRoutes, outside, plantParameters } from './main-routes.ts'
import { signInWithReason } from './sign-in.ts'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'

/** Goal: "workspace pages ≤ 200 kB gz of script before an editor, chart, map or grid is opened". */
const maxScript = 200_000
/** The screens of the small run: each kind of screen once. */
const few = [
  '/home',
  '/map',
  '/sources/{sourceId}',
  '/collections/{collectionId}',
  '/pages/storytelling/{storyId}/modify',
  '/team',
  '/login',
]
/** Screens that are editors: visiting them opens the editor of a text, a page, a schema or, in a dialog, a file. */
const editors = [
  '/collections/{collectionId}/text/create',
  '/collections/{collectionId}/text/{textId}',
  '/media-library?file={fileId}',
  '/pages/blank/{blankId}/modify',
  '/pages/storytelling/{storyId}/modify',
  '/types/create',
  '/types/{dataTypeId}/modify',
]
const screens = mainRoutes.filter((route) => route !== '/logout' && (isFullRun || few.includes(route)))

const figures: Record<string, number> = {}
afterAll(() => writeMeasurements('screens', figures))

/** Prints a table, the largest figure first. */
function print(title: string, lines: [route: string, figure: number, more: string][]) {
  const sortedLines = [...lines].sort(([, a], [, b]) => b - a)
  console.log(
    [
      title,
      ...sortedLines.map(([route, figure, more]) => `  ${String(figure).padStart(7)}  ${route}${more}`),
    ].join('\n'),
  )
}

describe('script that a screen loads before any interaction', () => {
  let browser: Browser
  let parameters: Record<string, string>
  beforeAll(async () => {
    browser = await openBrowser()
    parameters = await plantParameters()
  })
  afterAll(() => browser.close())

  const sizes = new Map<string, number>()
  /** The size of a script in bytes, gzip. */
  async function readScriptSize(path: string): Promise<number> {
    const knownSize = sizes.get(path)
    if (knownSize !== undefined) return knownSize
    const { status, body } = await ask(path)
    expect([path, status]).toEqual([path, 200])
    const bytes = gzipSync(body).length
    sizes.set(path, bytes)
    return bytes
  }

  test('is at most 200 kB, gzip', async () => {
    const origin = `http://localhost:${inject('port')}`
    const stranger = await openWindow(browser)
    const { page: signedIn, context } = await openWindow(browser)
    await context.addCookies([{ name: 'place', value: 'seattle-wa', url: origin }])
    await signInWithReason(signedIn, 'super_admin', '/home')
    const lines: [string, number, string][] = []
    for (const route of screens) {
      const page = outside.includes(route) ? stranger.page : signedIn
      // By the resource timing of the page: resources from the browser's cache count as well.
      await page.goto(origin + fillRoute(route, parameters), { waitUntil: 'networkidle' })
      const scripts = await page.evaluate(() => [
        ...new Set(
          performance
            .getEntriesByType('resource')
            .map(({ name }) => new URL(name).pathname)
            .filter((path) => path.endsWith('.js')),
        ),
      ])
      // Each screen loads at least the scripts that render it.
      expect([route, scripts.length > 2]).toEqual([route, true])
      let bytes = 0
      for (const path of scripts) bytes += await readScriptSize(path)
      lines.push([route, bytes, `, ${scripts.length} files`])
    }
    await stranger.context.close()
    await context.close()
    print('Bytes of script, gzip', lines)
    const largest = (isEditor: boolean) =>
      Math.max(
        0,
        ...lines.filter(([route]) => editors.includes(route) === isEditor).map(([, bytes]) => bytes),
      )
    figures['screens whose script was weighed'] = lines.length
    figures['largest script of a screen, bytes'] = largest(false)
    figures['largest script of a screen that is an editor, bytes'] = largest(true)
    expect(lines.filter(([route, bytes]) => !editors.includes(route) && bytes > maxScript)).toEqual([])
  }, 900_000)
})

describe('the number of statements of a screen', () => {
  let city: CrowdedCity
  beforeAll(async () => {
    city = await openCrowdedCity(`walk-${randomBytes(6).toString('hex')}`)
  }, 180_000)
  afterAll(() => city.close())

  interface ScreenCost {
    statements: string[]
    ms: number
    bytes: number
  }

  /** Statuses other than the expected ones, by route. */
  const unexpectedStatuses = new Map<string, number>()
  /**
   * Returns the fewest statements and the median time of three visits, so that occasional background work
   * does not count.
   */
  async function visit(route: string): Promise<ScreenCost> {
    const address = fillRoute(route, city.parameters)
    const visits: ScreenCost[] = []
    for (let n = 0; n < 4; n += 1) {
      const { ms, statements, answer } = await city.visit(address, outside.includes(route))
      if (answer.status !== getExpectedStatus(route)) unexpectedStatuses.set(route, answer.status)
      // The first visit may find empty caches.
      if (n > 0) visits.push({ statements, ms, bytes: answer.body.length })
    }
    const [, middle] = visits.map(({ ms }) => ms).sort((a, b) => a - b)
    const [least] = visits.sort((a, b) => a.statements.length - b.statements.length)
    return { statements: least?.statements ?? [], ms: middle ?? Infinity, bytes: least?.bytes ?? 0 }
  }
  // This city has no tiles, and so none of the sets that everyone has.
  const missing = /^\/no-such|^\/boundaries\/everyone\/\{/
  // Of a sign-in that has not begun, and of a reason that nobody has to give.
  const redirects = ['/', '/login/device', '/access']
  const getExpectedStatus = (route: string) =>
    redirects.includes(route) ? 302 : route === '/error' ? 500 : missing.test(route) ? 404 : 200

  test('does not grow with the number of rows', async () => {
    const before = new Map<string, ScreenCost>()
    for (const route of screens) before.set(route, await visit(route))
    expect([...unexpectedStatuses]).toEqual([])
    await city.crowd()
    const lines: [string, number, string][] = []
    const growingScreens: string[] = []
    let larger = 0
    for (const route of screens) {
      const few = before.get(route)
      const many = await visit(route)
      lines.push([
        route,
        many.statements.length,
        `, ${few?.ms.toFixed(0)} ms with few rows, ${many.ms.toFixed(0)} ms with many`,
      ])
      if (many.bytes > 1.1 * (few?.bytes ?? 0)) larger += 1
      if (many.statements.length > (few?.statements.length ?? 0))
        growingScreens.push(
          `${route}: ${few?.statements.length} and ${many.statements.length}\n${listAddedStatements(few, many).join('\n')}`,
        )
    }
    print('Statements', lines)
    const times = lines.map(([route]) => before.get(route)?.ms ?? 0).sort((a, b) => a - b)
    Object.assign(figures, {
      'screens whose statements were counted': lines.length,
      'screens with more to show the second time': larger,
      'most statements of a screen': Math.max(...lines.map(([, count]) => count)),
      'screens whose statements grew': growingScreens.length,
      'server time of the middle screen, ms': Math.round(times[Math.floor(times.length / 2)] ?? 0),
      'server time of the slowest screen, ms': Math.round(times.at(-1) ?? 0),
    })
    expect([...unexpectedStatuses]).toEqual([])
    // Guards against an empty test: many pages did become larger.
    expect(larger).toBeGreaterThan(screens.length / 4)
    expect(growingScreens).toEqual([])
  }, 900_000)

  /** The statements that occurred more often the second time, with their counts. */
  function listAddedStatements(few: ScreenCost | undefined, many: ScreenCost): string[] {
    const counts = new Map<string, number>()
    for (const text of many.statements) counts.set(text, (counts.get(text) ?? 0) + 1)
    for (const text of few?.statements ?? []) counts.set(text, (counts.get(text) ?? 0) - 1)
    return [...counts].filter(([, n]) => n > 0).map(([text, n]) => `    ${n} × ${text.slice(0, 300)}`)
  }
})
