import * as v from 'valibot'

/** The results of the last automated test of hub pages, written only by `scripts/walks/frame.walk.ts`. */
export const AccessibilityResults = v.strictObject({
  /** The date of the test. */
  testedAt: v.pipe(v.string(), v.isoDate()),
  tool: v.string(),
  browser: v.string(),
  /** The rule tags of the tool. */
  rules: v.array(v.string()),
  /** Paths of the tested pages of the sample hub, without a language. */
  pages: v.array(v.string()),
  languages: v.array(v.string()),
  themes: v.array(v.picklist(['light', 'dark'])),
  /** In pixels. */
  widths: v.array(v.number()),
  /** The number of page loads that were checked. */
  checks: v.number(),
  /** The violated rules, each with its number of pages. */
  faults: v.array(v.strictObject({ rule: v.string(), pages: v.number() })),
})
export type AccessibilityResults = v.InferOutput<typeof AccessibilityResults>
