import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { ask, hubs } from './ask.ts'
import { findViolations } from './axe.ts'
import { openBrowser, openWindow, measureOverflow, type Browser } from './browser.ts'
import { pickCrossSection } from '#functions/v1/testing/figures.testing.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const { host } = hubs.usa
const flightSource = '/domains/flight/source/us-flights'
const cited = (html: string) => /\/domains\/flight\/source\/us-flights\/versions\/\d+/.exec(html)?.[0] ?? ''

describe('the facts that make a source trustworthy', () => {
  test.each(['', '/es', '/fr', '/ar'])('its page links to its fields and its version%s', async (base) => {
    const { status, text } = await ask(base + flightSource, { host })
    expect(status).toBe(200)
    expect(text).toContain(`href="${base}${flightSource}/fields"`)
    expect(text).toContain('href="https://www.usa.gov/government-works"')
    const permanent = cited(text)
    expect(permanent).not.toBe('')
    const version = await ask(base + permanent, { host })
    expect(version.status).toBe(200)
    expect(version.text).toMatch(/<code>[0-9a-f]{64}<\/code>/)
    const csv = /href="(\/e\/us-flights\/[^"]+\/data\.csv)"/.exec(version.text)?.[1] ?? ''
    expect((await ask(csv, { host })).status).toBe(200)
    expect(
      (await ask(base + flightSource + '/fields', { host })).text.match(/id="field-/g)?.length,
    ).toBeGreaterThan(3)
  })

  test('an unpublished version does not exist, and its page is styled', async () => {
    const { status, text } = await ask(`${flightSource}/versions/999999`, { host })
    expect(status).toBe(404)
    expect(text).toContain('There is no version 999999')
  })

  test.each(
    pickCrossSection(
      [
        ['dark', 320],
        ['light', 1280],
      ] as const,
      2,
    ),
  )('has no WCAG violations, in %s at %d pixels', async (scheme, width) => {
    const { page, context } = await openWindow(browser, { width, scheme })
    const permanent = cited((await ask(flightSource, { host })).text)
    for (const path of [
      flightSource,
      `${flightSource}/fields`,
      `/ar${flightSource}/fields`,
      permanent,
      `/ar${permanent}`,
    ]) {
      await page.goto(`http://${host}:${inject('port')}${path}`)
      for (const details of await page.locator('details').all())
        await details.evaluate((it) => it.setAttribute('open', ''))
      expect(await findViolations(page), path).toEqual([])
      expect(await measureOverflow(page), path).toBe(0)
    }
    await context.close()
  })
})
