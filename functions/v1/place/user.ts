import { createRowReader, getReadOnlyMembers } from '../crud.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import { handOver } from '#functions/domain/place/hand-over.ts'
import * as placeUsers from '#functions/domain/place/place-users.ts'
import {
  HandOver,
  PlaceUser,
  PlaceUserChanges,
  PlaceUserOptions,
  PlaceUsers,
} from '#functions/shapes/place.ts'
import { Deleted } from '#functions/shapes/returns.ts'

/** The members of a place and their roles. */
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
    readOnly: getReadOnlyMembers(
      PlaceUser,
      PlaceUserChanges,
      createRowReader(PlaceUserOptions, placeUsers.find, 'userId'),
    ),
    returns: PlaceUser,
    run: placeUsers.updateById,
  }),
  handOver: endpoint({
    allow: 'placeUser.update',
    http: { method: 'post', one: true },
    stepUp: true,
    data: HandOver,
    returns: Deleted,
    summary:
      'Make someone of a place its administrator in one’s own place, and become something else there, or leave',
    run: handOver,
  }),
  deleteById: endpoint({ allow: 'placeUser.delete', returns: Deleted, run: placeUsers.deleteById }),
}
