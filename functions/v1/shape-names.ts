import type { GenericSchema } from 'valibot'
import * as activity from '#functions/shapes/activity.ts'
import * as alert from '#functions/shapes/alert.ts'
import * as answer from '#functions/shapes/answer.ts'
import * as archive from '#functions/shapes/archive.ts'
import * as asset from '#functions/shapes/asset.ts'
import * as attention from '#functions/shapes/attention.ts'
import * as auth from '#functions/shapes/auth.ts'
import * as boundary from '#functions/shapes/boundary.ts'
import * as boundarySet from '#functions/shapes/boundary-set.ts'
import * as collection from '#functions/shapes/collection.ts'
import * as content from '#functions/shapes/content.ts'
import * as dataPackage from '#functions/shapes/data-package.ts'
import * as dataType from '#functions/shapes/data-type.ts'
import * as datum from '#functions/shapes/datum.ts'
import * as delivery from '#functions/shapes/delivery.ts'
import * as domain from '#functions/shapes/domain.ts'
import * as fieldRow from '#functions/shapes/field-row.ts'
import * as file from '#functions/shapes/file.ts'
import * as hubStatus from '#functions/shapes/hub-status.ts'
import * as importer from '#functions/shapes/importer.ts'
import * as insight from '#functions/shapes/insight.ts'
import * as internal from '#functions/shapes/internal.ts'
import * as invite from '#functions/shapes/invite.ts'
import * as job from '#functions/shapes/job.ts'
import * as key from '#functions/shapes/key.ts'
import * as link from '#functions/shapes/link.ts'
import * as observer from '#functions/shapes/observer.ts'
import * as operation from '#functions/shapes/operation.ts'
import * as page from '#functions/shapes/page.ts'
import * as place from '#functions/shapes/place.ts'
import * as placeAccess from '#functions/shapes/place-access.ts'
import * as placeRequest from '#functions/shapes/place-request.ts'
import * as related from '#functions/shapes/related.ts'
import * as returns from '#functions/shapes/returns.ts'
import * as role from '#functions/shapes/role.ts'
import * as session from '#functions/shapes/session.ts'
import * as source from '#functions/shapes/source.ts'
import * as translation from '#functions/shapes/translation.ts'
import * as usage from '#functions/shapes/usage.ts'
import * as usageHub from '#functions/shapes/usage-hub.ts'
import * as user from '#functions/shapes/user.ts'

const rooms = [
  activity,
  alert,
  archive,
  asset,
  attention,
  delivery,
  domain,
  file,
  hubStatus,
  importer,
  internal,
  invite,
  job,
  key,
  link,
  observer,
  operation,
  role,
  session,
  translation,
  usage,
  usageHub,
  answer,
  auth,
  boundary,
  boundarySet,
  collection,
  content,
  dataPackage,
  dataType,
  datum,
  fieldRow,
  insight,
  page,
  place,
  placeAccess,
  placeRequest,
  related,
  returns,
  source,
  user,
]

/** The named schemas of the reference: the exports of the shapes' modules, by name. */
export const names: Record<string, GenericSchema> = Object.fromEntries(
  rooms.flatMap((room) =>
    Object.entries(room).filter((entry): entry is [string, GenericSchema] => isShape(entry[1])),
  ),
)

function isShape(value: unknown): value is GenericSchema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'
}
