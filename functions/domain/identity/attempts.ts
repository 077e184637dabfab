import { sql } from 'kysely'
import { toNetwork } from '#functions/platform/rate-limit-key.ts'
import type { Context, Settings } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Db } from '#db/schema.ts'
import { hashText } from './keys.ts'

/** A rate limit for one subject. `subject` null (unknown IP): the limit is not applied. */
interface Limit {
  name: string
  subject: string | null
  max: number
  seconds: number
}

const minute = 60
const hour = 60 * minute

/** A counter of attempts with growing delays between them. */
interface Counter {
  name: string
  subject: string
}

/**
 * The rate limits of each action: per address, per network and in total. Stored counters are keyed by the
 * quoted names, so renaming one resets it.
 */
export const limits = {
  /** Signing in with an address, per network or per browser that has signed in before. */
  signInFrom: (subject: string): Counter => ({ name: 'sign-in', subject }),
  /** Failed sign-ins with an address from unknown browsers, from anywhere. */
  failures: (email: string) => createLimit('failures', email, 100, hour),
  newDeviceEmail: (email: string) => createLimit('device-letter', email, 3, hour),
  login: (ctx: Context) => [
    createLimit('login-ip', toNetwork(ctx.request.ip), 50, 15 * minute),
    createLimit('login-all', 'all', 3000, minute),
  ],
  /** Re-entering the own password, for someone identified by a session or a link. */
  ownPassword: (ctx: Context, userId: string) => [
    createLimit('own-password', userId, 10, 15 * minute),
    createLimit('login-ip', toNetwork(ctx.request.ip), 50, 15 * minute),
  ],
  signup: (ctx: Context, email: string) => [
    createLimit('signup', email, 5, hour),
    createLimit('signup-ip', toNetwork(ctx.request.ip), 30, hour),
    createLimit('signup-all', 'all', 600, minute),
  ],
  email: (ctx: Context, email: string) => [
    createLimit('letter', email, 5, hour),
    createLimit('letter-ip', toNetwork(ctx.request.ip), 30, hour),
    createLimit('letter-all', 'all', 600, minute),
  ],
  /** Emails requested from a browser that has signed in with the address before. */
  emailFrom: (subject: string) => [createLimit('letter-from', subject, 5, hour)],
  invite: (email: string, placeId: string) => [
    createLimit('invite', email, 5, hour),
    createLimit('invite-place', placeId, 200, hour),
    createLimit('letter-all', 'all', 600, minute),
  ],
  /** Creating organizations, whether or not it succeeds: a taken id is no secret, but many tries are an enumeration. */
  placeStart: (userId: string) => [
    createLimit('place-start', userId, 30, hour),
    createLimit('place-start-all', 'all', 600, minute),
  ],
  /** Requesting an organization. */
  placeRequest: (userId: string) => [createLimit('place-request', userId, 10, 24 * hour)],
  /** Requesting to join an organization: by person and by organization. */
  joinRequest: (userId: string, placeId: string) => [
    createLimit('join-request', userId, 20, 24 * hour),
    createLimit('join-request-place', placeId, 100, 24 * hour),
  ],
  /** Attempts at a second factor. */
  factor: (ctx: Context, userId: string) => [
    createLimit('factor', userId, 10, 15 * minute),
    createLimit('factor-ip', toNetwork(ctx.request.ip), 50, 15 * minute),
    createLimit('factor-all', 'all', 3000, minute),
  ],
  /** Each code of a person's app may be used once, remembered for longer than it is valid. */
  code: (userId: string, code: string) => [createLimit('code', `${userId} ${code}`, 1, 2 * minute)],
  /** Requesting a passkey challenge, which stores a row for five minutes. */
  challenge: (ctx: Context) => [
    createLimit('challenge-ip', toNetwork(ctx.request.ip), 100, 15 * minute),
    createLimit('challenge-all', 'all', 3000, minute),
  ],
  /**
   * Going to a place's provider and coming back. Not counted per place, so that nobody can lock out the
   * others.
   */
  sso: (ctx: Context) => [
    createLimit('sso-ip', toNetwork(ctx.request.ip), 100, 15 * minute),
    createLimit('sso-all', 'all', 3000, minute),
  ],
  /**
   * Error reports of readers without an account. The day is part of the hash, so that readers cannot be recognised the
   * next day.
   */
  errorReportFrom: (ctx: Context) => {
    const network = toNetwork(ctx.request.ip) ?? 'unknown'
    const subject = `${ctx.now().toISOString().slice(0, 10)} ${network}`
    return [
      createLimit('error-report-network', subject, 10, hour),
      createLimit('error-report-network-day', subject, 40, 24 * hour),
    ]
  },
  errorReportAbout: (placeId: string, sourceId: string) => [
    createLimit('error-report-source', `${placeId} ${sourceId}`, 60, hour),
    createLimit('error-report-place', placeId, 300, hour),
  ],
  token: (ctx: Context) => [
    createLimit('token-ip', toNetwork(ctx.request.ip), 30, 15 * minute),
    createLimit('token-all', 'all', 600, minute),
  ],
}

const createLimit = (name: string, subject: string | null, max: number, seconds: number): Limit => ({
  name,
  subject,
  max,
  seconds,
})

/**
 * Counts one attempt against every limit, in one statement. Failure `tooMany`, with a Retry-After header
 * (seconds).
 */
export async function countAttempt(ctx: Context, all: Limit[]): Promise<void> {
  const counters = await count(ctx.accounts.db, ctx.settings, all)
  const waits = counters.filter((row) => row.count > row.max).map((row) => row.wait)
  if (!waits.length) return
  ctx.responseHeaders.set('retry-after', String(Math.max(...waits, 1)))
  throw new Failure('tooMany', { message: 'Too many tries. Please wait a little and try again.' })
}

/** Counts one attempt against a limit; true when the limit is exceeded. */
export async function isOver(ctx: Context, limit: Limit): Promise<boolean> {
  const counters = await count(ctx.accounts.db, ctx.settings, [limit])
  return counters.some((row) => row.count > row.max)
}

/** Attempts without delay; after that each delay is twice the one before. */
const freeTries = 5
const longestWait = 15 * minute
/** How long a counter is stored after its last attempt, in seconds. */
const memorySeconds = 24 * hour

/**
 * Counts one attempt. Failure `tooMany` with Retry-After where it comes too early: from the fifth on the next
 * has to wait 1 s, 2 s, 4 s … up to 15 minutes, counted from the one before. Rejected attempts are not
 * counted. Concurrent attempts are handled one after the other.
 */
export async function countAttemptWithBackoff(ctx: Context, counter: Counter): Promise<void> {
  const key = await hashLimit(ctx.settings, counter)
  const end = sql`clock_timestamp() + make_interval(secs => ${memorySeconds})`
  const isForgotten = sql`attempt.until <= clock_timestamp()`
  const wait = sql`least(${longestWait}::float8, power(2, least(attempt.count, 30) - ${freeTries - 1}))`
  const { rows } = await sql`
    insert into attempt (key, count, until) values (${key}, 1, ${end})
    on conflict (key) do update set
      count = case when ${isForgotten} then 1 else attempt.count + 1 end,
      until = ${end},
      next_at = case when ${isForgotten} or attempt.count + 1 < ${freeTries} then null
        else clock_timestamp() + make_interval(secs => ${wait}) end
    where attempt.next_at is null or attempt.next_at <= clock_timestamp() or ${isForgotten}
    returning key`.execute(ctx.accounts.db)
  if (rows.length > 0) return
  const { rows: waits } = await sql<{ seconds: number }>`
    select greatest(1, ceil(extract(epoch from next_at - clock_timestamp())))::int as seconds
    from attempt where key = ${key}`.execute(ctx.accounts.db)
  const seconds = waits[0]?.seconds ?? 1
  ctx.responseHeaders.set('retry-after', String(seconds))
  const time = seconds < minute ? `${seconds} s` : `${Math.ceil(seconds / minute)} min`
  throw new Failure('tooMany', {
    message: `Too many failed tries from here. Please wait ${time} and try again.`,
  })
}

/** Resets a counter after a success. */
export async function forgetTries(ctx: Context, counter: Counter): Promise<void> {
  await sql`delete from attempt where key = ${await hashLimit(ctx.settings, counter)}`.execute(
    ctx.accounts.db,
  )
}

/** Uncounts one attempt that succeeded. */
export async function refund(ctx: Context, all: Limit[]): Promise<void> {
  const keys = await Promise.all(
    all.filter((limit) => limit.subject !== null).map((limit) => hashLimit(ctx.settings, limit)),
  )
  await sql`update attempt set count = greatest(count - 1, 0) where key in (${sql.join(keys)})`.execute(
    ctx.accounts.db,
  )
}

async function count(db: Db, settings: Settings, all: Limit[]) {
  const rows = await Promise.all(
    all
      .filter((limit) => limit.subject !== null)
      .map(async (limit) => ({ ...limit, key: await hashLimit(settings, limit) })),
  )
  rows.sort((a, b) => (a.key < b.key ? -1 : 1)) // one order for everyone, so two requests never wait for each other
  const values = rows.map((row) => sql`(${row.key}, 1, now() + make_interval(secs => ${row.seconds}))`)
  const { rows: counters } = await sql<{ key: string; count: number; wait: number }>`
    insert into attempt (key, count, until) values ${sql.join(values)}
    on conflict (key) do update set
      count = case when attempt.until <= now() then 1 else attempt.count + 1 end,
      until = case when attempt.until <= now() then excluded.until else attempt.until end
    returning key, count, ceil(extract(epoch from until - now()))::int as wait`.execute(db)
  const byKey = new Map(counters.map((row) => [row.key, row]))
  return rows.map((row) => ({
    max: row.max,
    count: byKey.get(row.key)?.count ?? 0,
    wait: byKey.get(row.key)?.wait ?? 0,
  }))
}

const hashLimit = (settings: Settings, limit: Pick<Limit, 'name' | 'subject'>) =>
  hashText(`${settings.authSecret}:${limit.name}:${limit.subject}`)
