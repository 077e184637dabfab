import { endpoint } from '#functions/api/endpoint.ts'
import * as activities from '#functions/domain/activities.ts'
import { ActivityOptions } from '#functions/shapes/activity.ts'

/** What has happened in a place. */
export const activity = {
  find: endpoint({ allow: 'activity.read', options: ActivityOptions, run: activities.find }),
}
