import { inject } from 'vitest'
import type { Page } from './browser.ts'

/** The address of the map of a hub. */
export const hubMap = (host: string): string => `http://${host}:${inject('port')}/map`

/** How long a map may take until it is drawn, on a busy machine. */
export const within = { timeout: 20_000 }

/** Waits until the live map of a page is there. */
export const waitForLiveMap = (page: Page): Promise<void> =>
  page.locator('figure.is-live canvas.maplibregl-canvas').waitFor(within)

/** Touches the map of a page, and waits until it is live. */
export async function touch(page: Page): Promise<void> {
  await page.locator('[data-map] [data-explore]').click()
  await waitForLiveMap(page)
}
