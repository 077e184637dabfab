import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { isAllowed, noSubject } from '#functions/domain/access/allowed.ts'
import { loadGrants } from '#functions/domain/access/grants.ts'
import type { OperationName } from '#functions/domain/access/operations.ts'
import { whereDataTypeVisible } from '#functions/domain/data-type/visibility.ts'
import { ownedBy } from '#functions/domain/file/files-stored.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { whereRowsVisible, type PlacedNoun } from '#functions/domain/noun/visible.ts'
import { maySeeAddresses } from '#functions/domain/place/place-users.ts'
import type { Context } from '#functions/context.ts'
import { containsPattern } from '#functions/shapes/like-pattern.ts'
import {
  maxFoundPerNoun,
  maxSearchedWords,
  type PlaceSearchResults,
  type PlaceSearchOptions,
  type SearchedNoun,
} from '#functions/shapes/place-search.ts'

type Part = RawBuilder<unknown>

/** A search: its place, the patterns of its words, and the text for the ranking. */
interface Search {
  ctx: Context
  placeId: string
  text: string
  patterns: string[]
}

/** The columns of a result that most nouns lack. */
interface ResultColumns {
  id?: Part
  name?: Part
  under?: Part
  visibility?: Part
  publish?: Part
  enabled?: Part
  isOwn?: Part
  /** Columns whose texts are searched besides the name. */
  texts?: Part[]
}

const none = sql`null`

/** SQL for the best rows of one noun. `from`: its tables and the condition for rows that the actor may see. */
function best({ text, patterns }: Search, noun: SearchedNoun, from: Part, columns: ResultColumns = {}): Part {
  const table = sql.ref(noun)
  const { id = sql`${table}.id`, name = sql`${table}.name`, under = none, visibility = none } = columns
  const { publish = none, enabled = none, isOwn = sql`true`, texts = [] } = columns
  const allTexts = sql`concat_ws(' ', ${sql.join([name, ...texts])})`
  return sql`(select ${noun}::text as noun, ${id}::text as id, ${name}::text as name, ${under}::text as under,
      ${visibility}::text as visibility, ${publish}::text as publish, ${enabled}::boolean as enabled,
      ${isOwn}::boolean as is_own, ${buildRank(text, patterns, name)} as rank
    from ${from} and ${allTexts} ilike all(${patterns}::text[])
    order by rank, ${name} collate natural_order, ${id} limit ${maxFoundPerNoun})`
}

/** How well a name fits: 0 is the text itself, 1 begins with it, 2 contains every word, 3 only other texts do. */
const buildRank = (text: string, patterns: string[], name: Part): RawBuilder<number> =>
  sql`case when lower(${name}) = lower(${text}) then 0
    when starts_with(lower(${name}), lower(${text})) then 1
    when ${name} ilike all(${patterns}::text[]) then 2 else 3 end`

/** The best rows of a noun that has a place and a visibility. */
function bestPlaced(search: Search, noun: PlacedNoun, columns: ResultColumns): Part {
  const table = sql.ref(noun)
  const isSeen = sql`${table}.place_id = ${search.placeId} and ${whereRowsVisible(search.ctx, noun)}`
  return best(search, noun, sql`${table} where ${isSeen}`, {
    visibility: sql`${table}.visibility`,
    ...columns,
  })
}

/** Each noun with the operation that its list requires, and the rows of that list. */
const nouns: Record<SearchedNoun, { allow: OperationName; buildRowsQuery(search: Search): Part }> = {
  source: {
    allow: 'source.read',
    buildRowsQuery: (search) => bestPlaced(search, 'source', { texts: [sql`source.id`, sql`source.notes`] }),
  },
  insight: {
    allow: 'insight.read',
    buildRowsQuery: (search) => bestPlaced(search, 'insight', { texts: [sql`insight.notes`] }),
  },
  collection: {
    allow: 'collection.read',
    buildRowsQuery: (search) => bestPlaced(search, 'collection', { texts: [sql`collection.notes`] }),
  },
  page: {
    allow: 'page.read',
    buildRowsQuery: (search) =>
      bestPlaced(search, 'page', {
        ...{ name: sql`page.title`, under: sql`page.type`, publish: sql`page.publish` },
        texts: [sql`page.description`, sql`page.author`],
      }),
  },
  boundarySet: {
    allow: 'boundarySet.read',
    buildRowsQuery: (search) =>
      bestPlaced(search, 'boundarySet', { texts: [sql`boundary_set.origin`, sql`boundary_set.notes`] }),
  },
  dataType: {
    allow: 'dataType.read',
    buildRowsQuery: (search) =>
      best(search, 'dataType', sql`data_type where ${whereDataTypeVisible(search.ctx, search.placeId)}`, {
        isOwn: sql`(data_type.owner_place_id is not distinct from ${search.placeId})`,
        texts: [sql`data_type.id`, sql`data_type.category`, sql`data_type.notes`],
      }),
  },
  importer: {
    allow: 'importer.read',
    buildRowsQuery: (search) =>
      best(
        search,
        'importer',
        sql`importer join source on source.id = importer.source_id where importer.place_id = ${search.placeId}
          and importer.deleted_at is null and ${whereRowsVisible(search.ctx, 'source')}`,
        { under: sql`importer.source_id`, enabled: sql`importer.enabled`, texts: [sql`source.name`] },
      ),
  },
  observer: {
    allow: 'observer.read',
    buildRowsQuery: (search) =>
      best(
        search,
        'observer',
        sql`observer where observer.place_id = ${search.placeId} and observer.deleted_at is null`,
        {
          ...{ under: sql`observer.data_type_id`, enabled: sql`observer.enabled` },
          texts: [sql`observer.notes`],
        },
      ),
  },
  asset: {
    allow: 'asset.read',
    buildRowsQuery: (search) =>
      best(search, 'asset', sql`asset where ${libraryFiles(search.placeId)}`, { texts: [sql`asset.alt`] }),
  },
  user: {
    allow: 'placeUser.read',
    buildRowsQuery: (search) =>
      best(
        search,
        'user',
        sql`place_user join "user" on "user".id = place_user.user_id where place_user.place_id = ${search.placeId}`,
        { texts: maySeeAddresses(search.ctx, search.placeId) ? [sql`"user".email`] : [] },
      ),
  },
  invite: {
    allow: 'invite.read',
    // Accepted and revoked invitations are not on the team's screen.
    buildRowsQuery: (search) =>
      best(
        search,
        'invite',
        sql`invite where invite.place_id = ${search.placeId} and invite.status = 'pending'`,
        { name: sql`invite.email` },
      ),
  },
}

const libraryFiles = (placeId: string): RawBuilder<SqlBool> =>
  sql`(${ownedBy({ placeId, userId: null, purpose: 'library', sourceId: null })} and asset.state = 'ready')`

/**
 * What of a place has all words of a text in its name, or in the other texts that its list searches: at most five of each
 * noun, best matches first, as far as the actor may see them. Nouns whose list the actor may not read are absent. One
 * statement for all of them.
 */
export async function findInPlace(
  ctx: Context,
  request: NounRequest<PlaceSearchOptions>,
): Promise<PlaceSearchResults> {
  const placeId = param(request, 'placeId')
  const text = request.options.search
  const words = text.split(/\s+/).slice(0, maxSearchedWords)
  const patterns = words.map(containsPattern)
  const grants = await loadGrants(ctx)
  const parts = Object.values(nouns)
    .filter(({ allow }) => isAllowed(ctx.actor, allow, { ...noSubject, placeId }, grants))
    .map(({ buildRowsQuery }) => buildRowsQuery({ ctx, placeId, text, patterns }))
  if (parts.length === 0) return { results: [] }
  const { rows } = await sql<PlaceSearchResults['results'][number]>`
    select noun, id, name, under, visibility, publish, enabled, is_own
    from (${sql.join(parts, sql` union all `)}) found
    order by rank, name collate natural_order, noun, id`.execute(ctx.db)
  return { results: rows }
}
