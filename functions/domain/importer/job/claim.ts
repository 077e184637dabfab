import { sql } from 'kysely'
import { StaleRunError, RunStoppedError } from './errors.ts'
import type { JobCounts } from '#functions/shapes/job-status.ts'
import { atStart, type JobCursor, type JobKind, type Plan } from './cursor.ts'
import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'

/** How long a lease is valid without renewal, in seconds. */
const leaseSeconds = 60
const beatMs = 10_000

/** Who started a run: a person at the screen, the clock, a key. */
export type JobTrigger = 'manual' | 'schedule' | 'api'

/** A run as its worker knows it. */
export interface ClaimedRun {
  id: string
  importerId: string
  sourceId: string
  placeId: string
  status: 'running' | 'stopping'
  trigger: JobTrigger
  kind: JobKind
  /** For a roll back: the run that it reverts; else null. */
  undoes: string | null
  /** For a committed dry run: the data version that it was compared with; else null. */
  comparedWith: number | null
  /** The fencing token: a worker with an older one cannot change the run. */
  fence: number
  attempts: number
  counts: JobCounts
  cursor: JobCursor
  /** Null where its importer was deleted. */
  plan: Plan | null
  /** Seconds since it began, by the clock of the database. */
  age: number
}

/** How many runs of a place may be active: the number of values of `job.slot`. */
const slots = 2

const lease = sql`now() + make_interval(secs => ${leaseSeconds}::float8)`

/** The first free slot of the place of the `job` row called `j`; null where all are taken. */
const freeSlot = sql`(
  select min(s.n) from generate_series(1, ${slots}::int) as s (n) where not exists (
    select from job o where o.place_id = j.place_id and o.slot = s.n and o.status in ('running', 'stopping')))`

/**
 * Places with unfinished runs: whether another may begin there, and when one was last claimed. Computed once per place,
 * since one may have thousands of waiting runs.
 */
const openPlaces = sql`
  open_place as materialized (
    select p.place_id, count(p.slot) filter (where p.status in ('running', 'stopping')) < ${slots}::int as has_room,
      (select max(c.claimed_at) from job c where c.place_id = p.place_id) as last_turn
    from job p where p.status in ('queued', 'running', 'stopping', 'waiting') group by p.place_id)`

/** Runs that may be claimed now, as `j` with their place as `p`. */
const takable = sql`
  job j join open_place p on p.place_id = j.place_id
  where j.status in ('queued', 'running', 'stopping', 'waiting')
    and (j.lease_until is null or j.lease_until < now())
    and (j.status = 'stopping' or (
      j.due_at <= now()
      and (p.has_room or (j.status = 'running' and j.slot is not null))
      and not exists (select from flag where name = 'importersHalted' and is_on)))`

/** How often to look for another run when other workers took the slot first. */
const maxTries = 20

/**
 * Claims a run that is due or whose lease has expired: of the place that was served longest ago, the run that has waited
 * longest. One statement, by the clock of the database, with a new fencing token. At most two runs of a place are
 * active; a unique index ensures that, since several workers may claim at the same moment. Null where there is none.
 * While importers are halted only runs that were told to stop are claimed.
 */
export async function claim(ctx: Context): Promise<ClaimedRun | null> {
  for (let tries = 1; ; tries += 1)
    try {
      return await tryClaim(ctx)
    } catch (error) {
      if (tries >= maxTries || !isSlotTaken(error)) throw error
    }
}

const isSlotTaken = (error: unknown) =>
  error instanceof Error && 'constraint' in error && error.constraint === 'job_slot'

async function tryClaim(ctx: Context): Promise<ClaimedRun | null> {
  const { rows } = await sql<Omit<ClaimedRun, 'cursor'> & { cursor: Partial<JobCursor> | null }>`
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

/** Whether a run can be claimed now. */
export async function isAnyDue(ctx: Context): Promise<boolean> {
  const { rows } = await sql`with ${openPlaces} select j.id from ${takable} limit 1`.execute(ctx.db)
  return rows.length > 0
}

/** A claimed run: renews its lease, and refuses writes of a worker that has lost it. */
export class Lease {
  #last: number
  #pending: Promise<void> | null = null
  #end: Error | null = null

  constructor(
    private ctx: Context,
    private job: Pick<ClaimedRun, 'id' | 'fence'>,
  ) {
    this.#last = ctx.now().getTime()
  }

  /**
   * Renews the lease, at most every ten seconds and without waiting for the statement: the only connection of an embedded database
   * may be busy with a transaction of this run. Throws Stale or Stopped where an earlier renewal found that.
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
          if (!row) this.#end = new StaleRunError()
          else if (row.status === 'stopping') this.#end = new RunStoppedError()
        },
        // The renewal failed: the next one may succeed, and the fencing token protects the run meanwhile.
        () => {},
      )
      .then(() => {
        this.#pending = null
      })
  }

  /** Waits for a renewal in progress, so that none arrives after the work has ended. */
  async settle(): Promise<void> {
    await this.#pending
  }

  /**
   * Stores the run's cursor, as the first statement of the transaction that stores its work; throws Stale where another worker has
   * taken it over. True where the run was told to stop.
   */
  async storeCursor(tx: Tx, cursor: JobCursor, counts: JobCounts): Promise<boolean> {
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
    if (!row) throw new StaleRunError()
    this.#last = this.ctx.now().getTime()
    return row.status === 'stopping'
  }

  /** Releases a run that has more to do: it is due at once. */
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
   * Releases a run whose remote server or database is unavailable, and delays it; another run of its place may begin.
   * One that was told to stop is due immediately. Does nothing where another worker has taken the run over.
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
