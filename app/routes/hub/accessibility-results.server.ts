import * as v from 'valibot'
import { AccessibilityResults } from '#functions/shapes/accessibility-results.ts'

const files = import.meta.glob<unknown>('./accessibility-results.json', { eager: true, import: 'default' })

/** The stored results; null without any. */
export function accessibilityResults(): AccessibilityResults | null {
  const [results] = Object.values(files)
  return results === undefined ? null : v.parse(AccessibilityResults, results)
}
