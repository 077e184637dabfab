import * as v from 'valibot'
import { Time, buildListShape } from './returns.ts'

/** Days for which a closed organization can be reopened. */
export const reopenDays = 30

/** The effects of closing a place. */
export const Closing = v.strictObject({
  /** The display name, to be typed as a confirmation. */
  name: v.string(),
  sources: v.number(),
  records: v.number(),
  pages: v.number(),
  insights: v.number(),
  importers: v.number(),
  people: v.number(),
  /** The hosts of its hub, which are never reassigned; its own is the last. */
  hosts: v.array(v.string()),
  /** Its data types that other places have records of: these stay. */
  sharedDataTypes: v.number(),
  /** Days for which it can be undone. */
  days: v.number(),
})
export type Closing = v.InferOutput<typeof Closing>

export const ClosePlace = v.strictObject({
  /** The typed name of the place. */
  name: v.pipe(v.string('Must be a text.'), v.trim(), v.maxLength(200, 'Must be at most 200 characters.')),
})
export type ClosePlace = v.InferOutput<typeof ClosePlace>

/** A closed place that can be reopened. */
export const ClosedPlace = v.strictObject({
  id: v.string(),
  name: v.string(),
  closedAt: Time,
  /** When it is deleted permanently. */
  endsAt: Time,
})
export const ClosedPlaces = buildListShape(ClosedPlace)
