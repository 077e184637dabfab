import * as v from 'valibot'
import { AccessibilityResults } from '#functions/shapes/accessibilityResults.ts'

const files = import.meta.glob<unknown>('./accessibility-results.json', { eager: true, import: 'default' })

/** The results on record; null where no test has left any. */
export function accessibilityResults(): AccessibilityResults | null {
  const [stored] = Object.values(files)
  return stored === undefined ? null : v.parse(AccessibilityResults, stored)
}
