import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { account, ask, hubs, waitForFileSizes } from './ask.ts'
import { openBrowser, openWindow, type Browser } from './browser.ts'
import { signIn } from './sign-in.ts'
import { writeMeasurements } from '#functions/v1/testing/figures.testing.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const path = '/pages/storytelling/seattle-rain/preview'
const readPage = async () => (await ask(path, { host: hubs.seattle.host })).text

/** Waits until the hub shows a text; returns the seconds it took. */
async function waitForText(text: string): Promise<number> {
  const startMs = performance.now()
  while (performance.now() - startMs < 20_000) {
    if ((await readPage()).includes(text)) return (performance.now() - startMs) / 1000
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return Infinity
}

test('staff edit a story’s title and its hub shows it; only pages that name it are made again', async () => {
  const { page, context, complaints } = await openWindow(browser)
  await signIn(page, 'content_admin', '/pages/storytelling/seattle-rain/modify')
  const title = `How wet is Seattle, really? ${Date.now()}`
  // Waits until no earlier work is pending: files that have just been prepared cause their pages to be made
  // again.
  for (const { host } of Object.values(hubs)) await waitForFileSizes(host)
  const size = () => readFileSync(inject('logFile'), 'utf8').length
  for (let before = -1; before !== size(); await new Promise((resolve) => setTimeout(resolve, 4000)))
    before = size()
  const logged = size()
  await page.getByLabel('Title').fill(title)
  await page
    .getByRole('button', { name: /^(save|publish)/i })
    .first()
    .click()
  const seconds = await waitForText(title)
  console.log(`A new title was on the hub after ${seconds.toFixed(1)} s`)
  expect(seconds).toBeLessThan(Infinity)
  // The limit is checked by the command for figures, on a machine that does nothing else.
  writeMeasurements('publish', { seconds })
  const countRendered = () =>
    [
      ...readFileSync(inject('logFile'), 'utf8')
        .slice(logged)
        .matchAll(/rendered (\S+) (\S+)/g),
    ]
      .map((match) => `${match[1]} ${match[2]}`)
      .sort()
  // Pages that name it: those that list stories, frames of its figures, its topics, and its sources with
  // their domains, with pictures that are made after the texts; no other page or source.
  const uses = [
    'airport/source/washington-airports',
    'daily-weather/source/seattle-weather',
    'hourly-climate/source/seattle-climate',
  ]
  const figures = [
    ...['seattle-airfields', 'seattle-days', 'seattle-rain-by-month', 'seattle-temperature'],
    'seattle-wind-and-warmth',
  ]
  await expect.poll(countRendered, { timeout: 20_000 }).toEqual([
    'seattle-wa /',
    'seattle-wa /datastories',
    'seattle-wa /datastories/feed.atom',
    'seattle-wa /datastories/feed.json',
    ...uses
      .flatMap((source) => [source, source.slice(0, source.indexOf('/'))])
      .sort()
      .map((of) => `seattle-wa /domains/${of}`),
    ...uses.map((source) => `seattle-wa /embed/domains/${source}`),
    ...figures.map((figure) => `seattle-wa /embed/pages/seattle-rain/${figure}`),
    ...uses.map((source) => `seattle-wa /og/domains/${source}.png`),
    'seattle-wa /og/home.png',
    'seattle-wa /og/pages/seattle-rain.png',
    `seattle-wa ${path}`,
    'seattle-wa /search',
    'seattle-wa /sitemap.xml',
    'seattle-wa /topics/environment',
    'seattle-wa /topics/transport',
  ])
  expect(complaints).toEqual([])
  await context.close()
})

test('publishes a change through the API in the same way, and unpublishing removes the page', async () => {
  const { key } = account('organization_admin')
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const address = '/v1/places/seattle-wa/pages/seattle-records'
  const update = await ask(address, { method: 'PATCH', headers, body: JSON.stringify({ publish: 'draft' }) })
  expect(update.status).toBe(200)
  const startMs = performance.now()
  const page = '/pages/blank/seattle-records/preview'
  while (
    (await ask(page, { host: hubs.seattle.host })).status !== 404 &&
    performance.now() - startMs < 10_000
  ) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  expect((performance.now() - startMs) / 1000).toBeLessThanOrEqual(5)
  const back = await ask(address, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ publish: 'published' }),
  })
  expect(back.status).toBe(200)
})
