import { endpoint } from '#functions/api/endpoint.ts'
import * as activities from '#functions/domain/activities.ts'
import { Activities, ActivityOptions } from '#functions/shapes/activity.ts'
import { Deleted } from '#functions/shapes/returns.ts'

/** What has happened in a place. */
export const activity = {
  find: endpoint({
    allow: 'activity.read',
    options: ActivityOptions,
    returns: Activities,
    run: activities.find,
  }),
  deleteById: endpoint({
    allow: 'activity.delete',
    returns: Deleted,
    summary: 'Put a line of the trail away',
    run: activities.deleteById,
  }),
}
