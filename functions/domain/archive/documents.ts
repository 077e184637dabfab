import * as v from 'valibot'
import type { Context } from '#functions/context.ts'
import { canonical } from '#functions/domain/records/identity.ts'
import { CollectionRow } from '#functions/shapes/collection.ts'
import { contentKinds } from '#functions/shapes/content.ts'
import type { DataTypeRow } from '#functions/shapes/dataType.ts'
import { PageRow } from '#functions/shapes/page.ts'
import { PlaceRow } from '#functions/shapes/place.ts'
import type { Visibility } from '#db/schema.ts'

const Collected = v.strictObject({ id: v.string(), position: v.number(), notes: v.string() })
const Text = v.strictObject({ id: v.string(), title: v.string(), html: v.string(), position: v.number() })
/** A collection with what stands in it. */
export const ArchivedCollection = v.strictObject({
  ...CollectionRow.entries,
  insights: v.array(Collected),
  texts: v.array(Text),
})
const Part = v.strictObject({
  id: v.string(),
  kind: v.picklist(contentKinds),
  settings: v.record(v.string(), v.unknown()),
  position: v.number(),
})
/** Archives made before places had boundaries of their own say nothing of one. */
const ownBoundary = v.optional(PlaceRow.entries.ownBoundary, null)
/** The place itself. */
export const ArchivedPlace = v.strictObject({ ...PlaceRow.entries, ownBoundary })
/** A page with its contents in their order. */
export const ArchivedPage = v.strictObject({ ...PageRow.entries, contents: v.array(Part) })

/** Whether there is an official data type of this id with the same fields. */
export async function isOfficial(ctx: Context, row: v.InferOutput<typeof DataTypeRow>): Promise<boolean> {
  const dataType = await ctx.db
    .selectFrom('dataType')
    .select(['schema', 'temporal'])
    .where('id', '=', row.id)
    .where('ownerPlaceId', 'is', null)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!dataType) return false
  return (
    canonical(dataType.schema) === canonical(row.schema) &&
    canonical(dataType.temporal) === canonical(row.temporal)
  )
}

/** Who may see something that arrives: what was everyone's is only the organization's until someone has looked at it. */
export const closedVisibility = (visibility: Visibility): Visibility =>
  visibility === 'public' ? 'place' : visibility

/** The members of a row that a new one may have. */
export function pick(row: object, entries: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => Object.hasOwn(entries, name)))
}
