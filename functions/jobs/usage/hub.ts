import { sql } from 'kysely'
import { counter } from './counter.ts'
import { bucketCount, getBucketIndex, measures, type Measure } from '#functions/shapes/speed.ts'
import type { Db, Tables } from '#db/schema.ts'

type Dimension = Tables['hubUsageDay']['dimension']

/** All others merged, where there are more names than the limit. No name of a dimension can be equal to it. */
const others = '*'

/**
 * The most names of a dimension that a place may have on one day, until that day is compacted; the rest is counted as
 * `others`.
 */
export const maxNames: Record<Dimension, number> = {
  all: 1,
  page: 1000,
  referrer: 300,
  country: 260,
  device: 3,
  locale: 20,
  download: 500,
  search: 100,
}

interface Count extends Partial<Record<Measure, number[]>> {
  placeId: string
  /** yyyy-mm-dd, UTC. */
  day: string
  dimension: Dimension
  name: string
  views: number
  visits: number
}

const counts = counter<Count>(merge, ({ dimension, views }) =>
  dimension === 'all' || dimension === 'download' || dimension === 'search' ? views : 0,
)

function merge(total: Count, more: Count) {
  total.views += more.views
  total.visits += more.visits
  for (const measure of measures) {
    const moreBuckets = more[measure]
    const sum = total[measure]
    if (moreBuckets) total[measure] = sum ? sum.map((n, i) => n + (moreBuckets[i] ?? 0)) : moreBuckets
  }
}

const toDay = (now: Date) => now.toISOString().slice(0, 10)

function add(count: Count) {
  counts.add(`${count.placeId} ${count.day} ${count.dimension} ${count.name}`, count)
}

/** A page of a hub that was read. */
export interface View {
  placeId: string
  /** Its path without the language; '404' for an unknown one. */
  page: string
  /** Null for a page that the hub has not. */
  locale: string | null
  /** ISO 3166-1 alpha-2; 'XX': unknown. */
  country: string
  device: 'phone' | 'tablet' | 'desktop'
  /** The referring host; '': unknown. Null: the reader came from the hub itself, so no visit begins. */
  from: string | null
  /** Measured page speed, in milliseconds (`cls` without a unit). */
  speed: Partial<Record<Measure, number>>
}

/**
 * Counts a page view: once under each of its dimensions, never under a combination of them, so that no row describes one
 * reader. Touches only memory.
 */
export function countView(now: Date, { placeId, page, locale, country, device, from, speed }: View): void {
  const view = { placeId, day: toDay(now), views: 1, visits: from === null ? 0 : 1 }
  const viewWithSpeed = { ...view, ...toBuckets(speed) }
  add({ ...viewWithSpeed, dimension: 'all', name: '' })
  add({ ...viewWithSpeed, dimension: 'page', name: page })
  add({ ...viewWithSpeed, dimension: 'country', name: country })
  add({ ...viewWithSpeed, dimension: 'device', name: device })
  if (locale !== null) add({ ...view, dimension: 'locale', name: locale })
  if (from !== null) add({ ...view, dimension: 'referrer', name: from })
}

function toBuckets(speed: View['speed']): Partial<Record<Measure, number[]>> {
  const entries = measures.flatMap((measure) => {
    const value = speed[measure]
    if (value === undefined) return []
    const buckets = Array.from({ length: bucketCount }, () => 0)
    buckets[getBucketIndex(measure, value)] = 1
    return [[measure, buckets] as const]
  })
  return Object.fromEntries(entries)
}

/** Counts the download of a source's file from a hub. */
export function countDownload(now: Date, placeId: string, sourceId: string): void {
  add({ placeId, day: toDay(now), dimension: 'download', name: sourceId, views: 1, visits: 0 })
}

/** Searches without results, and how often this isolate saw each on its day. */
const searches = { day: '', times: new Map<string, number>() }
const minSearches = 3
const maxSearches = 2000

/**
 * Counts a search of a hub without results. Its text is stored only once this isolate has seen it three times in a day;
 * until then it is in memory only. Possible addresses or personal numbers are never stored.
 */
export function countEmptySearch(now: Date, placeId: string, text: string): void {
  const words = normalizeSearchText(text)
  if (words === null) return
  const day = toDay(now)
  if (searches.day !== day) Object.assign(searches, { day, times: new Map() })
  const key = `${placeId} ${words}`
  const times = (searches.times.get(key) ?? 0) + 1
  if (times === 1 && searches.times.size >= maxSearches) return
  searches.times.set(key, times)
  if (times < minSearches) return
  const views = times === minSearches ? times : 1
  add({ placeId, day, dimension: 'search', name: words, views, visits: 0 })
}

/** Lower case, without accents and punctuation, at most 80 characters; null: empty, or possibly personal data. */
function normalizeSearchText(text: string): string | null {
  if (/@|\d{3}\D?\d{3}/.test(text)) return null
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
  // By code points: Postgres rejects half of a surrogate pair, and with it the whole statement.
  return words ? [...words.join(' ')].slice(0, 80).join('').trim() : null
}

/** Whether it is time to write: ten seconds have passed since the last time, or there are 100 to write. */
export const isHubFlushDue = (now: Date): boolean => counts.isDue(now)

/**
 * Adds the counts of the given places to their days, in one statement, and returns the number of views, downloads and
 * searches. Must run as the system actor. Rejects when the database fails: the counts are kept for the next call.
 */
export const flushHubUsage = (
  db: Db,
  isHere: (placeId: string) => boolean = () => true,
  now = new Date(),
): Promise<number> =>
  counts.flush(
    (batch) => addToDays(db, batch),
    now,
    ({ placeId }) => isHere(placeId),
  )

/**
 * In the order of the key, so that two isolates that write concurrently wait for each other instead of deadlocking.
 * Names beyond the limit of a day are counted as `others`; concurrent writes may exceed it by what each of them adds.
 */
async function addToDays(db: Db, batch: Count[]): Promise<void> {
  await sql`
    with sent as (
      select u.* from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) as u ("placeId" text, day date, dimension text,
        name text, views bigint, visits bigint, lcp int[], cls int[], inp int[], ttfb int[])
      join place on place.id = u."placeId"
    ), known as (
      select sent.*, exists (select from hub_usage_day d where d.place_id = "placeId" and d.day = sent.day
        and d.dimension = sent.dimension and d.name = sent.name) as is_known from sent
    ), held as (
      select "placeId", day, dimension, (select count(*) from hub_usage_day d where d.place_id = "placeId"
        and d.day = k.day and d.dimension = k.dimension) as n from known k where not is_known group by 1, 2, 3
    ), named as (
      select k.*, case when is_known or held.n + row_number() over (partition by k."placeId", k.day, k.dimension, is_known
        order by k.views desc, k.name) <= (${JSON.stringify(maxNames)}::jsonb ->> k.dimension)::int
        then k.name else ${others} end as kept_as
      from known k left join held using ("placeId", day, dimension)
    )
    insert into hub_usage_day as d (place_id, day, dimension, name, views, visits, lcp, cls, inp, ttfb)
    select "placeId", day, dimension, kept_as, sum(views), sum(visits), sum_counts(lcp), sum_counts(cls),
      sum_counts(inp), sum_counts(ttfb)
    from named group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (place_id, day, dimension, name) do update
      set views = d.views + excluded.views, visits = d.visits + excluded.visits,
        lcp = add_counts(d.lcp, excluded.lcp), cls = add_counts(d.cls, excluded.cls),
        inp = add_counts(d.inp, excluded.inp), ttfb = add_counts(d.ttfb, excluded.ttfb)`.execute(
    db.withoutPlugins(),
  )
}
