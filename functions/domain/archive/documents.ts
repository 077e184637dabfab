import * as v from 'valibot'
import type { Context } from '#functions/context.ts'
import { canonical } from '#functions/domain/records/identity.ts'
import { CollectionRow } from '#functions/shapes/collection.ts'
import { contentKinds } from '#functions/shapes/content.ts'
import type { DataTypeRow } from '#functions/shapes/data-type.ts'
import { PageRow } from '#functions/shapes/page.ts'
import { PlaceRow } from '#functions/shapes/place.ts'
import type { Visibility } from '#db/schema.ts'

const Collected = v.strictObject({ id: v.string(), position: v.number(), notes: v.string() })
const Text = v.strictObject({ id: v.string(), title: v.string(), html: v.string(), position: v.number() })
/** A collection with its contents. */
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
/** Archives from before places could have their own boundary lack it. */
const ownBoundary = v.optional(PlaceRow.entries.ownBoundary, null)
/** The place itself. */
export const ArchivedPlace = v.strictObject({ ...PlaceRow.entries, ownBoundary })
/** A page with its contents in their order. */
export const ArchivedPage = v.strictObject({ ...PageRow.entries, contents: v.array(Part) })

/** Whether an official data type with this id and the same fields exists. */
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

/** The visibility after an import: public becomes place until someone has reviewed it. */
export const restrictVisibility = (visibility: Visibility): Visibility =>
  visibility === 'public' ? 'place' : visibility

/** The members of a row that a new one may have. */
export function pick(row: object, entries: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => Object.hasOwn(entries, name)))
}
