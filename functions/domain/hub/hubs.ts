import { blockKinds, type BlockKind } from '#functions/shapes/block/index.ts'
import { toHubLanguages } from '#functions/shapes/locale.ts'
import { sql, type SqlBool } from 'kysely'
import { toBuildColumns } from './builds/hub-builds.ts'
import type { Context } from '#functions/context.ts'
import type { HubState } from '#functions/shapes/hub-state.ts'

/** The places whose hub is served, after a given one, in byte order of their ids. Must run as the system actor. */
export async function listServedHubs({ db }: Context, after: string, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('hub')
    .innerJoin('place', 'place.id', 'hub.placeId')
    .select('hub.placeId')
    .where('place.isHub', '=', true)
    .where('place.deletedAt', 'is', null)
    .where('hub.manifest', '>', 0)
    .where(sql<SqlBool>`hub.place_id collate "C" > ${after}`)
    .orderBy(sql`hub.place_id collate "C"`)
    .limit(most)
    .execute()
  return rows.map(({ placeId }) => placeId)
}

/** The state of one place; null when there is no such place. Needs the product's own identity. */
export async function hubState(ctx: Context, placeId: string): Promise<HubState | null> {
  const { db } = ctx
  const place = await db
    .selectFrom('place')
    .leftJoin('hub', 'hub.placeId', 'place.id')
    .select([
      'place.id',
      'place.isHub',
      'place.boundaryId',
      'place.ownBoundary',
      'place.languages',
      'hub.manifest',
      'hub.restoredAt',
    ])
    .select(sql<string>`(extract(epoch from clock_timestamp()) * 1000000)::bigint`.as('at'))
    .where('place.id', '=', placeId)
    .where('place.deletedAt', 'is', null)
    .executeTakeFirst()
  if (!place) return null
  const [domains, sources, insights, pages, figures] = await Promise.all([
    db
      .selectFrom('placeDomain')
      .select(['host', 'verifiedAt'])
      .where('placeId', '=', placeId)
      .orderBy('verifiedAt')
      .orderBy('host')
      .execute(),
    db
      .selectFrom('source')
      .innerJoin('dataType', 'dataType.id', 'source.dataTypeId')
      .select(['source.id', 'source.dataTypeId', 'source.dataVersion', 'source.visibility'])
      .select((eb) => eb.fn.coalesce('source.topic', 'dataType.category').as('topic'))
      .where('source.placeId', '=', placeId)
      .where('source.deletedAt', 'is', null)
      .orderBy('source.id')
      .execute(),
    db
      .selectFrom('insight')
      .select('id')
      .where('placeId', '=', placeId)
      .where('deletedAt', 'is', null)
      .where('visibility', '=', 'public')
      .orderBy('id')
      .execute(),
    db
      .selectFrom('page')
      .select(['id', 'type'])
      .where('placeId', '=', placeId)
      .where('deletedAt', 'is', null)
      .where('publish', '=', 'published')
      .where('visibility', '=', 'public')
      .orderBy('id')
      .execute(),
    listFigures(ctx, placeId),
  ])
  return {
    placeId,
    isHub: place.isHub,
    languages: toHubLanguages(place.languages),
    domains: domains.filter((row) => row.verifiedAt).map((row) => row.host),
    since: Object.fromEntries(
      domains.flatMap(({ host, verifiedAt }) =>
        verifiedAt ? [[host, Math.floor(new Date(verifiedAt).getTime() / 1000)]] : [],
      ),
    ),
    released: domains.filter((row) => !row.verifiedAt).map((row) => row.host),
    manifest: place.manifest ?? 0,
    sources: sources.map(({ visibility, ...source }) => ({ ...source, isPublic: visibility === 'public' })),
    pages,
    at: Number(place.at),
    insights: insights.map(({ id }) => id),
    figures,
    hasMap: place.boundaryId !== null || place.ownBoundary !== null,
    isRestored: place.restoredAt !== null,
  }
}

/** The public insights that published public pages of a place draw; dashboards have no page on a hub. */
function listFigures({ db }: Context, placeId: string): Promise<HubState['figures']> {
  const insightId = sql<string>`content.settings ->> 'insightId'`
  const kinds = (Object.keys(blockKinds) as BlockKind[]).filter((kind) => blockKinds[kind].drawsInsight)
  return db
    .selectFrom('content')
    .innerJoin('page', 'page.id', 'content.pageId')
    .innerJoin('insight', (join) => join.on(sql<SqlBool>`insight.id = ${insightId}`))
    .select(['content.pageId', 'insight.id as insightId'])
    .distinct()
    .where('page.placeId', '=', placeId)
    .where('page.deletedAt', 'is', null)
    .where('page.publish', '=', 'published')
    .where('page.visibility', '=', 'public')
    .where('page.type', '!=', 'dashboard')
    .where('content.kind', 'in', kinds)
    .where('insight.placeId', '=', placeId)
    .where('insight.deletedAt', 'is', null)
    .where('insight.visibility', '=', 'public')
    .orderBy('content.pageId')
    .orderBy('insight.id')
    .execute()
}

/** Allocates the number of the next manifest of a hub; never returns a number twice. */
export async function allocateManifest(ctx: Context, placeId: string): Promise<number> {
  const row = await ctx.db
    .insertInto('hub')
    .values({ placeId, allocated: 1 })
    .onConflict((conflict) =>
      conflict.column('placeId').doUpdateSet((eb) => ({ allocated: eb('hub.allocated', '+', 1) })),
    )
    .returning('allocated')
    .executeTakeFirstOrThrow()
  return row.allocated
}

/**
 * Publishes manifest `to`, whose pages are of `builds` (null: unknown), if `from` is still the published one; false when
 * it is not. For changes that only remove pages: see `HubLease`.
 */
export async function flipManifest(
  ctx: Context,
  placeId: string,
  from: number,
  to: number,
  builds: string[] | null,
): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('hub')
    .set({ ...toBuildColumns(to, builds), manifest: to, publishedAt: ctx.now() })
    .where('placeId', '=', placeId)
    .where('manifest', '=', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** The number of the manifest that is served. Needs the product's own identity. */
export async function readServedManifest(ctx: Context, placeId: string): Promise<number> {
  const row = await ctx.db
    .selectFrom('hub')
    .select('manifest')
    .where('placeId', '=', placeId)
    .executeTakeFirstOrThrow()
  return row.manifest
}

/** As `readServedManifest`; 0 of a place that is no hub (any more). */
export async function hubManifest(ctx: Pick<Context, 'db'>, placeId: string): Promise<number> {
  const row = await ctx.db
    .selectFrom('hub')
    .innerJoin('place', 'place.id', 'hub.placeId')
    .select('hub.manifest')
    .where('hub.placeId', '=', placeId)
    .where('place.isHub', '=', true)
    .where('place.deletedAt', 'is', null)
    .executeTakeFirst()
  return row?.manifest ?? 0
}
