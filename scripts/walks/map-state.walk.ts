import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { findFreePort } from '../local.ts'
import { hubs } from './ask.ts'
import { findViolations } from './axe.ts'
import { openBrowser, openWindow, type Browser, type Page } from './browser.ts'
import { hubMap, touch, waitForLiveMap, within } from './live-map.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

test('a frame on another site has the button for the own position only where that site allows it', async () => {
  const { page, context } = await openWindow(browser)
  await context.grantPermissions(['geolocation'])
  const frame = `http://${hubs.usa.host}:${inject('port')}/embed/map#bbox=-100,30,-80,45`
  const frameTags = ['', ' allow="geolocation"'].map(
    (allow) => `<iframe src="${frame}" width="700" height="600"${allow}></iframe>`,
  )
  // A server of its own: browsers block frames of this machine in a page of another address space.
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(frameTags.join(''))
  })
  const port = await findFreePort()
  await new Promise<void>((resolve) => site.listen(port, '127.0.0.1', resolve))
  await page.goto(`http://news.localhost:${port}/story`)
  const frames = [0, 1].map((at) => page.frameLocator('iframe').nth(at))
  for (const each of frames) await each.locator('figure.is-live canvas.maplibregl-canvas').waitFor(within)
  const buttons = frames.map((each) => each.getByRole('button', { name: 'Find my location' }))
  await buttons[1]?.waitFor(within)
  expect(await buttons[0]?.count()).toBe(0)
  await context.close()
  site.close()
})

test('a map on the page of a source keeps its state in the address as a figure, and starts with it', async () => {
  const { page, complaints, context } = await openWindow(browser)
  await page.goto(hubMap(hubs.seattle.host), { waitUntil: 'networkidle' })
  const source = await page.locator('.map-rows .map-layer-1 a').first().getAttribute('href')
  const address = new URL(source ?? '', page.url()).href
  await page.goto(address, { waitUntil: 'networkidle' })
  const name = (await page.locator('figure[data-map]').getAttribute('data-figure')) ?? ''
  await touch(page)
  expect(new URL(page.url()).hash).toBe('')
  await page.getByRole('button', { name: 'Zoom in' }).press('Enter')
  const state = () => new URLSearchParams(new URL(page.url()).hash.slice(1))
  await expect.poll(() => state().get('bbox'), within).toMatch(/^-?\d/)
  expect([...state().keys()]).toEqual(['figure', 'bbox'])
  expect(state().get('figure')).toBe(name)

  const other = await openWindow(browser)
  await other.page.goto(page.url(), { waitUntil: 'networkidle' })
  await waitForLiveMap(other.page)
  const parseBox = (hash: string) =>
    (new URLSearchParams(hash.slice(1)).get('bbox') ?? '').split(',').map(Number)
  const requestedBox = parseBox(new URL(page.url()).hash)
  // As wide as before: a box is shown whole, and padded by nothing.
  await expect.poll(() => parseBox(new URL(other.page.url()).hash).length, within).toBe(4)
  parseBox(new URL(other.page.url()).hash).forEach((degrees, at) =>
    expect(Math.abs(degrees - (requestedBox[at] ?? NaN))).toBeLessThan(
      0.2 * Math.abs((requestedBox[2] ?? 0) - (requestedBox[0] ?? 0)),
    ),
  )
  expect(await other.page.locator('.figure-misfit').count()).toBe(0)
  expect([...complaints, ...other.complaints]).toEqual([])
  await other.context.close()
  await context.close()
})

test('the embed code contains the map’s state, in the share menu and below the map, and the frame starts with it', async () => {
  const { page, complaints, context } = await openWindow(browser)
  await page.goto(`${hubMap(hubs.usa.host)}#bbox=-100,30,-80,45&layers=layer-1,names&off=0`, {
    waitUntil: 'networkidle',
  })
  await page.locator('figure.is-live').waitFor(within)
  await page.getByText('Embed this view', { exact: true }).click()
  const field = page.locator('.map-embed input')
  await expect.poll(() => field.inputValue(), within).toContain('layers=layer-1,names')
  const code = await field.inputValue()
  expect(await page.locator('.hub-share input').nth(1).inputValue()).toBe(code)
  const address = new URL((/src="([^"]*)"/.exec(code)?.[1] ?? '').replaceAll('&amp;', '&'))
  expect([address.pathname, address.hash]).toEqual(['/embed/map', new URL(page.url()).hash])

  const other = await openWindow(browser)
  await other.page.goto(new URL(address.pathname + address.hash, page.url()).href, {
    waitUntil: 'networkidle',
  })
  await waitForLiveMap(other.page)
  const isOn = (map: Page) =>
    map
      .locator('[data-map-switch]')
      .evaluateAll((all) =>
        all.map((each) => [
          (each as HTMLInputElement).dataset['mapSwitch'],
          (each as HTMLInputElement).checked,
        ]),
      )
  expect(await isOn(other.page)).toEqual(await isOn(page))
  const off = (map: Page) => map.locator('.legend-class[aria-pressed="false"]').allInnerTexts()
  expect(await off(other.page)).toEqual(await off(page))
  expect(await off(page)).toHaveLength(1)
  await expect.poll(() => new URL(other.page.url()).hash, within).toContain('off=0')
  // Before axe runs: it adds styles of its own, which the frame's policy blocks.
  expect([...complaints, ...other.complaints]).toEqual([])
  expect(await findViolations(other.page)).toEqual([])
  await other.context.close()
  await context.close()
})
