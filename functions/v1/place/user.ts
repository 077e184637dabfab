import { endpoint } from '#functions/api/endpoint.ts'
import * as placeUsers from '#functions/domain/place/placeUsers.ts'
import { PlaceUser, PlaceUserChanges, PlaceUserOptions, PlaceUsers } from '#functions/shapes/place.ts'
import { Deleted } from '#functions/shapes/returns.ts'

/** The people of a place and their roles there. */
export const user = {
  find: endpoint({
    allow: 'placeUser.read',
    options: PlaceUserOptions,
    returns: PlaceUsers,
    run: placeUsers.find,
  }),
  updateById: endpoint({
    allow: 'placeUser.update',
    data: PlaceUserChanges,
    returns: PlaceUser,
    run: placeUsers.updateById,
  }),
  deleteById: endpoint({ allow: 'placeUser.delete', returns: Deleted, run: placeUsers.deleteById }),
}
