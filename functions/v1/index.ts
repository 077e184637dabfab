import { boundary } from './boundary.ts'
import { core } from './core/index.ts'
import { dataType } from './dataType.ts'
import { insight } from './insight.ts'
import { place } from './place/index.ts'
import { role } from './role.ts'
import { source } from './source.ts'
import { user } from './user.ts'

/** Everything `/v1` can do. Names give paths: `v1.place.source.findById` is GET /v1/places/:placeId/sources/:sourceId. */
export const v1 = { core, boundary, dataType, insight, place, role, source, user }

export type V1 = typeof v1
