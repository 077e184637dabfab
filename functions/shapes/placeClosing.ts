import * as v from 'valibot'
import { Time, listOf } from './returns.ts'

/** For so many days a closed organization can be opened again. */
export const reopenDays = 30

/** What goes when a place is closed. */
export const Closing = v.strictObject({
  /** What has to be typed: the name that people see. */
  name: v.string(),
  sources: v.number(),
  records: v.number(),
  pages: v.number(),
  insights: v.number(),
  importers: v.number(),
  people: v.number(),
  /** Addresses of its hub, which nobody else is ever given; its own is the last. */
  hosts: v.array(v.string()),
  /** Data types of it that other places have records of: these stay. */
  sharedDataTypes: v.number(),
  /** For so many days it can be undone. */
  days: v.number(),
})
export type Closing = v.InferOutput<typeof Closing>

export const ClosePlace = v.strictObject({
  /** The name of the place, typed. */
  name: v.pipe(v.string('Must be a text.'), v.trim(), v.maxLength(200, 'Must be at most 200 characters.')),
})
export type ClosePlace = v.InferOutput<typeof ClosePlace>

/** A place that was closed and can be opened again. */
export const ClosedPlace = v.strictObject({
  id: v.string(),
  name: v.string(),
  closedAt: Time,
  /** From then on it is gone for good. */
  endsAt: Time,
})
export const ClosedPlaces = listOf(ClosedPlace)
