import { sql, type RawBuilder } from 'kysely'
import { dataTable } from '#db/data-table.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { listSources } from '#functions/domain/insight/answers.ts'
import { analytics } from '#functions/domain/dataset/dataset.ts'
import { open, compileRows, run } from '#functions/domain/dataset/open.ts'
import type { ClaimedObserver, SeenVersions } from './claim.ts'
import type { Observation } from './evaluate.ts'

/** Most records listed in an alert. */
const maxNamed = 100

/** The part of an observer that defines what it watches. */
type WatchSubject = Pick<ClaimedObserver, 'placeId' | 'dataTypeId' | 'sourceId' | 'filters' | 'condition'>

/**
 * The result of an observation and the state it observed. `sight` null: there is nothing to compare with yet.
 */
export interface ObservationResult {
  sight: Observation | null
  seen: SeenVersions
}

/**
 * Queries what an observer watches: only sources that everyone in its place may see. The seen versions are
 * read first, so that records added meanwhile are seen again rather than missed. Throws a Failure when its
 * query is not valid (any more), or its one source is not visible to the place (any more).
 */
export async function queryObserved(
  ctx: Context,
  subject: WatchSubject & Pick<ClaimedObserver, 'seen'>,
): Promise<ObservationResult> {
  const current = await readCurrentVersions(ctx, subject)
  const { placeId, dataTypeId, filters, condition } = subject
  const scope = { placeId, dataTypeId, sourceIds: Object.keys(current), readers: 'place' as const }
  if (condition.operator === 'each') {
    if (!subject.seen) return { sight: null, seen: current }
    return {
      sight: await newIn(ctx, scope, filters, subject.seen, current),
      seen: { ...subject.seen, ...current },
    }
  }
  const aggregations = [{ alias: 'value', value: condition.aggregation }]
  const { results } = await analytics(ctx, scope, { filters, aggregations })
  return { sight: { value: results[0]?.value ?? null }, seen: current }
}

/**
 * The current state by source of what an observer watches. Ids of a source's records only grow, because its
 * writes are serialised, so records with higher ids are new.
 */
export async function readCurrentVersions(
  ctx: Context,
  subject: Omit<WatchSubject, 'filters' | 'condition'>,
): Promise<SeenVersions> {
  const { placeId, dataTypeId, sourceId } = subject
  const sources = await listSources(ctx, { placeId, dataTypeId, sourceId, visibility: 'place' })
  if (sourceId !== null && sources.length === 0)
    throw new Failure('invalid', { message: 'The source it watches is not open to all of the place.' })
  const ids = sources.map(({ id }) => id)
  const type = await ctx.db
    .selectFrom('dataType')
    .select('tableName')
    .where('id', '=', dataTypeId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!type) throw new Failure('invalid', { message: 'The data type it watches is not there any more.' })
  const newest = type.tableName ? await readNewestIds(ctx, dataTable(type.tableName), ids) : new Map()
  return Object.fromEntries(
    sources.map(({ id, dataVersion }) => [id, { version: dataVersion, last: newest.get(id) ?? '0' }]),
  )
}

async function readNewestIds(
  ctx: Context,
  table: RawBuilder<unknown>,
  ids: string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ source: string; last: string | null }>`
    select s.source, (select max(t.id) from ${table} t where t.source_id = s.source)::text as last
    from unnest(${ids}::text[]) as s(source)`.execute(ctx.db.withoutPlugins())
  return new Map(rows.flatMap(({ source, last }) => (last === null ? [] : [[source, last]])))
}

/** Matching records added between two seen states: how many, and the ids of the newest. */
async function newIn(
  ctx: Context,
  scope: Parameters<typeof open>[1],
  filters: unknown,
  before: SeenVersions,
  now: SeenVersions,
): Promise<Observation> {
  const spans = Object.entries(now).filter(([id, { last }]) => last !== (before[id]?.last ?? '0'))
  const dataset = await open(ctx, scope, { question: { filters } })
  // Compiled first, so that an invalid query is reported even where nothing is new.
  const { where } = compileRows(dataset, { filters })
  if (spans.length === 0) return { count: 0, datumIds: [] }
  const after = spans.map(([id]) => before[id]?.last ?? '0')
  const [row] = await run(
    ctx,
    dataset,
    sql<{ count: string; ids: string[] | null }>`
      with fresh as materialized (
        select t.id from ${dataset.scope.from} join unnest(
          ${spans.map(([id]) => id)}::text[], ${after}::bigint[], ${spans.map(([, { last }]) => last)}::bigint[]
        ) as span(span_source, span_after, span_last)
          on t.source_id = span.span_source and t.id > span.span_after and t.id <= span.span_last
        where ${sql.join([...dataset.scope.where, ...where], sql` and `)})
      select (select count(*) from fresh) as count,
        (select array_agg(n.id::text) from (select id from fresh order by id desc limit ${maxNamed}::int) n) as ids`,
  )
  return { count: Number(row?.count ?? 0), datumIds: row?.ids ?? [] }
}
