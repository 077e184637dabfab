import { sql } from 'kysely'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { wants } from '#functions/domain/importer/jobs.ts'
import type { Context } from '#functions/context.ts'
import { csvCells, csvHead, csvLine } from '#functions/engine/export/csv.ts'
import { Download } from '#functions/shapes/download.ts'
import { bucketCount, measures, p75, rateValue, type Measure } from '#functions/shapes/speed.ts'
import type { HubUsage, HubUsageOptions, Part, Speed, TimedPart } from '#functions/shapes/usage-hub.ts'
import type { Tables } from '#db/schema.ts'

type Dimension = Tables['hubUsageDay']['dimension']

const shownDays = 30
/** The most names of a dimension that are listed; the rest is merged. */
const shownNames = 50
/** The most names with page speeds. */
const timedNames = 10
/** The name by which `functions/jobs/usage` merges all others. */
const others = '*'

/** Buckets are null where they were not summed. */
interface Sum extends Record<Measure, number[] | null> {
  dimension: Dimension
  /** Null: all the others together. */
  name: string | null
  /** For downloads the name of the source. */
  label: string | null
  views: number
  visits: number
}

/**
 * The usage of a place's hub on the last days (UTC; 30 by default): views, visits, their dimensions, and page speeds. As
 * CSV on request. Undefined: there is no such place.
 */
export async function findHubUsage(
  ctx: Context,
  request: NounRequest<HubUsageOptions>,
): Promise<HubUsage | Download | undefined> {
  const placeId = param(request, 'placeId')
  const { days: dayCount = shownDays, format } = request.options
  const [place, days, sums] = await Promise.all([
    ctx.db
      .selectFrom('place')
      .select('id')
      .where('id', '=', placeId)
      .where('deletedAt', 'is', null)
      .execute(),
    listDays(ctx, placeId, dayCount),
    listSums(ctx, placeId, dayCount),
  ])
  if (place.length === 0) return undefined
  const filterSums = (dimension: Dimension) => sums.filter((sum) => sum.dimension === dimension)
  const [all] = filterSums('all')
  const usage: HubUsage = {
    views: all?.views ?? 0,
    visits: all?.visits ?? 0,
    speed: computeSpeed(all),
    days,
    pages: filterSums('page').map(timePart),
    countries: filterSums('country').map(timePart),
    devices: filterSums('device').map(timePart),
    locales: filterSums('locale').map(part),
    referrers: filterSums('referrer').map(part),
    downloads: filterSums('download').map(({ name, label, views }) => ({
      sourceId: name,
      name: label,
      times: views,
    })),
    searches: filterSums('search').map(({ name, views }) => ({ name, times: views })),
  }
  const isCsv = format === 'csv' || (!format && wants('text/csv', ctx.request.headers.get('accept')))
  return isCsv ? new Download('text/csv; charset=utf-8', toCsv(usage), `${placeId}-hub-usage.csv`) : usage
}

const part = ({ name, views, visits }: Sum): Part => ({ name, views, visits })
const timePart = (sum: Sum): TimedPart => ({ ...part(sum), speed: computeSpeed(sum) })

function computeSpeed(sum: Sum | undefined): Speed {
  const toSpeed = (measure: Measure) => {
    const counts = sum?.[measure] ?? []
    const value = p75(measure, counts)
    if (value === null) return null
    const digits = measure === 'cls' ? 1000 : 1
    const loads = counts.reduce((all, n) => all + n, 0)
    return { p75: Math.round(value * digits) / digits, rating: rateValue(measure, value), loads }
  }
  return { lcp: toSpeed('lcp'), cls: toSpeed('cls'), inp: toSpeed('inp'), ttfb: toSpeed('ttfb') }
}

/** One statement for all days; days without views are 0. */
async function listDays(ctx: Context, placeId: string, count: number): Promise<HubUsage['days']> {
  const today = ctx.now().toISOString().slice(0, 10)
  const { rows } = await sql<HubUsage['days'][number]>`
    select to_char(d, 'YYYY-MM-DD') as day, coalesce(u.views, 0)::float8 as views, coalesce(u.visits, 0)::float8 as visits
    from generate_series(${today}::date - ${count - 1}::int, ${today}::date, interval '1 day') d
    left join hub_usage_day u on u.place_id = ${placeId} and u.dimension = 'all' and u.name = '' and u.day = d::date
    order by d`.execute(ctx.db.withoutPlugins())
  return rows
}

/**
 * Totals by dimension and name, the most viewed first and all others merged last. Sources that are not the place's, or
 * that this actor may not see, are among the others. Buckets are summed for the first names only.
 */
async function listSums(ctx: Context, placeId: string, count: number): Promise<Sum[]> {
  const today = ctx.now().toISOString().slice(0, 10)
  const isInPeriod = sql`u.place_id = ${placeId} and u.day > ${today}::date - ${count}::int and u.day <= ${today}::date`
  const { rows } = await sql<Sum>`
    with summed as (
      select u.dimension, u.name, sum(u.views) as views, sum(u.visits) as visits
      from hub_usage_day u where ${isInPeriod} group by 1, 2
    ), named as (
      select summed.*, s.name as label, summed.name <> ${others} and (dimension <> 'download' or s.id is not null) as is_named
      from summed left join source s
        on dimension = 'download' and s.id = summed.name and s.place_id = ${placeId} and s.deleted_at is null
    ), ranked as (
      select named.*, row_number() over (partition by dimension, is_named order by views desc, name) as nth from named
    ), timed as (
      select u.dimension, u.name, ${sql.join(measures.map((measure) => sql`${bucketSums(measure)} as ${sql.ref(measure)}`))}
      from hub_usage_day u join ranked r on r.dimension = u.dimension and r.name = u.name and r.is_named
      where ${isInPeriod} and r.nth <= ${timedNames} and u.dimension in ('all', 'page', 'country', 'device') group by 1, 2
    ), shown as (
      select ranked.*, is_named and nth <= ${shownNames} as is_shown from ranked
    )
    select s.dimension, case when is_shown then s.name end as name, max(case when is_shown then label end) as label,
      sum(views)::float8 as views, sum(visits)::float8 as visits,
      ${sql.join(measures.map((measure) => sql`max(${sql.ref(`t.${measure}`)}) as ${sql.ref(measure)}`))}
    from shown s left join timed t on t.dimension = s.dimension and t.name = s.name and is_shown
    group by 1, 2, is_shown order by 1, is_shown desc, min(nth)`.execute(ctx.db.withoutPlugins())
  return rows
}

/** Bucket by bucket: the database sums numbers much faster than arrays. */
function bucketSums(measure: Measure) {
  const column = sql.ref(`u.${measure}`)
  const numbers = Array.from({ length: bucketCount }, (_, i) => i + 1)
  const sums = numbers.map((nth) => sql`coalesce(sum(${column}[${nth}::int]), 0)`)
  return sql`array[${sql.join(sums)}]::float8[]`
}

const columns = ['kind', 'name', 'views', 'visits', ...measures.map((measure) => `${measure}P75`)].map(
  (key) => ({ key, head: key, type: key === 'kind' || key === 'name' ? 'text' : 'number' }),
)

/**
 * All totals as one table: the dimension (day, page, country …), its name ('*': all others), its views (number of
 * downloads and searches) and visits, and the 75th percentiles of its speed. Values that a spreadsheet would take for a
 * formula are prefixed with an apostrophe.
 */
function toCsv(usage: HubUsage): string {
  const line = (kind: string, { name, views, visits, speed }: Partial<TimedPart>) =>
    csvLine(
      csvCells(
        columns,
        {
          ...{ kind, name: name ?? '*', views, visits },
          ...Object.fromEntries(measures.map((measure) => [`${measure}P75`, speed?.[measure]?.p75])),
        },
        true,
      ),
    )
  return [
    csvLine(csvHead(columns)),
    line('all', { ...usage, name: '' }),
    ...usage.days.map(({ day, ...counts }) => line('day', { name: day, ...counts })),
    ...usage.pages.map((row) => line('page', row)),
    ...usage.referrers.map((row) => line('referrer', row)),
    ...usage.countries.map((row) => line('country', row)),
    ...usage.devices.map((row) => line('device', row)),
    ...usage.locales.map((row) => line('language', row)),
    ...usage.downloads.map(({ sourceId, times }) => line('download', { name: sourceId, views: times })),
    ...usage.searches.map(({ name, times }) => line('search', { name, views: times })),
  ].join('')
}
