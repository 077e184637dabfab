import * as v from 'valibot'
import { buildNameShape } from './options.ts'
import { Time } from './returns.ts'

/** The reason for which support staff or a super admin opens a place, which is logged in its audit log. */
export const NewPlaceAccess = v.strictObject({ reason: buildNameShape(500) })
export type NewPlaceAccess = v.InferOutput<typeof NewPlaceAccess>

/** A place opened in the session, and until when. */
export const PlaceAccess = v.strictObject({
  id: v.string(),
  placeId: v.string(),
  reason: v.string(),
  openedAt: Time,
  endsAt: Time,
})
