import { Client } from 'pg'
import { contextOver, over, strangers } from './context.ts'
import type { Filled } from './database.ts'
import { interleaved, line, type Line } from './measure.ts'
import * as places from '#functions/domain/places.ts'

const words = ['spring', 'new ', 'data 77', 'zzz']

/** Places found by a part of their name, among ten thousand, against the same search by hand over an index of trigrams. */
export async function benchSearch({ app, owner, hubs }: Filled): Promise<Line[]> {
  const owned = new Client({ connectionString: owner.href })
  await owned.connect()
  await owned.query(`create extension if not exists pg_trgm`)
  await owned.query(
    `create table if not exists public.bench_title as select id, name, display_name from place`,
  )
  await owned.query(
    `create index if not exists bench_title_words on public.bench_title using gin ((id || ' ' || name || ' ' || display_name) gin_trgm_ops)`,
  )
  await owned.query('analyze public.bench_title')
  const db = over(strangers(app, 2))
  const lines: Line[] = []
  for (const word of words) {
    const times = await interleaved([
      {
        name: 'ours',
        run: () =>
          places.find(contextOver(db), { params: {}, options: { search: word }, data: undefined } as never),
      },
      {
        name: 'raw',
        run: () =>
          owned.query(
            `select *, count(*) over () from public.bench_title where (id || ' ' || name || ' ' || display_name) ilike $1 order by name, id limit 101`,
            [`%${word}%`],
          ),
      },
    ])
    const [ours, theirs] = [times.get('ours') ?? NaN, times.get('raw') ?? NaN]
    lines.push(
      line({
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
  await owned.end()
  await db.destroy()
  return lines
}
