import * as v from 'valibot'

/** Larger bodies are rejected, in bytes. */
export const maxBeaconBytes = 1000

const milliseconds = v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(3_600_000)))

/**
 * Usage data of a hub page, sent when its reader leaves it. Nothing that identifies a reader: no id, no time, no URL except the page's
 * own and the host of the referrer.
 */
export const Beacon = v.strictObject({
  path: v.pipe(v.string(), v.regex(/^\/[^\s?#]{0,499}$/, 'Must be a path.')),
  /** The host of the referrer; '' if unknown. Absent for navigation within the hub. */
  from: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9._:[\]-]{0,253}$/, 'Must be a host.'))),
  device: v.picklist(['phone', 'tablet', 'desktop']),
  lcp: milliseconds,
  cls: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1000))),
  inp: milliseconds,
  ttfb: milliseconds,
})
export type Beacon = v.InferOutput<typeof Beacon>
