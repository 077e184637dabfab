import { endpoint } from '#functions/api/endpoint.ts'
import * as activities from '#functions/domain/activity/activities.ts'
import { csv } from '#functions/domain/activity/activities-csv.ts'
import {
  Activities,
  ActivityActors,
  ActivityFileOptions,
  ActivityOptions,
} from '#functions/shapes/activity.ts'
import { Deleted } from '#functions/shapes/returns.ts'

/** The audit log of a place. */
export const activity = {
  '.csv': endpoint({
    allow: 'activity.export',
    http: { method: 'get' },
    stream: true,
    heavy: true,
    media: ['text/csv'],
    options: ActivityFileOptions,
    summary: 'The newest 50,000 lines of the trail as CSV',
    run: csv,
  }),
  find: endpoint({
    allow: 'activity.read',
    options: ActivityOptions,
    returns: Activities,
    run: activities.find,
  }),
  actors: endpoint({
    allow: 'activity.read',
    http: { method: 'get' },
    returns: ActivityActors,
    summary: 'Everyone who did something in a place, also people who left it since',
    run: activities.findActors,
  }),
  deleteById: endpoint({
    allow: 'activity.delete',
    returns: Deleted,
    summary: 'Put a line of the trail away',
    run: activities.deleteById,
  }),
}
