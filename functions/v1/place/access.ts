import { endpoint } from '#functions/api/endpoint.ts'
import * as placeAccess from '#functions/domain/identity/place-access.ts'
import { NewPlaceAccess, PlaceAccess } from '#functions/shapes/place-access.ts'
import { Counted } from '#functions/shapes/returns.ts'

/** Access of support staff or a super admin to a place, with a reason. */
export const access = {
  create: endpoint({
    allow: 'place.open',
    data: NewPlaceAccess,
    returns: PlaceAccess,
    summary: 'Open a place to the own session for an hour, by saying why: for support staff and super admins',
    run: placeAccess.create,
  }),
  leave: endpoint({
    allow: 'place.open',
    returns: Counted,
    summary: 'Leave a place that was opened with a reason',
    run: placeAccess.endAccess,
  }),
}
