import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from './browser.ts'
import type { Window } from './engines/window.ts'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
export const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * Returns the violations of WCAG 2.2 A and AA that axe finds on the page: a line per rule, with one element.
 * Animations are finished first, because colours in transition are not final.
 */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(source)
  return page.evaluate(findBroken, rules)
}

/** Windows pass functions as source code: that of this function is the whole of axe. */
const load = Object.assign(() => {}, { toString: () => `() => {${source}}` })

/** As `findViolations`, in a window of any engine. */
export async function violationsIn(window: Window): Promise<string[]> {
  await window.evaluate(load)
  return window.evaluate(findBroken, rules)
}

/** Runs in the page. */
async function findBroken(runOnly: string[]): Promise<string[]> {
  interface Axe {
    run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
  }
  const { axe } = window as unknown as { axe: Axe }
  const ending = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
  // A paused animation never finishes.
  const enough = new Promise((resolve) => setTimeout(resolve, 2000))
  await Promise.race([Promise.allSettled(ending.map(({ finished }) => finished)), enough])
  // Only violations are described in the results; passed rules would cost time.
  const results = await axe.run({ runOnly, resultTypes: ['violations'] })
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`)
}
