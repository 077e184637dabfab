import * as v from 'valibot'
import { plainName } from './options.ts'
import { Time } from './returns.ts'

/** Why support staff or a super admin opens a place. It stands in the audit log of the place. */
export const NewPlaceAccess = v.strictObject({ reason: plainName(500) })
export type NewPlaceAccess = v.InferOutput<typeof NewPlaceAccess>

/** A place that is open to the session that asked, and until when. */
export const PlaceAccess = v.strictObject({
  id: v.string(),
  placeId: v.string(),
  reason: v.string(),
  openedAt: Time,
  endsAt: Time,
})
