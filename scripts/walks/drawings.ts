import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { ask } from './ask.ts'

/** Whether a drawing that a page refers to is a group of its file that contains marks. */
async function isDrawn(href: string, host: string): Promise<boolean> {
  const [file = '', id = ''] = href.split('#')
  const { status, headers, text } = await ask(file, { host })
  expect([href, status, headers['content-type']]).toEqual([href, 200, 'image/svg+xml'])
  expect(headers['cache-control']).toContain('immutable')
  const group = text.split(/<g id="(?=(?:wide|narrow)")/).find((each) => each.startsWith(`${id}"`))
  return /<(?:path|circle|rect|line)\b/.test(group ?? '')
}

/**
 * Checks every picture of a page as it is shown: it has a visible drawing that is wide enough, and the file
 * it refers to contains the drawing. Returns the number of pictures.
 */
export async function checkDrawings(page: Page, host: string): Promise<number> {
  const plots = page.locator('figure [data-plot]')
  const countVisibleDrawings = () =>
    plots.evaluateAll((all) =>
      all.map(
        (plot) =>
          [...plot.querySelectorAll('svg')].filter(
            (svg) => svg.getClientRects().length > 0 && svg.getBBox().width > 20,
          ).length,
      ),
    )
  // External files load after the page.
  await expect.poll(countVisibleDrawings, { message: page.url() }).not.toContain(0)
  const hrefs = await plots
    .locator('use')
    .evaluateAll((uses) => uses.map((use) => use.getAttribute('href') ?? use.getAttribute('data-href') ?? ''))
  for (const href of new Set(hrefs)) expect(await isDrawn(href, host), href).toBe(true)
  return (await countVisibleDrawings()).length
}
