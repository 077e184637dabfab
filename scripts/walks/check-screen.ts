import { expect } from 'vitest'
import { findViolations } from './axe.ts'
import { measureOverflow, type Page } from './browser.ts'
import { pickCrossSection } from '#functions/v1/testing/figures.testing.ts'

/** Each of these widths in both themes. */
export const combineLooks = (widths: readonly number[]) =>
  widths.flatMap((width) => (['light', 'dark'] as const).map((scheme) => [width, scheme] as const))

/** Three widths in both themes; in a cross-section the narrowest in light and the widest in dark. */
export const looks = pickCrossSection(combineLooks([320, 768, 1280]), 5)

/**
 * Expects the screen in its present state to pass axe and not to scroll sideways, on a desk in light and on a phone in
 * dark. `name`: what is said of it in a failure. The window is 1280 pixels wide and light afterwards.
 */
export async function checkScreen(page: Page, name: string): Promise<void> {
  for (const [width, colorScheme] of [
    [320, 'dark'],
    [1280, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await page.evaluate(waitForAnimations)
    const look = `${name}, ${width} px, ${colorScheme}`
    expect.soft([look, await measureOverflow(page)]).toEqual([look, 0])
    expect.soft([look, await findViolations(page)]).toEqual([look, []])
  }
}

/**
 * Runs in the page: waits until nothing has moved for three frames. Where colours are inherited, the transition of an
 * element begins after that of its parent, so one after the other.
 */
async function waitForAnimations(): Promise<void> {
  for (let frames = 0; frames < 3; frames += 1) {
    await new Promise((done) => requestAnimationFrame(done))
    if (document.getAnimations().some(({ effect }) => effect?.getComputedTiming().endTime !== Infinity))
      frames = -1
  }
}
