import { sql } from 'kysely'
import type { Db, Tx } from '#db/schema.ts'
import { Failure } from '#functions/errors.ts'
import { emit } from '#functions/domain/outbox/outbox.ts'
import type { Context } from '#functions/context.ts'
import type { Extent } from '#functions/shapes/fields/extent.ts'
import { computeFeatureBox, splitFeature } from '#functions/engine/picture/shapes.ts'
import { isBuiltInSet } from '#functions/shapes/region-sets.ts'
import type { OwnBoundary } from '#functions/shapes/place.ts'
import { readBuiltInAreas } from '#functions/engine/picture/built-in-sets.ts'

interface BoundaryChanges {
  boundaryId?: string | null | undefined
  ownBoundary?: OwnBoundary | null | undefined
  allStatesBoundaryId?: string | null | undefined
}

/** The row of a set that a place is drawn by. */
interface DrawnBy {
  id: string
  placeId: string
}

/**
 * Rejects a boundary or borders of a place in a set that is neither shared nor a public one of its own: everyone sees a
 * place's map. Its own sets are locked until the end of the transaction. Borders in shared sets are not checked here.
 */
export async function requireOwnBoundary(
  { tx, tiles }: { tx: Tx; tiles: R2Bucket },
  placeId: string,
  changes: BoundaryChanges,
): Promise<void> {
  const { boundaryId, ownBoundary, allStatesBoundaryId } = changes
  if (ownBoundary) {
    const { boundarySetId, area } = ownBoundary
    if (boundaryId)
      throw createFailure(
        ['boundaryId'],
        boundaryId,
        'A place has one boundary: leave this out, or ownBoundary.',
        'one',
      )
    const path = ['ownBoundary', 'boundarySetId']
    if (isBuiltInSet(boundarySetId)) {
      const areas = await readBuiltInAreas(tiles, boundarySetId)
      if (areas.length > 0 && (area === null || areas.some(({ code }) => code === area)))
        return requireBorders(tx, placeId, allStatesBoundaryId)
      throw createFailure(
        ['ownBoundary', 'area'],
        area ?? '',
        'The set has no area with this code.',
        'exists',
      )
    }
    const set = await findAndLockSet(tx, placeId, boundarySetId)
    if (!set)
      throw createFailure(
        path,
        boundarySetId,
        'There is no such boundary set of this organization.',
        'exists',
      )
    requirePublic(set, path, boundarySetId)
    if (area !== null && !(await hasArea(tx, { id: boundarySetId, edition: set.edition }, area)))
      throw createFailure(['ownBoundary', 'area'], area, 'The set has no area with this code.', 'exists')
  }
  await requireBorders(tx, placeId, allStatesBoundaryId)
}

async function requireBorders(tx: Tx, placeId: string, allStatesBoundaryId: string | null | undefined) {
  if (!allStatesBoundaryId) return
  const borders = await findAndLockSet(tx, placeId, allStatesBoundaryId)
  if (borders) requirePublic(borders, ['allStatesBoundaryId'], allStatesBoundaryId)
}

/**
 * Rejects a change that hides a set, or the area of it that is the boundary of its place, while everyone sees the map of
 * the place. `path`: in the request.
 */
export async function keepsBoundary(db: Db | Tx, set: DrawnBy, path: string[]): Promise<void> {
  const place = await findPlaceUsingSet(db, set)
  if (!place) return
  const message =
    'The map of the organization is drawn by this set: choose another boundary or other borders for it first.'
  throw new Failure('conflict', { message, issues: [{ path, message, validator: 'used' }] })
}

/** Rejects an edition of a set that lacks an area which its place is drawn by. `path`: in the request. */
export async function keepsArea(tx: Tx, set: DrawnBy & { edition: number }, path: string[]): Promise<void> {
  const place = await findPlaceUsingSet(tx, set)
  const own = place?.ownBoundary
  if (!own || own.boundarySetId !== set.id || own.area === null) return
  if (await hasArea(tx, set, own.area)) return
  const message = `The boundary of the organization is the area with the code "${own.area}", which would be in the set no more: choose another boundary first.`
  throw new Failure('conflict', { message, issues: [{ path, message, validator: 'used' }] })
}

/** Emits that pages with the map of a place are stale, where it is drawn by the set. */
export async function emitDrawnBy(tx: Tx, set: DrawnBy): Promise<void> {
  if (!(await findPlaceUsingSet(tx, set))) return
  await emit(tx, { kind: 'place', placeId: set.placeId, payload: { id: set.placeId } })
}

/**
 * The boxes of the parts of a place's boundary: several, since one around islands on both sides of 180 degrees would be the
 * whole earth. Empty without a boundary, and where it is of an own set.
 */
export async function boundaryBoxes(
  { db, tiles }: Pick<Context, 'db' | 'tiles'>,
  placeId: string,
): Promise<Extent[]> {
  const place = await db
    .selectFrom('place')
    .select(['boundaryId', 'ownBoundary'])
    .where('id', '=', placeId)
    .executeTakeFirst()
  const own = place?.ownBoundary
  if (own && isBuiltInSet(own.boundarySetId)) {
    const areas = await readBuiltInAreas(tiles, own.boundarySetId)
    const boundary = areas.filter(({ code }) => own.area === null || code === own.area)
    return boundary.flatMap(({ geometry }) =>
      splitFeature({ type: 'Feature', properties: {}, geometry }).map((part) => computeFeatureBox(part)),
    )
  }
  if (!place?.boundaryId) return []
  const { rows } = await sql<{ box: Extent }>`
    select json_build_array(ST_XMin(part.geom), ST_YMin(part.geom), ST_XMax(part.geom), ST_YMax(part.geom)) as box
    from boundary, ST_Dump(area) part where id = ${place.boundaryId}`.execute(db)
  return rows.map(({ box }) => box)
}

/** The place of a set where its map is drawn by it: as its boundary, or as the borders around. */
const findPlaceUsingSet = (db: Db | Tx, { id, placeId }: DrawnBy) =>
  db
    .selectFrom('place')
    .select('ownBoundary')
    .where('id', '=', placeId)
    .where((has) =>
      has.or([
        has('allStatesBoundaryId', '=', id),
        has(sql<string>`own_boundary ->> 'boundarySetId'`, '=', id),
      ]),
    )
    .executeTakeFirst()

const findAndLockSet = (tx: Tx, placeId: string, id: string) =>
  tx
    .selectFrom('boundarySet')
    .select(['edition', 'visibility'])
    .where('id', '=', id)
    .where('placeId', '=', placeId)
    .where('deletedAt', 'is', null)
    .forShare()
    .executeTakeFirst()

async function hasArea(tx: Tx, { id, edition }: { id: string; edition: number }, code: string) {
  const area = await tx
    .selectFrom('boundarySetArea')
    .select('number')
    .where('boundarySetId', '=', id)
    .where('edition', '=', edition)
    .where('code', '=', code)
    .executeTakeFirst()
  return area !== undefined
}

function requirePublic({ visibility }: { visibility: string }, path: string[], value: string) {
  if (visibility === 'public') return
  const message = `The boundary set is ${visibility}: everyone sees the map of an organization, so make the set public first.`
  throw createFailure(path, value, message, 'public')
}

function createFailure(path: string[], value: string, message: string, validator: string): Failure {
  return new Failure('invalid', { issues: [{ path, value, message, validator }] })
}
