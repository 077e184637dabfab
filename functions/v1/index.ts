import { assets } from './assets.ts'
import { boundary } from './boundary.ts'
import { core } from './core/index.ts'
import { dataType } from './data-type.ts'
import { openapi, swagger } from './description.ts'
import { insight } from './insight.ts'
import { internal } from './internal.ts'
import { invite } from './invite.ts'
import { operations } from './operations.ts'
import { place } from './place/index.ts'
import { placeRequest } from './place-request.ts'
import { role } from './role.ts'
import { session } from './session.ts'
import { source } from './source.ts'
import { user } from './user.ts'

/** The endpoint tree of `/v1`. Names give paths: `v1.place.source.findById` is GET /v1/places/:placeId/sources/:sourceId. */
export const v1 = {
  assets,
  'openapi.json': openapi,
  swagger,
  core,
  boundary,
  dataType,
  insight,
  internal,
  invite,
  operations,
  place,
  placeRequest,
  role,
  session,
  source,
  user,
}

export type V1 = typeof v1
