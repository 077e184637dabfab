import { sql } from 'kysely'
import { Stale, Stopped } from './errors.ts'
import type { JobCounts } from '#functions/shapes/jobStatus.ts'
import { atStart, type JobCursor, type JobKind, type Plan } from './cursor.ts'
import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'

/** How long a run is its worker's without a sign of life. */
const leaseSeconds = 60
const beatMs = 10_000

/** Who started a run: a person at the screen, the clock, a key. */
export type JobTrigger = 'manual' | 'schedule' | 'api'

/** A run as the one who has taken it up knows it. */
export interface Claimed {
  id: string
  importerId: string
  sourceId: string
  placeId: string
  status: 'running' | 'stopping'
  trigger: JobTrigger
  kind: JobKind
  /** Of a roll back: the run that it takes back; else null. */
  undoes: string | null
  /** Of a dry run that is committed: the version of the source's data that it was compared with; else null. */
  comparedWith: number | null
  /** Who holds an older one can change nothing. */
  fence: number
  attempts: number
  counts: JobCounts
  cursor: JobCursor
  /** Null: its importer is gone. */
  plan: Plan | null
  /** Seconds since it began, by the clock of the database. */
  age: number
}

/** How many runs of a place go on at once: as many as `job.slot` has values. */
const slots = 2

const lease = sql`now() + make_interval(secs => ${leaseSeconds}::float8)`

/** The first slot of its place that no run has; null: all are taken. Of the row of `job` that is called `j`. */
const freeSlot = sql`(
  select min(s.n) from generate_series(1, ${slots}::int) as s (n) where not exists (
    select from job o where o.place_id = j.place_id and o.slot = s.n and o.status in ('running', 'stopping')))`

/**
 * Places with runs that have not ended: whether another may begin there, and when one was last taken up. Reckoned once a
 * place, since one may have thousands that wait.
 */
const openPlaces = sql`
  open_place as materialized (
    select p.place_id, count(p.slot) filter (where p.status in ('running', 'stopping')) < ${slots}::int as has_room,
      (select max(c.claimed_at) from job c where c.place_id = p.place_id) as last_turn
    from job p where p.status in ('queued', 'running', 'stopping', 'waiting') group by p.place_id)`

/** Runs that may be taken up now, as `j` beside their place as `p`. */
const takable = sql`
  job j join open_place p on p.place_id = j.place_id
  where j.status in ('queued', 'running', 'stopping', 'waiting')
    and (j.lease_until is null or j.lease_until < now())
    and (j.status = 'stopping' or (
      j.due_at <= now()
      and (p.has_room or (j.status = 'running' and j.slot is not null))
      and not exists (select from flag where name = 'importersHalted' and is_on)))`

/** How often a run is looked for again when others have taken the slot first. */
const mostTries = 20

/**
 * Takes up a run that is due, or whose lease has lapsed: of the place whose turn was longest ago the one that has waited longest.
 * By the clock of the database, in one statement, with a new fence. At most two runs of a place go on at once, which a unique
 * index says, since several may take runs up in the same moment. Null: there is none. While importers are halted only those told to
 * stop are taken up.
 */
export async function claim(ctx: Context): Promise<Claimed | null> {
  for (let tries = 1; ; tries += 1)
    try {
      return await take(ctx)
    } catch (error) {
      if (tries >= mostTries || !isSlotTaken(error)) throw error
    }
}

const isSlotTaken = (error: unknown) =>
  error instanceof Error && 'constraint' in error && error.constraint === 'job_slot'

async function take(ctx: Context): Promise<Claimed | null> {
  const { rows } = await sql<Omit<Claimed, 'cursor'> & { cursor: Partial<JobCursor> | null }>`
    with ${openPlaces}
    update job j set
      slot = case when j.status = 'stopping' or (j.status = 'running' and j.slot is not null) then j.slot else ${freeSlot} end,
      status = case j.status when 'stopping' then 'stopping' else 'running' end, claimed_at = clock_timestamp(),
      fence = j.fence + 1, attempts = j.attempts + 1, lease_until = ${lease}, heartbeat_at = now(),
      started_at = coalesce(j.started_at, now()),
      plan = coalesce(j.plan, (
        select jsonb_build_object('name', i.name, 'sources', i.sources, 'secrets', i.secrets, 'mapping', i.mapping,
          'mode', i.mode, 'columns', to_jsonb(i) -> 'columns', 'timeoutSeconds', i.timeout_seconds, 'retries', i.retries, 'notifyOnFailure', i.notify_on_failure)
        from importer i where i.id = j.importer_id))
    where j.id = (
      select j.id from ${takable}
      order by p.last_turn nulls first, j.due_at, j.id limit 1 for update of j skip locked)
    returning j.id, j.importer_id, j.source_id, j.place_id, j.status, j.trigger, j.kind,
      j.undoes, j.compared_with, j.fence, j.attempts, j.counts, j.cursor,
      j.plan, extract(epoch from now() - j.started_at)::float8 as age`.execute(ctx.db)
  const [job] = rows
  return job ? { ...job, cursor: { ...atStart, ...job.cursor } } : null
}

/** Whether a run waits to be taken up now, and may be. */
export async function isAnyDue(ctx: Context): Promise<boolean> {
  const { rows } = await sql`with ${openPlaces} select j.id from ${takable} limit 1`.execute(ctx.db)
  return rows.length > 0
}

/** What holds a run: keeps its lease alive, and keeps everyone off who holds it no more. */
export class Lease {
  #last: number
  #pending: Promise<void> | null = null
  #end: Error | null = null

  constructor(
    private ctx: Context,
    private job: Pick<Claimed, 'id' | 'fence'>,
  ) {
    this.#last = ctx.now().getTime()
  }

  /**
   * A sign of life, at most every ten seconds and without waiting for it: the one connection of an embedded database may
   * be busy with a transaction of ours. Throws Stale or Stopped when an earlier one was answered so.
   */
  beat(): void {
    if (this.#end) throw this.#end
    const now = this.ctx.now().getTime()
    if (this.#pending || now - this.#last < beatMs) return
    this.#last = now
    const { id, fence } = this.job
    this.#pending = this.ctx.db
      .updateTable('job')
      .set({ heartbeatAt: sql<Date>`now()`, leaseUntil: sql<Date>`${lease}` })
      .where('id', '=', id)
      .where('fence', '=', fence)
      .where('status', 'in', ['running', 'stopping'])
      .returning('status')
      .executeTakeFirst()
      .then(
        (row) => {
          if (!row) this.#end = new Stale()
          else if (row.status === 'stopping') this.#end = new Stopped()
        },
        // A sign that was lost: the next one may come through, and the fence decides.
        () => {},
      )
      .then(() => {
        this.#pending = null
      })
  }

  /** Waits for a sign that is on its way, so that none comes after the work. */
  async settle(): Promise<void> {
    await this.#pending
  }

  /**
   * Writes where the run stands, as the first statement of the transaction that keeps what was done: Stale when it is not
   * ours any more. True: it was told to stop.
   */
  async keep(tx: Tx, cursor: JobCursor, counts: JobCounts): Promise<boolean> {
    const row = await tx
      .updateTable('job')
      .set({
        cursor: JSON.stringify(cursor),
        counts: JSON.stringify(counts),
        attempts: 0,
        heartbeatAt: sql<Date>`now()`,
        leaseUntil: sql<Date>`${lease}`,
      })
      .where('id', '=', this.job.id)
      .where('fence', '=', this.job.fence)
      .where('status', 'in', ['running', 'stopping'])
      .returning('status')
      .executeTakeFirst()
    if (!row) throw new Stale()
    this.#last = this.ctx.now().getTime()
    return row.status === 'stopping'
  }

  /** Lets go of a run that has more to do: it is due at once. */
  async free(): Promise<void> {
    await this.settle()
    await this.ctx.db
      .updateTable('job')
      .set({ leaseUntil: null, dueAt: sql<Date>`now()` })
      .where('id', '=', this.job.id)
      .where('fence', '=', this.job.fence)
      .execute()
  }

  /**
   * Lets go of a run whose remote or database is not available, for a while; another of its place may begin. One that was told to stop is due at once.
   * Nothing happens when it is not ours any more.
   */
  async wait(seconds: number, error: string): Promise<void> {
    await this.settle()
    await sql`
      update job set lease_until = null, slot = null, error = ${error}, heartbeat_at = now(),
        status = case status when 'stopping' then 'stopping' else 'waiting' end,
        due_at = now() + make_interval(secs => ${seconds}::float8)
      where id = ${this.job.id} and fence = ${this.job.fence} and status in ('running', 'stopping')`.execute(
      this.ctx.db,
    )
  }
}
