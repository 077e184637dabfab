import { Client } from 'pg'
import { contextOver, kyselyOver, openAnonymousPool } from './context.ts'
import type { BenchDatabase } from './database.ts'
import { measureSearches, share } from '../crawl/search.ts'
import { takeTurns, makeReportLine, type Line } from './measure.ts'
import * as places from '#functions/domain/place/places.ts'

const words = ['spring', 'new ', 'data 77', 'zzz']

/**
 * Measures the processor time of searches in a hub's index, with and without typing errors, against the
 * limit.
 */
function benchHubSearch(): Line[] {
  const { searches, suggestions, open } = measureSearches(20)
  const about = { area: 'search', rows: 5000, unit: 'ms' as const }
  const limit = { peer: 'the limit of 20 ms', theirs: 20, most: 1 }
  return [
    makeReportLine({ ...about, work: 'a page of results, 95 of 100', ours: share(searches, 0.95), ...limit }),
    makeReportLine({ ...about, work: 'suggestions, 95 of 100', ours: share(suggestions, 0.95), ...limit }),
    makeReportLine({
      ...{ ...about, work: 'opening the index, once an isolate', ours: share(open, 0.5) },
      ...{ peer: 'the limit of 200 ms', theirs: 200, most: 1 },
    }),
  ]
}

/**
 * Finds places by a part of their name, among ten thousand, against hand-written SQL on the same rows and
 * trigram index, without row-level security.
 */
export async function benchSearch({ app, owner, hubs }: BenchDatabase): Promise<Line[]> {
  const ownerClient = new Client({ connectionString: owner.href })
  await ownerClient.connect()
  const db = kyselyOver(openAnonymousPool(app, 2))
  const lines: Line[] = []
  for (const word of words) {
    const times = await takeTurns([
      {
        name: 'ours',
        run: () =>
          places.find(contextOver(db), { params: {}, options: { search: word }, data: undefined } as never),
      },
      {
        name: 'raw',
        run: () =>
          ownerClient.query(
            `select p.*, count(*) over () as total, (select d.host from place_domain d where d.place_id = p.id
               and d.verified_at is not null order by d.verified_at, d.host limit 1) as domain from place p where deleted_at is null and (id ilike $1 or name ilike $1 or display_name ilike $1)
             order by display_name, id limit 101`,
            [`%${word}%`],
          ),
      },
    ])
    const [ours, theirs] = [times.get('ours') ?? NaN, times.get('raw') ?? NaN]
    lines.push(
      makeReportLine({
        area: 'search',
        work: `“${word}”`,
        rows: hubs,
        ours: 1000 / ours,
        peer: 'pg_trgm by hand',
        theirs: 1000 / theirs,
        unit: 'req/s',
        least: 0.7,
      }),
    )
  }
  await ownerClient.end()
  await db.destroy()
  return [...lines, ...benchHubSearch()]
}
