import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ask, hubs } from './ask.ts'
import { findViolations } from './axe.ts'
import { openBrowser, openWindow, measureOverflow, type Browser } from './browser.ts'
import { combineLooks } from './check-screen.ts'
import { hubMap, touch, within } from './live-map.ts'
import { signIn } from './sign-in.ts'
import { retryDelays } from '#app/islands/tile-failures.ts'
import { pickCrossSection, isCrossSection } from '#functions/v1/testing/figures.testing.ts'
import { encodeTile } from '#functions/engine/tile/mvt.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const mapCode = /map-live|maplibre/

test('without scripts the map has its boundary, its layers and their records, and working switches', async () => {
  const { page, context } = await openWindow(browser, { hasScripts: false })
  await page.goto(hubMap(hubs.seattle.host))
  const picture = page.locator('.figure-wide > svg')
  expect(await picture.locator('path[stroke="var(--map-layer)"]').count()).toBe(1)
  // It stands on the base map, and says who made that.
  expect(await picture.locator('.map-scale').count()).toBeGreaterThan(0)
  expect(await picture.locator('.map-credit').first().textContent()).toContain('GeoNames (CC BY 4.0)')
  const embedded = await ask('/embed/map', { host: hubs.seattle.host })
  expect(embedded.text).toContain('GeoNames (CC BY 4.0)')
  const dots = picture.locator('.map-layer-1')
  const rows = page.locator('.map-rows .map-layer-1')
  expect(await dots.locator('circle').count()).toBeGreaterThan(0)
  expect(await rows.locator('li').count()).toBeGreaterThan(20)
  expect(await rows.getByRole('link').getAttribute('href')).toMatch(/^\/domains\/airport\/source\//)
  await page.getByRole('checkbox', { name: /Airports of Washington/ }).uncheck()
  expect([await dots.isVisible(), await rows.isVisible()]).toEqual([false, false])
  const names = picture.locator('.map-names')
  expect(await names.isVisible()).toBe(false)
  await page.getByRole('checkbox', { name: 'Names of regions' }).check()
  expect(await names.isVisible()).toBe(true)
  expect(await page.locator('[data-explore]').isVisible()).toBe(false)
  await context.close()
})

test('loads no map code before a reader touches the map; then list, map and switches stay in sync', async () => {
  const { page, foreign, complaints, context } = await openWindow(browser)
  const requests: string[] = []
  page.on('request', (request) => void requests.push(new URL(request.url()).pathname))
  await page.goto(hubMap(hubs.seattle.host), { waitUntil: 'networkidle' })
  expect(
    requests.filter((path) => mapCode.test(path) || path.startsWith('/t/') || path.startsWith('/a/')),
  ).toEqual([])
  await touch(page)
  expect(requests.some((path) => mapCode.test(path))).toBe(true)
  await expect
    .poll(() => requests.some((path) => path.startsWith('/t/points/seattle-wa/source/')), within)
    .toBe(true)
  expect(await page.getByRole('region', { name: 'Map of Seattle, WA' }).count()).toBe(1)

  const item = page.getByRole('button', { name: 'Boeing Field/King County Intl' })
  await item.focus()
  await page.keyboard.press('Enter')
  const popup = page.locator('.maplibregl-popup-content')
  await popup.getByText('Boeing Field/King County Intl').waitFor(within)
  await popup.getByText('Airports of Washington State').waitFor()
  expect(await item.getAttribute('aria-pressed')).toBe('true')
  expect(page.url()).toContain('sel=layer-1')

  // After panning the list contains the visible records, and their number.
  await page.getByRole('button', { name: 'Zoom in' }).press('Enter')
  await page
    .getByRole('status')
    .getByText(/^\d+ of \d+ in view$/)
    .waitFor(within)
  expect(await page.locator('.map-rows li:visible').count()).toBeLessThan(10)
  expect(await item.isVisible()).toBe(true)

  await page.getByRole('checkbox', { name: /Airports of Washington/ }).uncheck()
  await expect.poll(() => popup.count(), within).toBe(0)
  expect(await page.locator('.map-rows li:visible').count()).toBe(0)
  expect(complaints).toEqual([])
  expect(foreign).toEqual([])
  await context.close()
})

test('retries failed requests, says when some tiles are missing, and requests them again by a button', async () => {
  const { page, context } = await openWindow(browser)
  const archives = new Set<string>()
  await context.route('**/a/**', (route) => {
    const archive = route.request().url()
    if (archives.has(archive)) return route.continue()
    archives.add(archive)
    return route.abort()
  })
  let isDown = true
  let tileRequests = 0
  await context.route('**/t/points/**', (route) => {
    tileRequests += 1
    return isDown ? route.abort() : route.continue()
  })
  await page.goto(hubMap(hubs.seattle.host), { waitUntil: 'networkidle' })
  await touch(page)
  expect(archives.size).toBeGreaterThan(0)
  const line = page.getByRole('status').filter({ hasText: 'Some of this map did not load.' })
  await line.waitFor(within)
  expect(await findViolations(page)).toEqual([])
  // Retries may still be due; one that succeeded would remove the line without the button.
  let requestsBefore: number
  do {
    requestsBefore = tileRequests
    await page.waitForTimeout(Math.max(...retryDelays) + 1000)
  } while (tileRequests > requestsBefore)
  isDown = false
  tileRequests = 0
  await line.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect.poll(() => line.count(), within).toBe(0)
  expect(tileRequests).toBeGreaterThan(0)
  await context.close()
})

test('says when tiles do not draw all lines and areas of the view, while their layer is on', async () => {
  const { page, context } = await openWindow(browser)
  const centre = { type: 'point' as const, geometry: [[2048, 2048]] as [number, number][] }
  const tile = (cut: object[]) =>
    encodeTile({
      points: [{ ...centre, properties: { id: 'a' } }],
      cut: cut.map(() => ({ ...centre, properties: { shown: 5000, left: 12 } })),
    })
  // The demo has no source with so many shapes: its tiles are answered with those of one.
  let isCut = true
  await context.route('**/t/points/**', (route) =>
    route.fulfill({
      contentType: 'application/vnd.mapbox-vector-tile',
      body: Buffer.from(tile(isCut ? [{}] : []) ?? []),
    }),
  )
  await page.goto(hubMap(hubs.seattle.host), { waitUntil: 'networkidle' })
  await touch(page)
  const line = page.getByRole('status').filter({ hasText: 'Not all lines and areas of this view are drawn.' })
  await line.waitFor(within)
  expect(await findViolations(page)).toEqual([])
  const airports = page.getByRole('checkbox', { name: /Airports of Washington/ })
  await airports.uncheck()
  await expect.poll(() => line.count(), within).toBe(0)
  await airports.check()
  await line.waitFor(within)
  // Closer tiles draw all of theirs.
  isCut = false
  for (let presses = 0; presses < 3; presses++)
    await page.getByRole('button', { name: 'Zoom in' }).press('Enter')
  await expect.poll(() => line.count(), within).toBe(0)
  await context.close()
})

test('adds records that the page does not name to the list when the map shows them', async () => {
  const { page, complaints, context } = await openWindow(browser)
  // A view of central Iowa: of three thousand airports the page names some dozens.
  await page.goto(`${hubMap(hubs.usa.host)}#bbox=-94,41.5,-93,42.2`, { waitUntil: 'networkidle' })
  await page.locator('figure.is-live').waitFor(within)
  // Only one layer is shown at first: here the values of the states.
  expect(await page.locator('[data-map-switch^="layer-"]:checked').count()).toBe(0)
  // Of circles nothing is said while none are shown.
  const notes = page.locator('.figure-note span').filter({ visible: true })
  expect(await notes.count()).toBe(0)
  await page.locator('[data-map-switch="layer-1"]').check()
  const rowCount = await page.locator('.map-rows div.map-layer-1 li').count()
  await page.getByRole('button', { name: 'Zoom out' }).press('Enter')
  const rows = page.locator('.map-rows div.map-layer-1 li')
  await expect.poll(() => rows.count(), within).toBeGreaterThan(rowCount)
  const newRow = rows.nth(rowCount).getByRole('button')
  const name = await newRow.innerText()
  await newRow.click()
  await page.locator('.maplibregl-popup-content strong', { hasText: name }).waitFor(within)
  expect(await newRow.getAttribute('aria-pressed')).toBe('true')
  expect(complaints).toEqual([])
  await context.close()
})

test('a legend filters classes by keyboard, buttons lead to distant parts, and the address stores the view', async () => {
  const { page, complaints, context } = await openWindow(browser)
  await page.goto(hubMap(hubs.usa.host), { waitUntil: 'networkidle' })
  await touch(page)
  const signs = page.getByRole('group', { name: 'Show or hide classes' }).getByRole('button')
  const values = page.locator('.map-rows div.map-values li:visible')
  const all = await values.count()
  const sign = signs.first()
  const label = await sign.innerText()
  await sign.focus()
  await page.keyboard.press('Space')
  expect(await sign.getAttribute('aria-pressed')).toBe('false')
  await expect.poll(() => page.url(), within).toContain('off=0')
  const rest = await values.count()
  expect(rest).toBeLessThan(all)

  await page.getByRole('button', { name: 'Hawaii', exact: true }).and(page.locator('.map-part')).click()
  await page
    .getByRole('status')
    .getByText(/ in view$/)
    .waitFor(within)
  await expect.poll(() => values.count(), within).toBeLessThan(3)
  const [west = 0, , east = 0] = (/bbox=([^&]*)/.exec(page.url())?.[1] ?? '').split(',').map(Number)
  expect([west < -155, east > -160, east - west < 20]).toEqual([true, true, true])

  // The link restores the same view.
  const link = page.url()
  const other = await openWindow(browser)
  await other.page.goto(link, { waitUntil: 'networkidle' })
  const off = other.page.locator('.legend-class[aria-pressed="false"]')
  await off.waitFor(within)
  expect(await off.allInnerTexts()).toEqual([label])
  await expect.poll(() => other.page.url(), within).toContain('off=0')
  await other.page.getByRole('button', { name: 'Whole map' }).click()
  await off.press('Enter')
  await expect.poll(() => other.page.url(), within).not.toContain('off=')
  expect([...complaints, ...other.complaints]).toEqual([])
  await other.context.close()
  await context.close()
})

test('time sliders work by keyboard, request the tiles of these periods, play them, and disappear with the layer', async ({
  skip,
}) => {
  skip(isCrossSection)
  const { page, complaints, context } = await openWindow(browser)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const filters: unknown[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    // Only of the layer with dates: other layers request tiles too while the map becomes live.
    if (pathname.startsWith('/t/points/') && pathname.includes('us-flights'))
      filters.push(JSON.parse(searchParams.get('filters') ?? 'null'))
  })
  // Delays tiles, so that some are still loading when a slider is moved: they must not be shown.
  await page.route(/\/t\/points\/[^?]*us-flights/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await route.continue()
  })
  await page.goto(hubMap(hubs.usa.host), { waitUntil: 'networkidle' })
  await touch(page)
  const group = page.locator('.map-time')
  // No layer with dates is shown yet.
  await group.waitFor({ state: 'attached', ...within })
  expect(await group.isVisible()).toBe(false)
  const flights = page.getByRole('checkbox', { name: /flights/i })
  await flights.check()
  await page.getByRole('group', { name: 'Time of the records' }).waitFor(within)
  await expect.poll(() => filters.length, within).toBeGreaterThan(0)
  expect(filters.every((filter) => filter === null)).toBe(true)

  const [begin, end] = [
    group.getByRole('slider', { name: 'From' }),
    group.getByRole('slider', { name: 'To' }),
  ]
  const first = await begin.getAttribute('aria-valuetext')
  await begin.focus()
  await page.keyboard.press('ArrowRight')
  expect(await begin.getAttribute('aria-valuetext')).not.toBe(first)
  await expect.poll(() => filters.filter((filter) => filter !== null).length, within).toBeGreaterThan(0)
  const [field, range] =
    Object.entries(filters.filter(Boolean).at(-1) as Record<string, { $gte: string; $lt: string }>)[0] ?? []
  expect(field).toBe('data.departure')
  expect(range?.$gte).toMatch(/^\d{4}-\d\d-\d\dT00:00:00Z$/)
  await expect.poll(() => page.url(), within).toMatch(/time=\d{4}[\d-]*\.\.\d{4}/)
  const rangeText = group.locator('.map-time-shown')
  expect(await rangeText.innerText()).toContain(String(await begin.getAttribute('aria-valuetext')))

  // The start cannot pass the end: it pushes it.
  await begin.press('End')
  expect(await end.getAttribute('aria-valuetext')).toBe(await begin.getAttribute('aria-valuetext'))
  const last = await begin.getAttribute('aria-valuetext')
  await group.getByRole('button', { name: 'Play' }).press('Enter')
  await expect.poll(() => begin.getAttribute('aria-valuetext'), within).not.toBe(last)
  await group.getByRole('button', { name: 'Pause' }).press('Enter')
  const link = page.url()
  expect(await findViolations(page)).toEqual([])

  // The link restores the period; without the layer there is no slider.
  const other = await openWindow(browser)
  await other.page.goto(link, { waitUntil: 'networkidle' })
  const theirs = other.page
    .getByRole('group', { name: 'Time of the records' })
    .getByRole('slider', { name: 'From' })
  await theirs.waitFor(within)
  expect(await theirs.getAttribute('aria-valuetext')).toBe(await begin.getAttribute('aria-valuetext'))
  // With reduced motion time advances in steps.
  const before = await theirs.getAttribute('aria-valuetext')
  await other.page.getByRole('button', { name: 'Next period' }).press('Enter')
  expect(await theirs.getAttribute('aria-valuetext')).not.toBe(before)
  await other.context.close()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await flights.uncheck()
  await expect.poll(() => group.isVisible(), within).toBe(false)
  await flights.check()
  const whole = group.getByRole('button', { name: 'All times' })
  await whole.press('Enter')
  expect(await whole.isDisabled()).toBe(true)
  await expect.poll(() => page.url(), within).not.toContain('time=')
  expect(complaints).toEqual([])
  await context.close()
})

test('switches are part of the address of a map', async () => {
  const { page, context } = await openWindow(browser)
  await page.goto(`${hubMap(hubs.usa.host)}#layers=layer-1`, { waitUntil: 'networkidle' })
  await page.locator('figure.is-live').waitFor(within)
  expect(await page.locator('[data-map-switch]:checked').count()).toBe(1)
  await page.getByRole('checkbox', { name: 'Names of regions' }).check()
  await expect.poll(() => page.url(), within).toContain('layers=layer-1,names')
  await context.close()
})

test('on a phone the map comes first, and its list opens on demand, without scripts', async () => {
  const { page, context } = await openWindow(browser, { width: 390, hasScripts: false })
  for (const { host } of Object.values(hubs)) {
    await page.goto(hubMap(host))
    const rows = page.locator('.map-rows')
    expect(await rows.isVisible()).toBe(false)
    await page.getByRole('checkbox', { name: 'On this map' }).check()
    expect(await rows.isVisible()).toBe(true)
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(3 * 844)
  }
  await context.close()
})

// In a cross-section narrow and dark; its states are wide and light.
test.each(pickCrossSection(combineLooks([320, 1280]), 4, 3))(
  'still and live it meets WCAG 2.2 AA and does not scroll horizontally: %i px, %s',
  async (width, scheme) => {
    const { page, context } = await openWindow(browser, { width, scheme })
    const faults: string[] = []
    for (const { host } of Object.values(hubs)) {
      await page.goto(hubMap(host), { waitUntil: 'networkidle' })
      for (const state of ['still', 'live']) {
        if (state === 'live') await touch(page)
        for (const one of await findViolations(page)) faults.push(`${host} ${state}: ${one}`)
        if ((await measureOverflow(page)) > 0) faults.push(`${host} ${state}: scrolls sideways`)
      }
    }
    expect(faults).toEqual([])
    await context.close()
  },
)

test.each(
  pickCrossSection(
    [
      [1280, 'light'],
      [390, 'dark'],
    ] as const,
    2,
  ),
)('in each state it meets WCAG 2.2 AA and announces each change once: %i px, %s', async (width, scheme) => {
  const { page, context, complaints } = await openWindow(browser, { width, scheme })
  const faults: string[] = []
  const checkState = async (state: string) => {
    for (const one of await findViolations(page)) faults.push(`${state}: ${one}`)
    if ((await measureOverflow(page)) > 0) faults.push(`${state}: scrolls sideways`)
  }
  await page.goto(hubMap(hubs.usa.host), { waitUntil: 'networkidle' })
  await touch(page)
  if (width < 600) {
    await page.getByRole('checkbox', { name: 'On this map' }).check()
    await checkState('its list is open')
  }
  const status = (text: RegExp) => page.getByRole('status').filter({ hasText: text })

  const region = page.locator('.map-rows div.map-values li:visible button').first()
  const name = await region.innerText()
  await region.press('Enter')
  await page.locator('.maplibregl-popup-content strong', { hasText: name }).waitFor(within)
  expect(await region.getAttribute('aria-pressed')).toBe('true')
  await checkState('a region is chosen')
  await page.getByRole('button', { name: 'Close popup' }).press('Enter')

  const signs = page.getByRole('group', { name: 'Show or hide classes' }).getByRole('button')
  for (const sign of [signs.first(), signs.last()]) await sign.press('Space')
  await checkState('classes and “no data” are off')

  await page.getByRole('checkbox', { name: /flights/i }).check()
  const time = page.getByRole('group', { name: 'Time of the records' })
  await time.waitFor(within)
  const first = time.getByRole('slider', { name: 'From', exact: true })
  const statusText = await time.getByRole('status').textContent()
  // A slider announces its own value: nothing else is announced at each step.
  for (let step = 0; step < 3; step += 1) await first.press('ArrowRight')
  expect(await time.locator('output').count()).toBe(0)
  expect(await time.getByRole('status').textContent()).toBe(statusText)
  const value = String(await first.getAttribute('aria-valuetext'))
  await expect.poll(() => time.getByRole('status').textContent(), within).toContain(value)
  await checkState('a time is chosen')

  const isOn = page.locator('[data-map-switch]:checked')
  while ((await isOn.count()) > 0) await isOn.first().uncheck()
  await checkState('nothing is switched on')

  await page.getByRole('button', { name: 'Find my location' }).press('Enter')
  await status(/^Your location is not available$/).waitFor(within)
  await checkState('where the reader is was refused')
  expect(faults).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})

test('the position of the reader is asked for only by a press, moves the map there, and is sent to nobody', async () => {
  const { page, foreign, complaints, context } = await openWindow(browser)
  const [latitude, longitude] = [41.6, -93.6]
  await context.setGeolocation({ latitude, longitude })
  await context.grantPermissions(['geolocation'])
  // Counts the requests for the position, and answers them as before.
  await page.addInitScript(() => {
    const { geolocation } = navigator
    const count = () => {
      const { dataset } = document.documentElement
      dataset.positions = String(Number(dataset.positions ?? 0) + 1)
    }
    const { getCurrentPosition, watchPosition } = geolocation
    geolocation.getCurrentPosition = (...handlers) => {
      count()
      getCurrentPosition.apply(geolocation, handlers)
    }
    geolocation.watchPosition = (...handlers) => {
      count()
      return watchPosition.apply(geolocation, handlers)
    }
  })
  const requests: string[] = []
  page.on('request', (request) => void requests.push(`${request.url()} ${request.postData() ?? ''}`))
  const countPositions = () => page.evaluate(() => Number(document.documentElement.dataset.positions ?? 0))
  await page.goto(hubMap(hubs.usa.host), { waitUntil: 'networkidle' })
  await touch(page)
  const button = page.getByRole('button', { name: 'Find my location' })
  await button.waitFor(within)
  // Whatever else is done with the map asks for no position.
  await page.getByRole('button', { name: 'Zoom in' }).press('Enter')
  await page
    .getByRole('status')
    .getByText(/ in view$/)
    .waitFor(within)
  expect(await countPositions()).toBe(0)
  expect(await page.locator('.maplibregl-user-location-dot').count()).toBe(0)

  await button.press('Enter')
  await page.locator('.maplibregl-user-location-dot').waitFor(within)
  expect(await countPositions()).toBe(1)
  await expect
    .poll(() => {
      const [west = 0, south = 0, east = 0, north = 0] = (/bbox=([^&]*)/.exec(page.url())?.[1] ?? '')
        .split(',')
        .map(Number)
      return [west < longitude && longitude < east, south < latitude && latitude < north, east - west < 2]
    }, within)
    .toEqual([true, true, true])
  expect(await page.getByRole('status').filter({ hasText: 'Your location is not available' }).count()).toBe(0)
  // Tiles are asked for by their numbers; the position itself is in no request.
  expect(requests.filter((request) => request.includes('93.6') || request.includes('41.6'))).toEqual([])
  expect(foreign).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})

test('an embedded frame has the map with its controls under the same rules', async () => {
  const { page, context } = await openWindow(browser, { width: 640 })
  await page.goto(`http://${hubs.usa.host}:${inject('port')}/embed/map`, { waitUntil: 'networkidle' })
  expect(await findViolations(page)).toEqual([])
  await touch(page)
  expect(await findViolations(page)).toEqual([])
  expect(await measureOverflow(page)).toBe(0)
  await context.close()
})

test('the workspace has the same map, by the same code', async () => {
  const { page, complaints, context } = await openWindow(browser)
  await signIn(page, 'member', '/map')
  expect(await page.locator('.figure-wide > svg path[stroke="var(--map-layer)"]').count()).toBe(1)
  expect(await page.locator('.map-rows').getByRole('link').first().getAttribute('href')).toMatch(
    /^\/sources\//,
  )
  await touch(page)
  await page.getByRole('button', { name: 'Boeing Field/King County Intl' }).click()
  await page.locator('.maplibregl-popup-content').waitFor(within)
  expect(await findViolations(page)).toEqual([])
  // Leaving removes the map; coming back creates a new one.
  await page.getByRole('link', { name: 'Data', exact: true }).click()
  await page.waitForURL(/\/sources$/)
  await page.getByRole('link', { name: 'Map', exact: true }).click()
  await page.locator('[data-map] [data-explore]').waitFor()
  await touch(page)
  expect(complaints).toEqual([])
  await context.close()
})
