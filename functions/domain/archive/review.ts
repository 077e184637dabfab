import type { Context } from '#functions/context.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { requirePlaceId, type NounRequest } from '#functions/domain/noun/requests.ts'
import { Failure } from '#functions/errors.ts'
import { actingNouns, publicNouns, type ArchiveReport, type ReviewedNoun } from '#functions/shapes/archive.ts'
import {
  maxSwitched,
  maxListedItems,
  type ImportedReport,
  type ReviewItem,
  type SetUse,
  type SwitchedOn,
  type SwitchOn,
} from '#functions/shapes/import-review.ts'
import type { Tx } from '#db/schema.ts'
import { boundariesLeft, reviewItems, wasHub, wasPublic, wasPublished } from './review-items.ts'
import { joinFields, setAsked } from './set-uses.ts'
import { contextWithin, type CallEndpoint, type ImportCall } from './writer.ts'

/**
 * Stores the report of an import for its review, in the transaction of the import. `from`: the archived
 * place. `findUses`: what a thing used of sets, which it gets back when it is switched on.
 */
export async function storeReport(
  tx: Tx,
  ctx: Context,
  report: ArchiveReport,
  from: { id: string; name: string },
  findUses: (noun: ReviewedNoun, id: string) => SetUse | undefined,
): Promise<void> {
  const { place, leftOut, renamed, switchedOff, counts, instance, exportedAt } = report
  const importedReport: ImportedReport = {
    archive: { ...from, instance, exportedAt },
    counts,
    ...{ leftOut: leftOut.slice(0, maxListedItems), leftOutCount: leftOut.length },
    ...{ renamed: renamed.slice(0, maxListedItems), renamedCount: renamed.length },
    switchedOff: switchedOff.map(({ noun, id, was }) => {
      const uses = findUses(noun, id)
      return { noun, id, was, ...(uses && { uses }) }
    }),
  }
  await tx
    .insertInto('placeImport')
    .values({
      placeId: place.id,
      report: JSON.stringify(importedReport),
      importedBy: ctx.actor.user?.id ?? null,
      importedAt: ctx.now(),
    })
    .execute()
}

/** The report of an import and the things that are still switched off; undefined for a place that was not imported. */
export async function findReview(ctx: Context, request: Pick<NounRequest, 'placeId'>) {
  const placeId = requirePlaceId(request)
  const row = await get(ctx, placeId)
  if (!row) return undefined
  const { report, ...dates } = row
  const { switchedOff, ...about } = report
  const all = await reviewItems(ctx, placeId, switchedOff)
  const states = { off: 0, on: 0, gone: 0 }
  for (const { state } of all) states[state] += 1
  const off = all.filter(({ state }) => state === 'off')
  const countSwitchedOff = (nouns: readonly ReviewedNoun[]) =>
    off.filter(({ noun }) => nouns.includes(noun)).length
  return {
    ...{ placeId, ...dates, ...about, states },
    items: [...off, ...all.filter(({ state }) => state !== 'off')].slice(0, maxSwitched),
    off: { public: countSwitchedOff(publicNouns), acting: countSwitchedOff(actingNouns) },
  }
}

/** The size of a pending review, for those who may do it; null where there is none. */
export async function findPendingReview(ctx: Context, placeId: string) {
  const row = await get(ctx, placeId)
  if (!row || row.reviewedAt !== null) return null
  const items = await reviewItems(ctx, placeId, row.report.switchedOff)
  return { importedAt: row.importedAt, off: items.filter(({ state }) => state === 'off').length }
}

/** Marks the review of an import as done, so that nobody is reminded any more. Undefined for a place that was not imported. */
export async function finishReview(ctx: Context, request: Pick<NounRequest, 'placeId'>) {
  const placeId = requirePlaceId(request)
  const row = await get(ctx, placeId)
  if (!row) return undefined
  if (row.reviewedAt === null)
    await ctx.transaction(async (tx) => {
      await tx
        .updateTable('placeImport')
        .set({ reviewedAt: ctx.now() })
        .where('placeId', '=', placeId)
        .where('reviewedAt', 'is', null)
        .execute()
      const { name } = row.report.archive
      await recordActivity(tx, ctx, { verb: 'updated', type: 'placeImport', id: placeId, name, placeId })
    })
  return findReview(ctx, request)
}

type Request = NounRequest<unknown, SwitchOn>

/** Ends the transaction of a try. */
class OnlyTried extends Error {}

/**
 * A dry run of `switchOn`: reports what it would publish or enable, and what it would reject. Runs it and rolls it back;
 * nothing is written outside of the database and nobody is notified.
 */
export async function trySwitchOn(
  ctx: Context,
  request: Request,
  call: CallEndpoint,
): Promise<SwitchedOn | undefined> {
  const meantItems = await itemsMeant(ctx, request)
  if (!meantItems) return undefined
  const answer: SwitchedOn = { isDone: false, done: [], refused: [], left: meantItems.left }
  await ctx
    .transaction(async (tx) => {
      const within: Context = {
        ...contextWithin(ctx, tx, requirePlaceId(request)),
        // The same permissions as the caller's.
        actor: ctx.actor,
        tiles: withoutWrites(ctx.tiles),
        sendMail: async () => {},
      }
      for (const item of meantItems.items)
        await attemptItem(answer, item, () =>
          within.transaction(() => restoreItem(within, requirePlaceId(request), item, call)),
        )
      throw new OnlyTried()
    })
    .catch((error: unknown) => {
      if (!(error instanceof OnlyTried)) throw error
    })
  return answer
}

/**
 * Restores the visibility and state that things had in the archive, at most 500 at a time, each by its `/v1` endpoint as
 * the actor and with its own audit log entry. Failed ones stay off and are reported; the others are on. Undefined for a
 * place that was not imported.
 */
export async function switchOn(
  ctx: Context,
  request: Request,
  call: CallEndpoint,
): Promise<SwitchedOn | undefined> {
  const meantItems = await itemsMeant(ctx, request)
  if (!meantItems) return undefined
  const answer: SwitchedOn = { isDone: true, done: [], refused: [], left: meantItems.left }
  for (const item of meantItems.items)
    await attemptItem(answer, item, () => restoreItem(ctx, requirePlaceId(request), item, call))
  return answer
}

/** The selected things that are off. Failure `invalid` where none are selected. */
async function itemsMeant(ctx: Context, request: Request) {
  const { which, items } = request.data
  if ((which === undefined) === (items === undefined))
    throw new Failure('invalid', {
      issues: [{ path: ['which'], message: 'Needs either which or items.', validator: 'required' }],
    })
  const placeId = requirePlaceId(request)
  const row = await get(ctx, placeId)
  if (!row) return undefined
  const nouns: readonly ReviewedNoun[] = which === 'public' ? publicNouns : actingNouns
  const isMeant = (noun: ReviewedNoun, id: string) =>
    items ? items.some((each) => each.noun === noun && each.id === id) : nouns.includes(noun)
  const pickedItems = row.report.switchedOff.filter(({ noun, id }) => isMeant(noun, id))
  const uses = new Map(pickedItems.map((item) => [`${item.noun} ${item.id}`, item.uses]))
  const off = (await reviewItems(ctx, placeId, pickedItems))
    .filter(({ state }) => state === 'off')
    .map((item) => ({ ...item, uses: uses.get(`${item.noun} ${item.id}`) }))
  return { items: off.slice(0, maxSwitched), left: Math.max(0, off.length - maxSwitched) }
}

async function attemptItem(
  answer: SwitchedOn,
  { noun, id, name, was }: ReviewItem,
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run()
    answer.done.push({ noun, id, name, was })
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'broken') throw error
    const message = error.issues[0]?.message ?? error.message
    answer.refused.push({ noun, id, name, message })
  }
}

type Step = [name: ImportCall, params: Record<string, string>, data: object]
type OffItem = ReviewItem & { uses: SetUse | undefined }

/** How the state of each noun is restored: a call, and null where a row is gone. */
const steps: Record<ReviewedNoun, (item: OffItem, ctx: Context) => Step | Promise<Step | null>> = {
  boundarySet: ({ id }) => ['place.boundarySet.updateById', { boundarySetId: id }, { visibility: 'public' }],
  dataType: ({ id, uses }, ctx) => stepOfType(ctx, id, uses),
  source: ({ id }) => ['place.source.updateById', { sourceId: id }, { visibility: 'public' }],
  insight: (item, ctx) => stepOfInsight(ctx, item),
  collection: ({ id }) => ['place.collection.updateById', { collectionId: id }, { visibility: 'public' }],
  page: ({ id, was }) => [
    'place.page.updateById',
    { pageId: id },
    {
      ...(wasPublic(was) && { visibility: 'public' }),
      ...(wasPublished(was) && { publish: 'published' }),
    },
  ],
  place: (item, ctx) => stepOfPlace(ctx, item),
  importer: ({ id }) => ['source.importer.updateById', { importerId: id }, { enabled: true }],
  observer: ({ id }) => ['place.observer.updateById', { observerId: id }, { enabled: true }],
}

/** The fields of a data type use their sets again. What they were calculated to arrived as texts, which are replaced. */
async function stepOfType(ctx: Context, id: string, uses: SetUse | undefined): Promise<Step | null> {
  const row = await ctx.db
    .selectFrom('dataType')
    .select(['schema', 'version'])
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const schema = joinFields(row.schema, uses?.fields ?? {})
  return ['dataType.schema', { dataTypeId: id }, { schema, otherwise: 'null', version: row.version }]
}

/** An insight asks for its areas again, unless someone has chosen others, and is public again. */
async function stepOfInsight(ctx: Context, { id, was, uses }: OffItem): Promise<Step | null> {
  const row = await ctx.db
    .selectFrom('insight')
    .select('query')
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const isToAsk = uses?.within && setAsked(row.query) === null
  const data = {
    ...(wasPublic(was) && { visibility: 'public' }),
    ...(isToAsk && { query: { ...row.query, within: uses.within } }),
  }
  return ['insight.updateById', { insightId: id }, data]
}

/** The place has its boundary again, unless someone has chosen another, and its hub. */
async function stepOfPlace(ctx: Context, { id, was, uses }: OffItem): Promise<Step | null> {
  const row = await ctx.db
    .selectFrom('place')
    .select(['boundaryId', 'ownBoundary', 'allStatesBoundaryId'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  return ['place.updateById', {}, { ...boundariesLeft(row, uses), ...(wasHub(was) && { isHub: true }) }]
}

async function restoreItem(ctx: Context, placeId: string, item: OffItem, call: CallEndpoint): Promise<void> {
  const { noun, within } = item
  const step = await steps[noun](item, ctx)
  if (!step) throw new Failure('notFound')
  const [name, params, data] = step
  const place = name.startsWith('place.') && { placeId }
  const source = noun === 'importer' && within !== null && { sourceId: within }
  await call(ctx, name, { ...place, ...source, ...params }, { ...data })
}

async function get(ctx: Context, placeId: string) {
  return ctx.db
    .selectFrom('placeImport')
    .select(['report', 'importedBy', 'importedAt', 'reviewedAt'])
    .where('placeId', '=', placeId)
    .executeTakeFirst()
}

/** A bucket that can be read but ignores writes. */
const withoutWrites = (bucket: R2Bucket): R2Bucket =>
  new Proxy(bucket, {
    get(target, name) {
      if (name === 'put' || name === 'delete') return () => Promise.resolve(null)
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? (member.bind(target) as unknown) : member
    },
  })
