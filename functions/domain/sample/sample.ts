import type { Context } from '#functions/context.ts'
import { permit } from '#functions/domain/access/permit.ts'
import { contextWithin, type CallEndpoint } from '#functions/domain/archive/writer.ts'
import * as dataTypes from '#functions/domain/data-type/data-types.ts'
import * as insights from '#functions/domain/insight/insights.ts'
import { requirePlaceId, type NounRequest } from '#functions/domain/noun/requests.ts'
import * as observers from '#functions/domain/observer/observers.ts'
import * as pages from '#functions/domain/page/pages.ts'
import { removeRecords } from '#functions/domain/records/remove.ts'
import * as sources from '#functions/domain/source/sources.ts'
import { Failure } from '#functions/errors.ts'
import type { Sample, SampleThing } from '#functions/shapes/sample.ts'
import type { Tx } from '#db/schema.ts'
import * as parts from './parts.ts'
import { listExistingThings, planRemoval, type Removal } from './removal.ts'

type Request = Pick<NounRequest, 'placeId'>

/** What bringing in the sample does by the endpoints of `/v1`, by their names there. */
type SampleCall =
  | 'dataType.create'
  | 'place.source.create'
  | 'source.datum.create'
  | 'insight.create'
  | 'place.page.create'
  | 'place.page.content.create'

/**
 * The sample data of a place, or what they would be: what exists, and what a removal would delete and keep. Undefined:
 * there is no such place.
 */
export async function find(ctx: Context, request: Request): Promise<Sample | undefined> {
  return describe(ctx, requirePlaceId(request))
}

/**
 * Creates the sample data in a place without data: a data type, a source with its records, two insights and a page, each
 * by its endpoint as the actor, all or nothing. None of it is public. `conflict` where it exists already, or the place
 * has data of its own. Undefined: there is no such place.
 */
export async function add(
  ctx: Context,
  request: Request,
  call: CallEndpoint<SampleCall>,
): Promise<Sample | undefined> {
  const placeId = requirePlaceId(request)
  await ctx.transaction(async (tx) => {
    const within = { ...contextWithin(ctx, tx, placeId), actor: ctx.actor }
    const before = await lock(tx, placeId)
    const description = await describe(within, placeId)
    if (!before || !description) return
    const { refusal } = description
    if (refusal !== null) throw new Failure('conflict', { message: refusal })
    const things = [...(await listExistingThings(within, before)), ...(await make(within, placeId, call))]
    await store(tx, placeId, things)
  })
  ctx.wake()
  return describe(ctx, placeId)
}

/**
 * Deletes the sample data of a place, and what uses or shows nothing else; everything can be restored for 30 days, as
 * after any deletion. Data of the organization are kept: a sample source with other records keeps those and no longer
 * counts as a sample. Returns what was deleted and kept; `conflict` where there are no sample data. Undefined: there is
 * no such place.
 */
export async function remove(ctx: Context, request: Request) {
  const placeId = requirePlaceId(request)
  for (const operation of ['source.delete', 'datum.delete', 'insight.delete', 'page.delete'] as const)
    await permit(ctx, operation, { placeId }, undefined)
  const removal = await ctx.transaction(async (tx) => {
    const within = { ...contextWithin(ctx, tx, placeId), actor: ctx.actor }
    const things = await lock(tx, placeId)
    if (!things) return undefined
    const plan = await planRemoval(within, placeId, things)
    if (!plan.isPresent) throw new Failure('conflict', { message: 'There are no sample data here.' })
    if (plan.goes.some(({ noun }) => noun === 'observer'))
      await permit(ctx, 'observer.delete', { placeId }, undefined)
    await carryOut(within, placeId, plan)
    // What is kept no longer counts as a sample, and may be renamed and published.
    const staying = new Set(plan.stays.map(({ noun, id }) => `${noun} ${id}`))
    await store(
      tx,
      placeId,
      things.filter(({ noun, id }) => !staying.has(`${noun} ${id}`)),
    )
    return plan
  })
  if (!removal) return undefined
  ctx.wake()
  const { things, goes, stays } = removal
  return { things, goes, stays }
}

/** Carries out the plan of a removal, dependents first. */
async function carryOut(ctx: Context, placeId: string, { things, goes, sampleRecords }: Removal) {
  const runForEach = async (noun: string, run: (id: string) => Promise<unknown>) => {
    for (const thing of [...goes, ...things]) if (thing.noun === noun) await run(thing.id)
  }
  const request = { placeId, options: {}, data: undefined }
  await runForEach('page', (pageId) => pages.deleteById(ctx, { ...request, params: { placeId, pageId } }))
  await runForEach('observer', (observerId) =>
    observers.deleteById(ctx, { ...request, params: { placeId, observerId } }),
  )
  await runForEach('insight', (insightId) => insights.deleteById(ctx, { ...request, params: { insightId } }))
  for (const { sourceId, ids } of sampleRecords) await removeRecords(ctx, sourceId, ids)
  await runForEach('source', (sourceId) =>
    sources.deleteById(ctx, { ...request, params: { placeId, sourceId } }),
  )
  await runForEach('dataType', (dataTypeId) =>
    dataTypes.deleteById(ctx, { ...request, params: { dataTypeId } }),
  )
}

async function describe(ctx: Context, placeId: string): Promise<Sample | undefined> {
  const place = await ctx.db
    .selectFrom('place')
    .select('sample')
    .where('id', '=', placeId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!place) return undefined
  const { isPresent, things, goes, stays } = await planRemoval(ctx, placeId, place.sample ?? [])
  return {
    ...{ isPresent, refusal: isPresent ? isThere : await findRefusal(ctx, placeId) },
    ...{ about: { ...parts.about, records: parts.records.length }, things, goes, stays },
  }
}

const isThere = 'The sample data are here already.'

/** Sample data are only for places without data: elsewhere they would be in the way. */
async function findRefusal({ db }: Context, placeId: string): Promise<string | null> {
  const own = await db
    .selectFrom('source')
    .select('id')
    .where('placeId', '=', placeId)
    .where('deletedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return own ? 'This organization has data already; sample data are for one that has none.' : null
}

/** Creates everything; returns the things created. */
async function make(ctx: Context, placeId: string, call: CallEndpoint<SampleCall>): Promise<SampleThing[]> {
  const place = { placeId }
  const { id: dataTypeId } = await call(
    ctx,
    'dataType.create',
    {},
    { ...parts.dataType, ownerPlaceId: placeId },
  )
  const { id: sourceId } = await call(ctx, 'place.source.create', place, { ...parts.source, dataTypeId })
  await call(ctx, 'source.datum.create', { sourceId }, parts.records)
  const insight = async (data: object) => {
    const { id } = await call(ctx, 'insight.create', {}, { ...data, placeId, dataTypeId, sourceId })
    return id
  }
  const ids = { days: await insight(parts.insights.days), places: await insight(parts.insights.places) }
  const { id: pageId } = await call(ctx, 'place.page.create', place, parts.page)
  for (const content of parts.buildContents(ids))
    await call(ctx, 'place.page.content.create', { placeId, pageId }, content)
  return [
    { noun: 'dataType', id: dataTypeId },
    { noun: 'source', id: sourceId },
    { noun: 'insight', id: ids.days },
    { noun: 'insight', id: ids.places },
    { noun: 'page', id: pageId },
  ]
}

/** The sample data of a place, locked until the end of the transaction. Undefined: there is no such place. */
async function lock(tx: Tx, placeId: string): Promise<SampleThing[] | undefined> {
  const row = await tx
    .selectFrom('place')
    .select('sample')
    .where('id', '=', placeId)
    .forUpdate()
    .executeTakeFirst()
  return row && (row.sample ?? [])
}

async function store(tx: Tx, placeId: string, things: readonly SampleThing[]): Promise<void> {
  const sample = things.length ? JSON.stringify(things) : null
  await tx.updateTable('place').set({ sample }).where('id', '=', placeId).execute()
}
