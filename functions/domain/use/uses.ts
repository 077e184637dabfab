import { sql, type RawBuilder } from 'kysely'
import { isAllowed, noSubject } from '#functions/domain/access/allowed.ts'
import { loadGrants } from '#functions/domain/access/grants.ts'
import type { OperationName } from '#functions/domain/access/operations.ts'
import { findsAreasInSet } from '#functions/domain/boundary/named-areas.ts'
import { isCalculatedBy, hasRegionField } from '#functions/domain/records/regions.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { whereRowsVisible } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'
import {
  maxNamedUsers,
  type UsedNoun,
  type UseOptions,
  type Uses,
  type UsingNoun,
} from '#functions/shapes/use.ts'

/** A query: the things, their place, and the actor's permissions there. */
interface UseQuestion {
  ctx: Context
  ids: string[]
  placeId: string
  may(operation: OperationName): boolean
}

/** SQL for rows of `used`, `noun`, `id`, `name` and `under`, without duplicates. */
type Part = RawBuilder<unknown>

const part = (noun: UsingNoun, name: Part, under: Part, from: Part): Part =>
  sql`select distinct used.id as used, ${noun}::text as noun, ${sql.ref(`${noun}.id`)} as id, ${name}::text as name,
    ${under}::text as under from ${from}`
const none = sql`null`
const idRows = (ids: string[]) => sql`unnest(${ids}::text[]) as used(id)`

/** Insights that query a source, directly or by a join. */
const insightsOfSource = ({ ctx, ids, placeId }: UseQuestion) =>
  part(
    'insight',
    sql`insight.name`,
    none,
    sql`${idRows(ids)} join insight on insight.source_id = used.id or exists (
      select from jsonb_array_elements(case jsonb_typeof(insight.query -> 'joins') when 'array' then insight.query -> 'joins' else '[]' end) j
      where j ->> 'sourceId' = used.id)
    where insight.place_id = ${placeId} and ${whereRowsVisible(ctx, 'insight')}`,
  )

const importersOfSource = ({ ids, placeId }: UseQuestion) =>
  part(
    'importer',
    sql`importer.name`,
    sql`importer.source_id`,
    sql`${idRows(ids)} join importer on importer.source_id = used.id
    where importer.place_id = ${placeId} and importer.deleted_at is null`,
  )

const observersBy = (column: 'observer.sourceId' | 'observer.dataTypeId', { ids, placeId }: UseQuestion) =>
  part(
    'observer',
    sql`observer.name`,
    sql`observer.data_type_id`,
    sql`${idRows(ids)} join observer on ${sql.ref(column)} = used.id
    where observer.place_id = ${placeId} and observer.deleted_at is null`,
  )

const sourcesOfType = ({ ctx, ids, placeId }: UseQuestion) =>
  part(
    'source',
    sql`source.name`,
    none,
    sql`${idRows(ids)} join source on source.data_type_id = used.id
    where source.place_id = ${placeId} and ${whereRowsVisible(ctx, 'source')}`,
  )

const insightsOfType = ({ ctx, ids, placeId }: UseQuestion) =>
  part(
    'insight',
    sql`insight.name`,
    none,
    sql`${idRows(ids)} join insight on insight.data_type_id = used.id
    where insight.place_id = ${placeId} and ${whereRowsVisible(ctx, 'insight')}`,
  )

const collectionsOfInsight = ({ ctx, ids, placeId }: UseQuestion) =>
  part(
    'collection',
    sql`collection.name`,
    none,
    sql`${idRows(ids)} join collection_insight held on held.insight_id = used.id
    join collection on collection.id = held.collection_id
    where collection.place_id = ${placeId} and ${whereRowsVisible(ctx, 'collection')}`,
  )

/** Pages whose parts refer to something; each part is read once. `mentions` returns the ids in a column `id`. */
const pagesThat = (mentions: Part, { ctx, ids, placeId }: UseQuestion) =>
  part(
    'page',
    sql`page.title`,
    sql`page.type`,
    sql`(select content.page_id, named.id from content cross join lateral (${mentions}) named
      where content.place_id = ${placeId} and content.deleted_at is null) used
    join page on page.id = used.page_id
    where used.id = any(${ids}::text[]) and page.place_id = ${placeId} and ${whereRowsVisible(ctx, 'page')}`,
  )

/** Like `insightsShownBy` in SQL: drawn insights, and those that figures in a text read. */
const shownInsights = sql`select content.settings ->> 'insightId' as id union all
  select found[1] from regexp_matches(content.settings ->> 'html', '<data value="insight:([A-Za-z0-9_-]+)[?]', 'g') found`
const mappedSources = sql`select content.settings ->> 'sourceId' as id where content.kind = 'map'`
/** Addresses of files of the media library, as `mediaPath` writes them. */
const assetsIn = (json: Part) =>
  sql`select found[1] as id from regexp_matches(${json}::text, '/m/([A-Za-z0-9_-]+)/', 'g') found`

const insightsOfSet = ({ ctx, ids, placeId }: UseQuestion) =>
  part(
    'insight',
    sql`insight.name`,
    none,
    sql`${idRows(ids)} join insight on insight.visualization #>> '{settings,boundarySetId}' = used.id
    where insight.place_id = ${placeId} and ${whereRowsVisible(ctx, 'insight')}`,
  )

const usedId = sql.ref('used.id')

const importersOfSet = ({ ctx, ids, placeId }: UseQuestion) =>
  part(
    'importer',
    sql`importer.name`,
    sql`importer.source_id`,
    sql`${idRows(ids)} join importer on ${findsAreasInSet(usedId)} join source on source.id = importer.source_id
    where importer.place_id = ${placeId} and importer.deleted_at is null and ${whereRowsVisible(ctx, 'source')}`,
  )

const typesOfSet = ({ ids, placeId }: UseQuestion) =>
  sql`select distinct used.id as used, 'dataType' as noun, data_type.id, data_type.name, null::text as under
    from ${idRows(ids)} join data_type on ${isCalculatedBy(usedId)} or ${hasRegionField(usedId)}
    where data_type.owner_place_id = ${placeId} and data_type.deleted_at is null`

const hubOfAsset = ({ ids, placeId }: UseQuestion) =>
  part(
    'place',
    sql`place.display_name`,
    none,
    sql`place cross join lateral (${assetsIn(sql`place.theme`)}) used
    where place.id = ${placeId} and used.id = any(${ids}::text[])`,
  )

const partsByNoun: Record<UsedNoun, (question: UseQuestion) => (Part | false)[]> = {
  source: (question) => [
    insightsOfSource(question),
    pagesThat(mappedSources, question),
    question.may('importer.read') && importersOfSource(question),
    question.may('observer.read') && observersBy('observer.sourceId', question),
  ],
  dataType: (question) => [
    sourcesOfType(question),
    insightsOfType(question),
    question.may('observer.read') && observersBy('observer.dataTypeId', question),
  ],
  insight: (question) => [collectionsOfInsight(question), pagesThat(shownInsights, question)],
  boundarySet: (question) => [
    insightsOfSet(question),
    typesOfSet(question),
    question.may('importer.read') && importersOfSet(question),
  ],
  asset: (question) => [pagesThat(assetsIn(sql`content.settings`), question), hubOfAsset(question)],
}

/**
 * Where things of a place are used in it: for each thing and kind of user the first ten by name and their number, if the
 * actor may see them. Empty for a thing that does not exist or is of another place. One statement for all of them.
 */
export async function find(ctx: Context, request: NounRequest<UseOptions>): Promise<Uses> {
  const placeId = param(request, 'placeId')
  const { noun, ids } = request.options
  const grants = await loadGrants(ctx)
  const may = (operation: OperationName) => isAllowed(ctx.actor, operation, { ...noSubject, placeId }, grants)
  const parts = partsByNoun[noun]({ ctx, ids, placeId, may }).filter((each) => each !== false)
  const { rows } = await sql<Row>`
    select used, noun, id, name, under, total from (
      select each.*, (count(*) over of_one)::int as total,
        row_number() over (partition by used, noun order by name collate natural_order, id) as place
      from (${sql.join(parts, sql` union all `)}) each
      window of_one as (partition by used, noun)) ranked
    where place <= ${maxNamedUsers} order by used, noun, place`.execute(ctx.db)
  return { results: groupRows(rows) }
}

interface Row {
  used: string
  noun: UsingNoun
  id: string
  name: string
  under: string | null
  total: number
}

/** The rows of one thing and kind are consecutive. */
function groupRows(rows: Row[]): Uses['results'] {
  const results: Uses['results'] = []
  for (const { used, noun, total, ...user } of rows) {
    const last = results.at(-1)
    if (last?.usedId === used && last.noun === noun) last.some.push(user)
    else results.push({ usedId: used, noun, total, some: [user] })
  }
  return results
}
