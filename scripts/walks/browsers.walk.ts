import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'
import { account, hubPaths, hubs } from './ask.ts'
import { openEngine, otherEngines } from './engines/index.ts'
import type { Engine, WindowOptions } from './engines/engine.ts'
import {
  blankOnPaper,
  countPixels,
  heightsWhileScrolling,
  waitForPictures,
  waitForListeners,
} from './engines/seen.ts'
import { openIn, type Window } from './engines/window.ts'

const buildUrl = (host: string, path: string) => `http://${host}:${inject('port')}${path}`
const seattle = (path: string) => buildUrl(hubs.seattle.host, path)
const usa = (path: string) => buildUrl(hubs.usa.host, path)
const story = '/pages/storytelling/seattle-rain/preview'
const airports = '/domains/airport/source/us-airports'

const figures: Record<string, number> = {}
const count = (what: string, more = 1) => (figures[what] = (figures[what] ?? 0) + more)
afterAll(() => writeMeasurements('browsers', figures))

const widthBeyond = (window: Window) =>
  window.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

describe.each(otherEngines)('in $name', (walker) => {
  let engine: Engine | null = null
  beforeAll(() => {
    engine = openEngine(walker)
  })
  afterAll(async () => {
    await engine?.close()
  })

  /**
   * A test in a window of this engine; skipped where the engine is not installed, which has been reported.
   */
  const walk = (title: string, look: WindowOptions, run: (window: Window) => Promise<void>) =>
    test(title, async ({ skip }) => {
      if (!engine) return skip(walker.missing)
      const window = await openIn(engine, look)
      try {
        await run(window)
        expect(window.complaints()).toEqual([])
      } finally {
        await window.close()
      }
    })

  walk('neither a figure nor the page changes its height while someone scrolls', {}, async (window) => {
    for (const path of ['/', story]) {
      await window.goto(seattle(path))
      expect(await waitForPictures(window)).toBeGreaterThan(1)
      const { pages, lowestPicture } = await heightsWhileScrolling(window)
      // Heights are rounded by up to a pixel where the window begins at half a pixel.
      expect(Math.max(...pages) - Math.min(...pages), path).toBeLessThanOrEqual(2)
      expect(lowestPicture, path).toBeGreaterThan(200)
      count('pages scrolled through')
    }
  })

  walk('prints every picture', {}, async (window) => {
    await window.goto(seattle(story))
    await waitForPictures(window)
    const blank = await blankOnPaper(window)
    if (blank) count('pages printed')
    expect(blank ?? []).toEqual([])
  })

  walk('regions without data are hatched', {}, async (window) => {
    await window.goto(usa('/map'))
    await waitForPictures(window)
    await window.evaluate(() =>
      document.querySelector('.figure-plot')?.scrollIntoView({ block: 'center', behavior: 'instant' }),
    )
    // 60 % of the lines' grey over the land.
    await expect.poll(() => countPixels(window, [171, 169, 166], 12)).toBeGreaterThan(2000)
  })

  walk('a map becomes live, or says why not and leaves no inactive controls', {}, async (window) => {
    await window.goto(usa('/map'))
    await waitForListeners(window)
    await window.click('[data-explore]')
    const outcome = await window.until('the map lives or says why not', () => {
      if (document.querySelector('figure[data-map].is-live canvas')) return 'live'
      return document.querySelector('.figure-failed')?.textContent
    })
    const chooses = await window.count('[data-map-split] button[data-map-item], [data-map-item] button')
    if (outcome === 'live') expect(chooses).toBeGreaterThan(10)
    else {
      expect(outcome).toMatch(/WebGL/)
      expect(chooses).toBe(0)
      expect(await window.evaluate(() => document.querySelector<HTMLElement>('[data-explore]')?.hidden)).toBe(
        true,
      )
    }
    // A switch changes both the list beside the picture and that beside the live map.
    const countVisibleValues = () =>
      [...document.querySelectorAll('.map-rows .map-values')].filter((row) => row.getClientRects().length > 0)
        .length
    expect(await window.evaluate(countVisibleValues)).toBeGreaterThan(0)
    await window.click('[data-map-switch="values"]')
    expect(await window.evaluate(countVisibleValues)).toBe(0)
    await window.click('[data-map-switch="layer-1"]')
    expect((await window.text('.map-rows')).length).toBeGreaterThan(100)
    count('maps that came alive or said why not')
  })

  walk('a chart becomes live, shows a table, and fills the screen in its own colours', {}, async (window) => {
    await window.goto(usa(airports))
    await waitForListeners(window)
    await window.click('figure[data-chart] [data-explore]')
    await window.until(
      'the chart lives',
      () => document.querySelector('.figure-live svg.chart-drawing') !== null,
    )
    await window.click('figure[data-chart] [data-view="table"]')
    await window.until('the table is seen', () => {
      const table = document.querySelector('figure[data-chart] .figure-data table')
      return table !== null && table.getClientRects().length > 0
    })
    await window.click('figure[data-map] [data-full-screen]')
    const ground = await window.until('the map fills the screen', () => {
      const figure = document.fullscreenElement
      const colour = figure && getComputedStyle(figure).backgroundColor
      return colour && !/transparent|, 0\)$/.test(colour) ? colour : ''
    })
    expect(ground).toBe(await window.evaluate(() => getComputedStyle(document.body).backgroundColor))
  })

  walk('search suggests and answers in place, and the table changes in place', {}, async (window) => {
    await window.goto(usa('/'))
    await waitForListeners(window)
    // Suggestions are loaded when the box gets the focus.
    await window.click('#hub-search')
    await window.until('the search box listens', () => document.querySelector('#hub-search[list]') !== null)
    await window.fill('#hub-search', 'air')
    await window.until('words are suggested', () => document.querySelectorAll('datalist option').length > 1)
    await window.fill('#hub-search', 'airports')
    await window.press('Enter')
    await window.until('results are there', () =>
      [...document.querySelectorAll('.hub-search a')].some((link) =>
        link.textContent?.includes('Airports of the United States'),
      ),
    )
    await window.goto(usa(`${airports}/data`))
    await waitForListeners(window)
    await window.evaluate(() => {
      Object.assign(window, { isSame: true })
    })
    await window.click('.table-sort', 'City')
    await window.until('the table is sorted', () => location.search.includes('sort'))
    expect(await window.evaluate(() => 'isSame' in window)).toBe(true)
    await window.driver.back()
    await window.until('the table is as before', () => !location.search.includes('sort'))
  })

  walk(
    'on a phone in dark mode the menu opens, and an Arabic page starts at the right',
    { width: 390, height: 844, scheme: 'dark' },
    async (window) => {
      await window.goto(usa(`/ar${airports}`))
      await waitForPictures(window)
      expect(await widthBeyond(window)).toBe(0)
      const [ground] = await window.evaluate(() =>
        (/\d+/.exec(getComputedStyle(document.body).backgroundColor) ?? ['255']).map(Number),
      )
      expect(ground).toBeLessThan(80)
      const { heading, extent } = await window.evaluate(() => {
        const right = (css: string) => {
          const range = document.createRange()
          range.selectNodeContents(document.querySelector(css) ?? document.body)
          return range.getBoundingClientRect().right
        }
        return { heading: right('h1'), extent: right('.source-extent') }
      })
      expect(Math.abs(heading - extent)).toBeLessThan(12)
      await window.goto(usa(`/ar${airports}/data`))
      await waitForListeners(window)
      // A point is read from left to right, with its sign before its digits, aligned where the page's text
      // begins.
      const [sign, last, edge] = await window.evaluate(() => {
        const cell = [...document.querySelectorAll('td')].find((each) => each.textContent?.includes('−'))
        const text = cell?.firstChild
        const measureRightEdge = (at: number) => {
          const range = document.createRange()
          if (text) range.setStart(text, at)
          if (text) range.setEnd(text, at + 1)
          return range.getBoundingClientRect().right
        }
        const content = cell?.textContent ?? ''
        const padding = parseFloat(getComputedStyle(cell ?? document.body).paddingInlineStart)
        const edge = (cell?.getBoundingClientRect().right ?? 0) - padding
        return [measureRightEdge(content.indexOf('−')), measureRightEdge(content.length - 1), edge] as const
      })
      expect(sign).toBeLessThan(last)
      expect(Math.abs(last - edge)).toBeLessThan(2)
      await window.click('.hub-menu summary')
      expect(await window.text('.hub-menu-panel')).toContain('بيانات')
      await window.press('Escape')
      await window.until('the menu is closed', () => !document.querySelector('.hub-menu[open]'))
    },
  )

  walk('someone signs in and sees their home', {}, async (window) => {
    const { email, password } = account('organization_admin')
    await window.goto(buildUrl('localhost', '/login'))
    await window.until('the form listens', () =>
      Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactProps')),
    )
    await window.fill('input[name=email]', email)
    await window.fill('input[name=password]', password)
    await window.press('Enter')
    await window.until('home is there', () => location.pathname === '/home')
    // The address changes before the screen does.
    await window.until('the form is gone', () => !document.querySelector('input[name=password]'))
    await window.until('home says whose it is', () => document.querySelector('main h1')?.textContent)
    expect(await window.text('main h1')).toBe('Seattle Open Data')
    count('people signed in')
  })

  test.runIf(isFullRun)(
    'every page of both hubs, wide and narrow, light and dark: pictures load, nothing scrolls horizontally',
    async ({ skip }) => {
      if (!engine) return skip(walker.missing)
      const problems: string[] = []
      for (const [width, scheme] of [
        [1280, 'light'],
        [390, 'dark'],
      ] as const) {
        const window = await openIn(engine, { width, scheme })
        for (const { host } of Object.values(hubs))
          for (const path of [
            ...(await hubPaths(host)),
            '/search?search=air',
            '/nowhere',
            '/ar',
            `/ar/about`,
          ]) {
            await window.goto(buildUrl(host, path))
            const where = `${host}${path} ${scheme} ${width}`
            if ((await window.count('figure [data-plot]')) > 0) await waitForPictures(window)
            if ((await widthBeyond(window)) > 0) problems.push(`${where}: scrolls sideways`)
            count('pages looked at')
          }
        problems.push(...window.complaints())
        await window.close()
      }
      // The browser logs the 404 of a page that does not exist as an error.
      const faults = problems.filter((line) => !line.includes('/nowhere'))
      count('pages that scroll sideways or complain', faults.length)
      expect(faults).toEqual([])
    },
    600_000,
  )
})
