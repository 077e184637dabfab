import * as v from 'valibot'
import { AccessibilityResults } from '#functions/shapes/accessibility-results.ts'

const files = import.meta.glob<unknown>('./accessibility-results.json', { eager: true, import: 'default' })

/** The stored results; null without any. */
export function accessibilityResults(): AccessibilityResults | null {
  const [stored] = Object.values(files)
  return stored === undefined ? null : v.parse(AccessibilityResults, stored)
}
