import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { hubs } from './ask.ts'
import { openBrowser, openWindow, type Browser, type Page } from './browser.ts'
import { waitForLiveMap, within } from './live-map.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const state = '#bbox=-100,30,-80,45&layers=values,names&off=0'

/** Opens the map of a hub in a state, live, with a print dialog that keeps what would be on paper. */
async function openMap(scheme: 'light' | 'dark', hash = '') {
  const window = await openWindow(browser, { scheme })
  const { page } = window
  await page.addInitScript(() => {
    globalThis.print = () => {
      dispatchEvent(new Event('beforeprint'))
      const canvas = document.querySelector<HTMLCanvasElement>('.map-printed')
      document.documentElement.dataset.printed = canvas?.toDataURL('image/png') ?? 'nothing'
      dispatchEvent(new Event('afterprint'))
    }
    // Texts in a picture are pixels: those that are drawn are kept.
    const { fillText } = CanvasRenderingContext2D.prototype
    CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
      const { dataset } = document.documentElement
      if (text.length > 1) dataset.drawn = `${dataset.drawn ?? ''}${text}\n`
      fillText.call(this, text, ...at)
    }
  })
  await page.goto(`http://${hubs.usa.host}:${inject('port')}/map${hash}`, { waitUntil: 'networkidle' })
  await waitForLiveMap(page)
  await waitForStableMap(page)
  return window
}

/** Waits until the map looks the same twice: its tiles and labels arrive one by one. */
async function waitForStableMap(page: Page) {
  await page.waitForLoadState('networkidle')
  let before = ''
  const isStill = async () => {
    const picture = (await page.locator('canvas.maplibregl-canvas').screenshot()).toString('base64')
    const isSame = picture === before
    before = picture
    return isSame
  }
  await expect.poll(isStill, { ...within, interval: 500 }).toBe(true)
}

/** What is printed after `press`, as the address of a picture. */
async function capturePrintedMap(page: Page, press: () => Promise<unknown>): Promise<string> {
  await press()
  await page.locator('html[data-printed]').waitFor({ state: 'attached', ...within })
  return (await page.locator('html').getAttribute('data-printed')) ?? ''
}

/** The brightness of a picture, and how much each pixel of another one differs from it, on average: from 0 to 255. */
function compare(page: Page, pictures: [of: string, and: string]): Promise<{ light: number; apart: number }> {
  return page.evaluate(async ([of, and]) => {
    const [width, height] = [160, 120]
    const readPixels = async (href: string) => {
      const image = new Image()
      image.src = href
      await image.decode()
      const pen = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')
      pen?.drawImage(image, 0, 0, width, height)
      return pen?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray()
    }
    const [one, other] = [await readPixels(of), await readPixels(and)]
    let [light, apart] = [0, 0]
    one.forEach((value, at) => {
      if (at % 4 === 3) return
      light += value
      apart += Math.abs(value - (other[at] ?? 0))
    })
    const values = 3 * width * height
    return { light: light / values, apart: apart / values }
  }, pictures)
}

test('the live view is saved as a PNG of its state, with title and legend', async () => {
  const { page, complaints, context } = await openMap('light', state)
  const save = async () => {
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save this view as a picture' }).press('Enter')
    const download = await coming
    expect(download.suggestedFilename()).toMatch(/^Map-of-.*United-States.*\.png$/)
    return readFileSync(await download.path())
  }
  const bytes = await save()
  expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG')
  const canvas = await page.locator('canvas.maplibregl-canvas').boundingBox()
  // The sheet has a margin beside the map, and title, legend and notes above and below it.
  expect(bytes.readUInt32BE(16)).toBeGreaterThan(canvas?.width ?? Infinity)
  expect(bytes.readUInt32BE(20)).toBeGreaterThan((canvas?.height ?? Infinity) + 60)
  const again = await save()
  await page.getByRole('button', { name: 'Zoom in' }).press('Enter')
  await waitForStableMap(page)
  const closer = await save()
  const toDataUrl = (file: Buffer) => `data:image/png;base64,${file.toString('base64')}`
  expect((await compare(page, [toDataUrl(bytes), toDataUrl(again)])).apart).toBeLessThan(1)
  expect((await compare(page, [toDataUrl(bytes), toDataUrl(closer)])).apart).toBeGreaterThan(1)
  expect(complaints).toEqual([])
  await context.close()
})

test('a saved view says which layers and periods it has, and where its data are from and of when', async () => {
  const { page, complaints, context } = await openMap('light', '#bbox=-100,30,-80,45')
  const flights = page.getByRole('checkbox', { name: /flights/i })
  await flights.check()
  const begin = page.locator('.map-time').getByRole('slider', { name: 'From' })
  await begin.press('End')
  await waitForStableMap(page)
  await page.evaluate(() => delete document.documentElement.dataset.drawn)
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save this view as a picture' }).press('Enter')
  await coming
  const drawnTexts = ((await page.locator('html').getAttribute('data-drawn')) ?? '').split('\n')
  const switches = page.locator('.map-switches label:has(svg)')
  for (const label of await switches.all()) {
    const isOn = await label.locator('input').isChecked()
    expect(drawnTexts.includes((await label.innerText()).trim())).toBe(isOn)
  }
  const period = String(await begin.getAttribute('aria-valuetext'))
  expect(drawnTexts.filter((line) => line.startsWith(`${period} (`))).toHaveLength(1)
  const name = (await flights.locator('..').locator('span').first().innerText()).split(/\s+\d/)[0] ?? ''
  expect(drawnTexts.find((line) => line.startsWith(`Source: ${name}`))).toMatch(/ · data of \w+ \d+, \d{4}$/)
  expect(drawnTexts).toContain(page.url())
  expect(complaints).toEqual([])
  await context.close()
})

test('printed from the dark theme by keys, a live map has its state in light colours, and stays dark on screen', async () => {
  const light = await openMap('light', state)
  const press = () => light.page.getByRole('button', { name: 'Print this view' }).press('Enter')
  const fromLight = await capturePrintedMap(light.page, press)
  expect(fromLight).toMatch(/^data:image\/png/)

  const { page, complaints, context } = await openMap('dark', state)
  const fromDark = await capturePrintedMap(page, () => page.keyboard.press('Control+p'))
  expect(fromDark).toMatch(/^data:image\/png/)
  // Both themes print the same view, classes and switches.
  const { light: brightness, apart } = await compare(page, [fromDark, fromLight])
  expect(brightness).toBeGreaterThan(150)
  expect(apart).toBeLessThan(4)
  // Nothing of it stays on the screen: neither the light map nor the copy of the dark one.
  await expect.poll(() => page.locator('.map-cover, .map-printed').count(), within).toBe(0)
  expect(page.url()).toContain('off=0')
  const screen = await page.locator('canvas.maplibregl-canvas').screenshot()
  const screenPicture = `data:image/png;base64,${screen.toString('base64')}`
  expect((await compare(page, [screenPicture, screenPicture])).light).toBeLessThan(120)

  // The button prints the same, however often it is pressed meanwhile.
  await page.evaluate(() => delete document.documentElement.dataset.printed)
  const button = page.getByRole('button', { name: 'Print this view' })
  const byButton = await capturePrintedMap(page, () =>
    button.press('Enter').then(() => button.press('Enter')),
  )
  expect((await compare(page, [byButton, fromDark])).apart).toBeLessThan(1)
  await expect.poll(() => page.locator('.map-cover, .map-printed').count(), within).toBe(0)

  // Without preparation, as from a menu, the page's own picture is printed: no copy of the live map.
  await page.evaluate(() => delete document.documentElement.dataset.printed)
  expect(await capturePrintedMap(page, () => page.evaluate(() => print()))).toBe('nothing')
  expect(complaints).toEqual([])
  await light.context.close()
  await context.close()
})
