import { sql } from 'kysely'
import { counter } from './counter.ts'
import type { Db } from '#db/schema.ts'

/** What is counted: any answered request, or the download of a file of records (which is a request as well). */
export type Kind = 'request' | 'export'

interface Count {
  placeId: string
  /** '': the place as a whole. */
  dataTypeId: string
  /** yyyy-mm-dd, UTC. */
  day: string
  requests: number
  exports: number
}

const requests = counter<Count>(
  (total, more) => {
    total.requests += more.requests
    total.exports += more.exports
  },
  ({ dataTypeId, requests }) => (dataTypeId === '' ? requests : 0),
)

/**
 * Counts one or more requests of a place, and of one of its data types (null: none). Touches only memory. Unknown names
 * are dropped when counts are written. Contains no personal data.
 */
export function countRequest(
  now: Date,
  placeId: string,
  dataTypeId: string | null,
  kind: Kind,
  times = 1,
): void {
  const day = now.toISOString().slice(0, 10)
  const counts = { requests: times, exports: kind === 'export' ? times : 0 }
  for (const name of dataTypeId === null ? [''] : ['', dataTypeId])
    requests.add(`${placeId} ${name} ${day}`, { placeId, dataTypeId: name, day, ...counts })
}

/** Whether it is time to write: ten seconds have passed since the last time, or there are 100 requests to write. */
export const isFlushDue = (now: Date): boolean => requests.isDue(now)

/**
 * Adds the counts to the days of the places, in one statement, and returns the number of requests. Must run as the
 * system actor. Rejects when the database fails: the counts are kept for the next call.
 */
export const flushUsage = (db: Db, now = new Date()): Promise<number> =>
  requests.flush((counts) => addToDays(db, counts), now)

/** In the order of the key, so that two isolates that write concurrently wait for each other instead of deadlocking. */
async function addToDays(db: Db, counts: Count[]): Promise<void> {
  const column = (name: keyof Count) => counts.map((count) => count[name])
  await sql`
    insert into usage_day as d (place_id, data_type_id, day, requests, exports)
    select u.place_id, u.data_type_id, u.day, u.requests, u.exports
    from unnest(${column('placeId')}::text[], ${column('dataTypeId')}::text[], ${column('day')}::date[],
      ${column('requests')}::bigint[], ${column('exports')}::bigint[])
      as u (place_id, data_type_id, day, requests, exports)
    join place on place.id = u.place_id
    where u.data_type_id = '' or exists (select from data_type t where t.id = u.data_type_id)
    order by u.place_id, u.data_type_id, u.day
    on conflict (place_id, data_type_id, day) do update
      set requests = d.requests + excluded.requests, exports = d.exports + excluded.exports`.execute(
    db.withoutPlugins(),
  )
}
