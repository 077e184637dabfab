import { endpoint } from '#functions/api/endpoint.ts'
import * as placeUsers from '#functions/domain/placeUsers.ts'
import { PlaceUserChanges, PlaceUserOptions } from '#functions/shapes/place.ts'

/** The people of a place and their roles there. */
export const user = {
  find: endpoint({ allow: 'placeUser.read', options: PlaceUserOptions, run: placeUsers.find }),
  updateById: endpoint({ allow: 'placeUser.update', data: PlaceUserChanges, run: placeUsers.updateById }),
  deleteById: endpoint({ allow: 'placeUser.delete', run: placeUsers.deleteById }),
}
