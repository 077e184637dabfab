import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { asActor, asProduct } from '#functions/domain/data-type/as-product.ts'
import { emit, write } from '#functions/domain/outbox/outbox.ts'
import { setArchiveKey, setArchives } from '#functions/engine/tile/manifest.ts'
import { makeSetArchive } from '#functions/engine/tile/set-archive.ts'
import { hex, sha256 } from '#functions/platform/digest.ts'
import { sweepBelow } from '#functions/platform/bucket-sweep.ts'
import type { SetTiles } from '#functions/shapes/boundary-set.ts'
import { hasRegionField } from '#functions/domain/records/regions.ts'
import { isBuiltInSet } from '#functions/shapes/region-sets.ts'
import { escapeHtml } from '#functions/shapes/html-text.ts'
import type { Tx } from '#db/schema.ts'
import { emitDrawnBy } from './place-boundary.ts'
import { readNet } from './read-border-net.ts'
import { removeOtherArchives, publishShapes } from './set-shapes.ts'

/** Time limit in ms for starting archives in one message; the rest is done by the next one. */
const budgetMs = 20_000
/** Delay of a set after an error, in seconds. */
const waitSeconds = 300
/** Younger archives are not deleted: they are written before the set names them. */
const graceMs = 3_600_000

/** Whether tiles of a set are queued. Must run as the system actor. */
export async function areTilesDue(ctx: Context): Promise<boolean> {
  return (await findNextDue(ctx)) !== undefined
}

/**
 * Builds the tiles of public sets, set by set, until none is queued or the time limit is reached. An archive is complete
 * before anyone reads it, and is deleted at once if its set is no longer public by then. Must run as the system actor.
 */
export async function processTiles(ctx: Context): Promise<void> {
  const until = ctx.now().getTime() + budgetMs
  for (let due = await findNextDue(ctx); due; due = await findNextDue(ctx)) {
    await make(ctx, due).catch(async (error: unknown) => {
      ctx.report(error, { during: 'makeTiles', boundarySet: due?.id })
      await sql`
        update boundary_set set tiles_due_at = now() + make_interval(secs => ${waitSeconds}::float8)
        where id = ${due?.id} and tiles_due_at is not null`.execute(ctx.db)
    })
    if (ctx.now().getTime() >= until) return ctx.wake('jobs')
  }
}

/**
 * Emits that pages with insights coloured by a set are stale, of all places: public insights are on the hubs of others
 * as well. That includes insights of data types with a field that names regions of the set, and those types themselves.
 * Also the pages with the map of its place, where that is drawn by it.
 */
export async function emitColoured(
  tx: Tx,
  ctx: Context,
  set: { id: string; placeId: string },
): Promise<void> {
  await emitDrawnBy(tx, set)
  await asProduct(tx)
  const types = await tx.selectFrom('dataType').select('id').where(hasRegionField(set.id)).execute()
  for (const { id } of types)
    await emit(tx, { kind: 'dataType', placeId: null, payload: { id, listChanged: false } })
  const insights = await tx
    .selectFrom('insight')
    .select(['id', 'placeId'])
    .where((eb) =>
      eb.or([
        eb(sql<string>`visualization -> 'settings' ->> 'boundarySetId'`, '=', set.id),
        readsAnyType(types.map(({ id }) => id)),
      ]),
    )
    .where('deletedAt', 'is', null)
    .execute()
  for (const { id, placeId } of insights)
    await emit(tx, { kind: 'insight', placeId, payload: { id, listChanged: false } })
  await asActor(tx, ctx)
}

/** A condition for insights whose query reads one of the data types, directly or by a join. */
const readsAnyType = (typeIds: readonly string[]) => sql<boolean>`(
  insight.data_type_id = any(${typeIds}::text[]) or exists (
    select from jsonb_array_elements(
      case jsonb_typeof(insight.query -> 'joins') when 'array' then insight.query -> 'joins' else '[]' end) joined
    where joined ->> 'dataTypeId' = any(${typeIds}::text[]) or joined ->> 'sourceId' in (
      select source.id from source where source.data_type_id = any(${typeIds}::text[]))))`

/**
 * Deletes archives that no set names: of killed workers, and of purged sets. Returns their number. Must run as the
 * system actor.
 */
export function sweepTiles(ctx: Context, isHere: (placeId: string) => boolean = () => true): Promise<number> {
  const before = ctx.now().getTime() - graceMs
  const isKept = async ({ key, uploaded, customMetadata }: R2Object) => {
    if (uploaded.getTime() > before || !isHere(customMetadata?.placeId ?? '')) return true
    const [id = '', hash] = key.slice(setArchives().length).replace('.pmtiles', '').split('/')
    // Pages name the archives of what everyone has for longer than the list of these does.
    if (isBuiltInSet(id)) return true
    const row = await ctx.db.selectFrom('boundarySet').select('tiles').where('id', '=', id).executeTakeFirst()
    return row?.tiles?.hash === hash
  }
  return sweepBelow(ctx.tiles, setArchives(), isKept, { most: 100 })
}

interface DueSet {
  id: string
  at: string
}

async function findNextDue(ctx: Context): Promise<DueSet | undefined> {
  const { rows } = await sql<DueSet>`
    select id, tiles_due_at::text as at from boundary_set
    where tiles_due_at <= clock_timestamp() and visibility = 'public' and deleted_at is null
    order by tiles_due_at, id limit 1`.execute(ctx.db)
  return rows[0]
}

async function make(ctx: Context, { id, at }: DueSet): Promise<void> {
  const set = await ctx.db
    .selectFrom('boundarySet')
    .select(['id', 'placeId', 'edition', 'name', 'origin', 'licence', 'bounds', 'vertexCount', 'codeField'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!set) return
  const { net, areas } = await readNet(ctx, set)
  // Maps render it as HTML.
  const about = { name: id, attribution: escapeHtml(set.origin || set.name) }
  const { bytes, ...facts } = await makeSetArchive(net, areas, about)
  const tiles: SetTiles = { hash: hex(await sha256(bytes)).slice(0, 12), ...facts }
  await ctx.tiles.put(setArchiveKey(id, tiles.hash), bytes, {
    httpMetadata: { contentType: 'application/vnd.pmtiles' },
    customMetadata: { placeId: set.placeId },
  })
  const isNamed = await write(ctx, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('boundarySet')
      .set({ tiles: JSON.stringify(tiles), tilesDueAt: null })
      .where('id', '=', id)
      .where('edition', '=', set.edition)
      .where(sql`tiles_due_at::text`, '=', at)
      .where('visibility', '=', 'public')
      .where('deletedAt', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows > 0n) await emitColoured(tx, ctx, set)
    return numUpdatedRows > 0n
  })
  // The set has another file by now, or is no longer public.
  await removeOtherArchives(ctx.tiles, id, isNamed ? tiles.hash : null)
  if (isNamed) await publishShapes(ctx, set)
}
