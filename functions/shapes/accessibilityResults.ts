import * as v from 'valibot'

/** What the last automated test of hub pages found: written by `scripts/walks/frame.walk.ts`, and only by it. */
export const AccessibilityResults = v.strictObject({
  /** The day of the test. */
  testedAt: v.pipe(v.string(), v.isoDate()),
  tool: v.string(),
  browser: v.string(),
  /** The tags of the rules, as the tool calls them. */
  rules: v.array(v.string()),
  /** Paths of the pages of the sample hub, without a language. */
  pages: v.array(v.string()),
  languages: v.array(v.string()),
  themes: v.array(v.picklist(['light', 'dark'])),
  /** In pixels. */
  widths: v.array(v.number()),
  /** How many pages were opened and checked. */
  checks: v.number(),
  /** On how many of them a rule was broken. */
  faults: v.array(v.strictObject({ rule: v.string(), pages: v.number() })),
})
export type AccessibilityResults = v.InferOutput<typeof AccessibilityResults>
