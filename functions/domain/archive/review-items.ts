import type { Context } from '#functions/context.ts'
import { whereRowsVisible, type PlacedNoun } from '#functions/domain/noun/visible.ts'
import type { OwnBoundary } from '#functions/shapes/place.ts'
import { actingNouns, publicNouns, type ReviewedNoun } from '#functions/shapes/archive.ts'
import type { ImportedReport, ReviewItem, SetUse } from '#functions/shapes/import-review.ts'
import { hasJoined, setAsked, usedAreas } from './set-uses.ts'

type SwitchedOff = ImportedReport['switchedOff'][number]

/** The current state of a row: its name, whether it is as in the archive, and what its URL needs beside its id. */
interface RowState {
  id: string
  name: string
  within: string | null
  isOn(was: string, uses: SetUse | undefined): boolean
}

/**
 * Whether a state in the report was public; states are such as `public`; `published, place`; `enabled`; `hub`;
 * `using areas, public`.
 */
export const wasPublic = (was: string) => was === 'public' || was.endsWith(', public')
export const wasHub = (was: string) => was === 'hub' || was.endsWith(', hub')
export const wasPublished = (was: string) => was.startsWith('published')

const openPlacedNoun =
  (noun: Exclude<PlacedNoun, 'page' | 'insight'>) =>
  async (ctx: Context, placeId: string): Promise<RowState[]> => {
    const rows = await ctx.db
      .selectFrom(noun as 'source')
      .select(['id', 'name', 'visibility'])
      .where('placeId', '=', placeId)
      .where(whereRowsVisible(ctx, noun))
      .execute()
    return rows.map(({ id, name, visibility }) => ({
      ...{ id, name, within: null },
      isOn: () => visibility === 'public',
    }))
  }

/** The boundary and the borders that a place had, where it has no other since. */
export function boundariesLeft(
  now: { boundaryId: string | null; ownBoundary: OwnBoundary | null; allStatesBoundaryId: string | null },
  uses: SetUse | undefined,
): Pick<SetUse, 'ownBoundary' | 'allStatesBoundaryId'> {
  const { ownBoundary, allStatesBoundaryId } = uses ?? {}
  return {
    ...(ownBoundary && now.ownBoundary === null && now.boundaryId === null && { ownBoundary }),
    ...(allStatesBoundaryId !== undefined && now.allStatesBoundaryId === null && { allStatesBoundaryId }),
  }
}

const readers: Record<ReviewedNoun, (ctx: Context, placeId: string) => Promise<RowState[]>> = {
  boundarySet: openPlacedNoun('boundarySet'),
  source: openPlacedNoun('source'),
  async insight(ctx, placeId) {
    const rows = await ctx.db
      .selectFrom('insight')
      .select(['id', 'name', 'visibility', 'query'])
      .where('placeId', '=', placeId)
      .where(whereRowsVisible(ctx, 'insight'))
      .execute()
    return rows.map(({ id, name, visibility, query }) => ({
      ...{ id, name, within: null },
      isOn: (was, uses) =>
        (!wasPublic(was) || visibility === 'public') && (!uses?.within || setAsked(query) !== null),
    }))
  },
  async dataType(ctx, placeId) {
    const rows = await ctx.db
      .selectFrom('dataType')
      .select(['id', 'name', 'schema'])
      .where('ownerPlaceId', '=', placeId)
      .where('deletedAt', 'is', null)
      .execute()
    return rows.map(({ id, name, schema }) => ({
      ...{ id, name, within: null },
      isOn: (_was, uses) => hasJoined(schema, uses?.fields ?? {}),
    }))
  },
  collection: openPlacedNoun('collection'),
  async page(ctx, placeId) {
    const rows = await ctx.db
      .selectFrom('page')
      .select(['id', 'title', 'type', 'publish', 'visibility'])
      .where('placeId', '=', placeId)
      .where(whereRowsVisible(ctx, 'page'))
      .execute()
    return rows.map(({ id, title, type, publish, visibility }) => ({
      ...{ id, name: title, within: type },
      isOn: (was) =>
        (!wasPublic(was) || visibility === 'public') && (!wasPublished(was) || publish === 'published'),
    }))
  },
  async place(ctx, placeId) {
    const rows = await ctx.db
      .selectFrom('place')
      .select(['id', 'displayName', 'isHub', 'boundaryId', 'ownBoundary', 'allStatesBoundaryId'])
      .where('id', '=', placeId)
      .execute()
    return rows.map((row) => ({
      ...{ id: row.id, name: row.displayName, within: null },
      isOn: (was, uses) => (!wasHub(was) || row.isHub) && Object.keys(boundariesLeft(row, uses)).length === 0,
    }))
  },
  async importer(ctx, placeId) {
    const rows = await ctx.db
      .selectFrom('importer')
      .innerJoin('source', 'source.id', 'importer.sourceId')
      .select(['importer.id', 'importer.name', 'importer.sourceId', 'importer.enabled'])
      .where('importer.placeId', '=', placeId)
      .where('importer.deletedAt', 'is', null)
      .where(whereRowsVisible(ctx, 'source'))
      .execute()
    return rows.map(({ id, name, sourceId, enabled }) => ({
      ...{ id, name, within: sourceId },
      isOn: () => enabled,
    }))
  },
  async observer(ctx, placeId) {
    const rows = await ctx.db
      .selectFrom('observer')
      .select(['id', 'name', 'dataTypeId', 'enabled'])
      .where('placeId', '=', placeId)
      .where('deletedAt', 'is', null)
      .execute()
    return rows.map(({ id, name, dataTypeId, enabled }) => ({
      ...{ id, name, within: dataTypeId },
      isOn: () => enabled,
    }))
  },
}

/** The order of switching on: things before those that show them, the hub last. */
const switchOrder: readonly ReviewedNoun[] = [
  ...publicNouns.filter((noun) => noun !== 'place'),
  ...actingNouns,
  'place',
]

/** The things that were imported switched off, in their current state, in the order of switching on. One statement per noun. */
export async function reviewItems(
  ctx: Context,
  placeId: string,
  switchedOff: readonly SwitchedOff[],
): Promise<ReviewItem[]> {
  const nouns = switchOrder.filter((noun) => switchedOff.some((each) => each.noun === noun))
  const lists = await Promise.all(
    nouns.map(async (noun) => {
      const now = new Map((await readers[noun](ctx, placeId)).map((row) => [row.id, row]))
      return switchedOff
        .filter((each) => each.noun === noun)
        .map(({ id, was, uses }): ReviewItem => {
          const row = now.get(id)
          if (!row) return { noun, id, name: id, was, state: 'gone', within: null }
          const { name, within } = row
          return { noun, id, name, was, state: row.isOn(was, uses) ? 'on' : 'off', within }
        })
    }),
  )
  return lists.flat()
}

/** The things that have not got back, since their import, what they used of boundary sets; none in most places. */
export async function usesOff(ctx: Context, placeId: string): Promise<ReviewItem[]> {
  const row = await ctx.db
    .selectFrom('placeImport')
    .select('report')
    .where('placeId', '=', placeId)
    .executeTakeFirst()
  // Its other former states are no matter of what it used.
  const using = (row?.report.switchedOff ?? []).flatMap(({ was: _was, ...item }) =>
    item.uses ? [{ ...item, was: usedAreas }] : [],
  )
  return (await reviewItems(ctx, placeId, using)).filter(({ state }) => state === 'off')
}
