import * as v from 'valibot'

/** A body of more bytes is not read. */
export const maxBeaconBytes = 1000

const milliseconds = v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(3_600_000)))

/**
 * What a page of a hub says of itself when its reader leaves it. Nothing that tells one reader from another: no id, no time,
 * no address but the page's own and the host that the reader came from.
 */
export const Beacon = v.strictObject({
  path: v.pipe(v.string(), v.regex(/^\/[^\s?#]{0,499}$/, 'Must be a path.')),
  /** The host of the page that led here; '': none is said. Absent: the reader was here already. */
  from: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9._:[\]-]{0,253}$/, 'Must be a host.'))),
  device: v.picklist(['phone', 'tablet', 'desktop']),
  lcp: milliseconds,
  cls: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1000))),
  inp: milliseconds,
  ttfb: milliseconds,
})
export type Beacon = v.InferOutput<typeof Beacon>
