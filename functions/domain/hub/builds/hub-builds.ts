import { sql } from 'kysely'
import type { BuildFailure, Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'

export type { BuildFailure } from '#db/schema.ts'

/** How long a pending change keeps its hub from being rendered for a new build. */
const changeMs = 120_000

/** A served hub that has pages of another build. */
export interface OldHub {
  placeId: string
  /** Its last error when it was rendered by this build; null without one. */
  failure: BuildFailure | null
}

/** Hubs that are served. */
const servedHubs = sql`hub join place on place.id = hub.place_id and place.is_hub and place.deleted_at is null
  where hub.manifest > 0`
/** Whether every page is of a build. */
const isFromBuild = (build: string) =>
  sql<boolean>`(hub.builds = array[${build}]::text[] and hub.builds_of is not distinct from hub.manifest)`

/**
 * The hub to render next for a build: one that is in progress, otherwise the one that was published longest ago. Skips
 * those in `but`, those that failed lately and those with pending changes. Must run as the system actor.
 */
export async function findNextOldHub(
  ctx: Context,
  build: string,
  but: readonly string[],
): Promise<OldHub | null> {
  const now = ctx.now()
  const since = new Date(now.getTime() - changeMs)
  const { rows } = await sql<{ placeId: string; buildFailure: BuildFailure | null }>`
    select hub.place_id, hub.build_failure from ${servedHubs}
      and not ${isFromBuild(build)}
      and hub.place_id <> all (${[...but]}::text[])
      and not coalesce(hub.build_failure ->> 'build' = ${build}
        and (hub.build_failure ->> 'nextAt')::timestamptz > ${now}, false)
      and not exists (select from outbox
        where outbox.place_id = hub.place_id and outbox.done_at is null and outbox.created_at > ${since})
    order by ${build} = any (hub.builds) desc, hub.published_at nulls first, hub.place_id limit 1`.execute(
    ctx.db,
  )
  const [row] = rows
  if (!row) return null
  const { placeId, buildFailure } = row
  return { placeId, failure: buildFailure?.build === build ? buildFailure : null }
}

/** Whether any hub has pages of another build that could be rendered now. Must run as the system actor. */
export const isAnyOld = async (ctx: Context, build: string): Promise<boolean> =>
  (await findNextOldHub(ctx, build, [])) !== null

/** The columns that are set with a published manifest: the builds of its pages; null: unknown, to be determined when needed. */
export const toBuildColumns = (manifest: number, builds: string[] | null) => ({
  builds: builds ?? [],
  buildsOf: builds && manifest,
})

/** Stores the builds of a manifest's pages, if it is still published. Must run as the system actor. */
export async function storeBuilds(
  ctx: Context,
  placeId: string,
  manifest: number,
  builds: string[] | null,
): Promise<void> {
  await ctx.db
    .updateTable('hub')
    .set(toBuildColumns(manifest, builds))
    .where('placeId', '=', placeId)
    .where('manifest', '=', manifest)
    .execute()
}

/** Stores the error of rendering a hub; null clears it. Must run as the system actor. */
export async function storeBuildFailure(
  ctx: Context,
  placeId: string,
  failure: BuildFailure | null,
): Promise<void> {
  await ctx.db
    .updateTable('hub')
    .set({ buildFailure: failure && JSON.stringify(failure) })
    .where('placeId', '=', placeId)
    .execute()
}

/**
 * The builds of all served pages, and the hubs with their manifests for which they are unknown: those were rendered
 * before builds were recorded. Must run as the system actor.
 */
export async function listServedBuilds(
  ctx: Context,
): Promise<{ builds: string[]; unknown: { placeId: string; manifest: number }[] }> {
  const { rows } = await sql<{ build: string }>`
    select distinct unnest(hub.builds) as build from ${servedHubs} and hub.builds_of = hub.manifest`.execute(
    ctx.db,
  )
  const unknown = await sql<{ placeId: string; manifest: number }>`
    select hub.place_id, hub.manifest from ${servedHubs} and hub.builds_of is distinct from hub.manifest
    order by hub.place_id`.execute(ctx.db)
  return { builds: rows.map(({ build }) => build), unknown: unknown.rows }
}

/** The progress of hubs for a build: see `Builds` in functions/shapes/internal.ts. Must run as the system actor. */
export async function hubsByBuild(db: Context['db'] | Tx, build: string) {
  const { rows } = await sql<{ build: string; hubs: number }>`
    select case when hub.builds_of is distinct from hub.manifest then ''
        else array_to_string(hub.builds, '+') end as build, count(*)::int as hubs
      from ${servedHubs} group by 1 order by hubs desc, build limit 50`.execute(db)
  const [{ total, done } = { total: 0, done: 0 }] = (
    await sql<{ total: number; done: number }>`
      select count(*)::int as total, (count(*) filter (where ${isFromBuild(build)}))::int as done from ${servedHubs}`.execute(
      db,
    )
  ).rows
  const { rows: open } = await sql<{ placeId: string; isMade: boolean; buildFailure: BuildFailure | null }>`
    select hub.place_id, coalesce(hub.lease_until > now(), false) as is_made,
        case when hub.build_failure ->> 'build' = ${build} then hub.build_failure end as build_failure
      from ${servedHubs} and not ${isFromBuild(build)} and (hub.lease_until > now() or hub.build_failure ->> 'build' = ${build})
    order by hub.place_id limit 200`.execute(db)
  return { total, done, open, byBuild: rows }
}

/** Makes failed hubs due for a retry. Returns their number. Must run as the system actor. */
export async function forgetFailures(db: Tx): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('hub')
    .set({ buildFailure: null })
    .where('buildFailure', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
