import { dependsOn } from '#functions/platform/cache/depends.ts'
import { sql, type SqlBool } from 'kysely'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { cleanHtml } from '#functions/domain/page/html.ts'
import { withIncludes } from '#functions/domain/noun/includes.ts'
import { emit, emitFilesStale, write } from '#functions/domain/outbox/outbox.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import { insertNamed, updateKnown, updateRow } from '#functions/domain/noun/rows.ts'
import { newRowColumns, withoutUndefined } from '#functions/domain/noun/versions.ts'
import { requireOwnBoundary } from '#functions/domain/boundary/place-boundary.ts'
import type { Context } from '#functions/context.ts'
import type { Tx } from '#db/schema.ts'
import { Failure } from '#functions/errors.ts'
import { toHubLanguages } from '#functions/shapes/locale.ts'
import { toHubSections } from '#functions/shapes/hub-section.ts'
import type { Include, ListOptions, OneOptions } from '#functions/shapes/options.ts'
import type { NewPlace, PlaceChanges } from '#functions/shapes/place.ts'

const defaultPrimaryColor = '#ec7945'

const columns = [
  'place.id',
  'place.name',
  'place.displayName',
  'place.description',
  'place.about',
  'place.publisher',
  'place.contact',
  'place.privacy',
  'place.isHub',
  'place.timeZone',
  'place.theme',
  'place.mapConfiguration',
  'place.hubSections',
  'place.languages',
  'place.boundaryId',
  'place.ownBoundary',
  'place.allStatesBoundaryId',
  'place.version',
  'place.createdAt',
  'place.updatedAt',
] as const

/** The verified custom host of a place; null without one. */
const domain = sql<string | null>`(select d.host from place_domain d
  where d.place_id = ${sql.ref('place.id')} and d.verified_at is not null order by d.verified_at, d.host limit 1)`.as(
  'domain',
)
/** A place has a map when it has a boundary to draw. */
const hasMap =
  sql<boolean>`(${sql.ref('place.boundaryId')} is not null or ${sql.ref('place.ownBoundary')} is not null)`.as(
    'hasMap',
  )

const listing = {
  table: 'place',
  order: [sortBy('displayName')],
  // By the index of names, which a condition on the columns could not use under the policy of closed places.
  whereLike: (pattern: string) =>
    sql<SqlBool>`${sql.ref('place.id')} = any ((select place_ids_like(${pattern}))::text[])`,
}

/** Places by display name. The existence of a place is public, even if its contents are not. */
export async function find(ctx: Context, { options }: NounRequest<ListOptions>) {
  dependsOn(ctx, { lists: { place: null } })
  const query = ctx.db
    .selectFrom('place')
    .select([...columns, domain, hasMap])
    .where('place.deletedAt', 'is', null)
  const page = await listRows(ctx, query, listing, options)
  return { ...page, results: await expandPlaces(ctx, page.results, options.includes) }
}

/** One place with its settings. `includes=boundary` adds its boundary with the area. */
export async function findById(ctx: Context, request: NounRequest<OneOptions>) {
  const row = await get(ctx, param(request, 'placeId'))
  return row && expandPlace(ctx, row, request.options.includes)
}

/** Creates a place. Its id is permanent and becomes the first label of its host. */
export async function create(ctx: Context, { data }: NounRequest<unknown, NewPlace>) {
  await requireBoundary(ctx, data.boundaryId)
  await write(ctx, (tx) => insertPlace(tx, ctx, data))
  const row = await get(ctx, data.id)
  return row && expandPlace(ctx, row)
}

/**
 * Inserts a place, with its audit log entry and its event. `conflict` (path `id`) where the id is or was in use: hosts
 * of deleted places are still linked to, so they are never reused.
 */
export async function insertPlace(
  tx: Tx,
  ctx: Context,
  data: NewPlace,
  createdBy = ctx.actor.user?.id ?? null,
): Promise<void> {
  const { id } = data
  const values = {
    ...withoutUndefined(toStored(data)),
    id,
    name: data.name,
    displayName: data.displayName ?? data.name,
    theme: JSON.stringify(data.theme ?? {}),
    mapConfiguration: JSON.stringify(data.mapConfiguration ?? {}),
    ...newRowColumns(ctx),
    createdBy,
  }
  const issue = { path: ['id'], value: id, message: 'There is a place with this id.' }
  const refusal = new Failure('conflict', { issues: [issue] })
  // The row of a closed one is hidden.
  const closure = tx.selectFrom('closedPlace').select('placeId').where('placeId', '=', id)
  if (await closure.executeTakeFirst()) throw refusal
  await insertNamed(tx, 'place', values, refusal)
  await recordActivity(tx, ctx, { verb: 'created', type: 'place', id, name: data.name, placeId: id })
  await emit(tx, { kind: 'place', placeId: id, payload: { id } })
}

/** Changes a place: its names, theme, time zone, boundary, and whether it is a hub. */
export async function updateById(ctx: Context, request: NounRequest<unknown, PlaceChanges>) {
  const id = param(request, 'placeId')
  const row = await updateKnown(
    ctx,
    request.data,
    () => get(ctx, id),
    async (row, changes) => {
      await requireBoundary(ctx, changes.boundaryId)
      await write(ctx, async (tx) => {
        await requireOwnBoundary({ tx, tiles: ctx.tiles }, id, changes)
        await updateRow(tx, ctx, 'place', row, toStored(changes))
        await recordActivity(tx, ctx, {
          verb: 'updated',
          type: 'place',
          id,
          name: row.displayName,
          placeId: id,
        })
        await emit(tx, { kind: 'place', placeId: id, payload: { id } })
        const isOfOtherClock = changes.timeZone !== undefined && changes.timeZone !== row.timeZone
        if (isOfOtherClock) await emitFilesStale(tx, ctx.now(), await publicSources(tx, id))
      })
    },
  )
  return row && expandPlace(ctx, row)
}

/** The sources of a place whose files depend on its time zone. */
const publicSources = (tx: Tx, placeId: string) =>
  tx
    .selectFrom('source')
    .select(['id', 'placeId'])
    .where('placeId', '=', placeId)
    .where('visibility', '=', 'public')
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .execute()

/** Validates what the schema of a new place cannot: whether its boundary exists. */
export async function check(ctx: Context, { data }: NounRequest<unknown, Partial<NewPlace>>) {
  await requireBoundary(ctx, data.boundaryId)
}

async function get(ctx: Context, id: string) {
  dependsOn(ctx, { rows: { place: [id] } })
  return ctx.db
    .selectFrom('place')
    .select([...columns, domain, hasMap])
    .where('place.id', '=', id)
    .where('place.deletedAt', 'is', null)
    .executeTakeFirst()
}

async function requireBoundary(ctx: Context, id: string | null | undefined) {
  if (id === null || id === undefined) return
  const row = await ctx.db.selectFrom('boundary').select('id').where('id', '=', id).executeTakeFirst()
  if (row) return
  throw new Failure('invalid', {
    issues: [{ path: ['boundaryId'], value: id, message: 'There is no such boundary.' }],
  })
}

/** The given settings as they are stored: HTML sanitised, JSON as text. */
function toStored({
  theme,
  mapConfiguration,
  hubSections,
  languages,
  about,
  privacy,
  boundaryId,
  ownBoundary,
  ...rest
}: Omit<PlaceChanges, 'version'>) {
  return {
    ...rest,
    // The boundary of a place is the one that was chosen last.
    boundaryId: ownBoundary ? null : boundaryId,
    ownBoundary: boundaryId ? null : ownBoundary && JSON.stringify(ownBoundary),
    theme: theme && JSON.stringify(theme),
    mapConfiguration: mapConfiguration && JSON.stringify(mapConfiguration),
    hubSections: hubSections && JSON.stringify(hubSections),
    languages: languages && JSON.stringify(languages),
    about: about === undefined ? undefined : cleanHtml(about),
    privacy: privacy === undefined ? undefined : cleanHtml(privacy),
  }
}

type Row = NonNullable<Awaited<ReturnType<typeof get>>>

const expandPlace = async (ctx: Context, row: Row, includes?: Include[]) =>
  (await expandPlaces(ctx, [row], includes))[0]

async function expandPlaces(ctx: Context, rows: Row[], includes: Include[] | undefined) {
  const whole = await withIncludes(ctx, 'place', rows, includes)
  return whole.map((row) => ({
    ...row,
    theme: { primaryColor: defaultPrimaryColor, ...row.theme } as Record<string, string>,
    hubSections: toHubSections(row.hubSections),
    languages: [...toHubLanguages(row.languages)],
  }))
}
