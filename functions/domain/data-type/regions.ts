import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { queueRegions } from '#functions/domain/records/regions.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { isBuiltInSet } from '#functions/shapes/region-sets.ts'
import { getOwnProperty } from '#functions/shapes/fields/plain.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import { asActor, asProduct } from './as-product.ts'

/**
 * Rejects new or changed fields of a set (that their values name, or that they are calculated by) which is neither shared
 * nor a public one of the place: records of any source of the data type are shown with it. The sets are locked until the
 * end of the transaction. Also rejects calculating a field that had values of its own, unless the change `mayReplace` them.
 */
export async function requireSets(
  tx: Tx,
  placeId: string | null,
  before: FieldSchema,
  after: FieldSchema,
  renames: Record<string, string> = {},
  mayReplace = false,
): Promise<void> {
  const origins = new Map(Object.entries(renames).map(([from, to]) => [to, from]))
  const issues: Issue[] = []
  for (const [key, { region, regionOf }] of Object.entries(after)) {
    const was = getOwnProperty(before, origins.get(key) ?? key)
    if (region !== undefined && region !== was?.region && !(await isUsable(tx, placeId, region)))
      issues.push(createUnusableSetIssue(['schema', key, 'region'], region))
    if (!regionOf || was?.regionOf?.boundarySetId === regionOf.boundarySetId) continue
    const path = ['schema', key, 'regionOf']
    if (was?.type === 'text' && !was.regionOf && !mayReplace) {
      const message = 'Only a new field can be calculated: this one has values of its own.'
      issues.push({ path, value: regionOf, message, validator: 'calculated' })
      continue
    }
    const { boundarySetId: value } = regionOf
    if (!(await isUsable(tx, placeId, value)))
      issues.push(createUnusableSetIssue([...path, 'boundarySetId'], value))
  }
  if (issues.length > 0) throw new Failure('invalid', { issues })
}

/** Whether a set is built in, or a public one of the place, which is locked until the end of the transaction. */
async function isUsable(tx: Tx, placeId: string | null, setId: string): Promise<boolean> {
  if (isBuiltInSet(setId)) return true
  const set = await tx
    .selectFrom('boundarySet')
    .select('id')
    .where('id', '=', setId)
    .where('placeId', '=', placeId)
    .where('visibility', '=', 'public')
    .where('deletedAt', 'is', null)
    .forShare()
    .executeTakeFirst()
  return set !== undefined
}

const createUnusableSetIssue = (path: Issue['path'], value: string): Issue => ({
  ...{ path, value, validator: 'exists' },
  message:
    'Must be a public boundary set of the organization that owns the data type, or one that everyone has.',
})

/**
 * Requests recalculation of the regions of all sources of a data type, or of all that use one of some sets,
 * in all places.
 */
export async function queueAllRegions(
  tx: Tx,
  ctx: Context,
  which: { dataTypeId: string } | { boundarySetIds: readonly string[] },
): Promise<void> {
  await asProduct(tx)
  await queueRegions(tx, which)
  await asActor(tx, ctx)
}

/** Queues the calculation of regions in all sources of a data type if a change of its fields affects it. */
export async function queueChangedRegions(
  tx: Tx,
  ctx: Context,
  dataTypeId: string,
  before: FieldSchema,
  after: FieldSchema,
): Promise<void> {
  const isChanged = Object.entries(after).some(
    ([key, { regionOf }]) =>
      regionOf && JSON.stringify(regionOf) !== JSON.stringify(getOwnProperty(before, key)?.regionOf),
  )
  if (!isChanged) return
  await queueAllRegions(tx, ctx, { dataTypeId })
  ctx.wake('jobs')
}
