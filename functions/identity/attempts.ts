import { sql } from 'kysely'
import { networkOf } from '#functions/access/limitedAs.ts'
import type { Context, Settings } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Db } from '#db/schema.ts'
import { hashOf } from './keys.ts'

/** One thing that may be done only so often. `subject` null (an unknown IP): this limit is not applied. */
export interface Limit {
  name: string
  subject: string | null
  max: number
  seconds: number
}

const minute = 60
const hour = 60 * minute

/** The limits of each deed: per address, per IP and for everyone together. */
export const limits = {
  login: (ctx: Context, email: string) => [
    by('login', email, 10, 15 * minute),
    by('login-ip', networkOf(ctx.request.ip), 50, 15 * minute),
    by('login-all', 'all', 3000, minute),
  ],
  signup: (ctx: Context, email: string) => [
    by('signup', email, 5, hour),
    by('signup-ip', networkOf(ctx.request.ip), 30, hour),
    by('signup-all', 'all', 600, minute),
  ],
  letter: (ctx: Context, email: string) => [
    by('letter', email, 5, hour),
    by('letter-ip', networkOf(ctx.request.ip), 30, hour),
    by('letter-all', 'all', 600, minute),
  ],
  invite: (email: string, placeId: string) => [
    by('invite', email, 5, hour),
    by('invite-place', placeId, 200, hour),
    by('letter-all', 'all', 600, minute),
  ],
  /** Codes of a second factor. */
  factor: (ctx: Context, userId: string) => [
    by('factor', userId, 10, 15 * minute),
    by('factor-ip', networkOf(ctx.request.ip), 50, 15 * minute),
    by('factor-all', 'all', 3000, minute),
  ],
  /** One code of a person's app: once, for longer than it is good. */
  code: (userId: string, code: string) => [by('code', `${userId} ${code}`, 1, 2 * minute)],
  token: (ctx: Context) => [
    by('token-ip', networkOf(ctx.request.ip), 30, 15 * minute),
    by('token-all', 'all', 600, minute),
  ],
}

const by = (name: string, subject: string | null, max: number, seconds: number): Limit => ({
  name,
  subject,
  max,
  seconds,
})

/** Counts one try against every limit, in one statement. Throws `tooMany`, with Retry-After on the answer. */
export async function spend(ctx: Context, all: Limit[]): Promise<void> {
  const counted = await count(ctx.db, ctx.settings, all)
  const waits = counted.filter((row) => row.count > row.max).map((row) => row.wait)
  if (!waits.length) return
  ctx.responseHeaders.set('retry-after', String(Math.max(...waits, 1)))
  throw new Failure('tooMany', { say: 'Too many tries. Please wait a little and try again.' })
}

/** Takes one try back: what succeeded was no guess. */
export async function refund(ctx: Context, all: Limit[]): Promise<void> {
  const keys = await Promise.all(
    all.filter((limit) => limit.subject !== null).map((limit) => keyOf(ctx.settings, limit)),
  )
  await sql`update attempt set count = greatest(count - 1, 0) where key in (${sql.join(keys)})`.execute(
    ctx.db,
  )
}

async function count(db: Db, settings: Settings, all: Limit[]) {
  const rows = await Promise.all(
    all
      .filter((limit) => limit.subject !== null)
      .map(async (limit) => ({ ...limit, key: await keyOf(settings, limit) })),
  )
  rows.sort((a, b) => (a.key < b.key ? -1 : 1)) // one order for everyone, so two requests never wait for each other
  const values = rows.map((row) => sql`(${row.key}, 1, now() + make_interval(secs => ${row.seconds}))`)
  const { rows: counted } = await sql<{ key: string; count: number; wait: number }>`
    insert into attempt (key, count, until) values ${sql.join(values)}
    on conflict (key) do update set
      count = case when attempt.until <= now() then 1 else attempt.count + 1 end,
      until = case when attempt.until <= now() then excluded.until else attempt.until end
    returning key, count, ceil(extract(epoch from until - now()))::int as wait`.execute(db)
  const found = new Map(counted.map((row) => [row.key, row]))
  return rows.map((row) => ({
    max: row.max,
    count: found.get(row.key)?.count ?? 0,
    wait: found.get(row.key)?.wait ?? 0,
  }))
}

const keyOf = (settings: Settings, limit: Limit) =>
  hashOf(`${settings.authSecret}:${limit.name}:${limit.subject}`)
