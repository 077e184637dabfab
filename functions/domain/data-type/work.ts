import { sql } from 'kysely'
import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import { allowStatements } from '#functions/domain/noun/statement-timeout.ts'
import { apply } from './apply.ts'
import { clearSome, copySome, createTargetTable, usualSizes, type Move, type Sizes } from './copy.ts'
import { switchSourcesToOwnType } from './switch-sources.ts'

/** Time limit of one message for moves, in milliseconds. */
const budgetMs = 20_000
/** The lease of a move without a heartbeat. */
const leaseSeconds = 60
/** Delays after errors: doubled each time, without end. */
const [firstWaitSeconds, longestWaitSeconds] = [2, 300]

const lease = sql<Date>`now() + make_interval(secs => ${leaseSeconds}::float8)`

/** Another worker has taken over the move. */
class StaleMoveError extends Error {}

/** Whether a move or a change of a data type waits to be worked on. Needs the product's own identity. */
export async function isAnyMoveDue(ctx: Context): Promise<boolean> {
  const { rows } = await sql`
    select id from data_type_move where status <> 'done' and due_at <= now() and (lease_until is null or lease_until < now())
    union all ${ready} limit 1`.execute(ctx.db)
  return rows.length > 0
}

/** Changes for which no other place has anything left. */
const ready = sql`
  select c.id from data_type_change c where c.status = 'moving' and c.due_at <= now() and not exists (
    select from data_type_move m where m.change_id = c.id
      and (m.status = 'copying' or c.kind = 'schema' and m.status = 'clearing'))`

/**
 * Works on moves of sources between data types, and on the changes that wait for them, until the time limit is reached
 * or nothing is due. Every step is one transaction that stores its progress in the row of the move: it may be
 * interrupted, run concurrently and be repeated. Must run as the system actor.
 */
export async function processMoves(ctx: Context, sizes: Sizes = usualSizes): Promise<void> {
  const until = ctx.now().getTime() + budgetMs
  while (ctx.now().getTime() < until) {
    const move = await claim(ctx)
    if (move) await continueMove(ctx, move, until, sizes)
    else if (!(await applyOne(ctx))) return
  }
  ctx.wake('jobs')
}

/** Claims the move that has waited longest, by the clock of the database and with a new fence. */
async function claim(ctx: Context): Promise<Move | null> {
  const { rows } = await sql<Move>`
    update data_type_move set fence = fence + 1, attempts = attempts + 1, lease_until = ${lease} where id = (
      select id from data_type_move where status <> 'done' and due_at <= now() and (lease_until is null or lease_until < now())
      order by due_at, id limit 1 for update skip locked)
    returning id, change_id, place_id, from_type_id, to_type_id, status, fence, attempts`.execute(ctx.db)
  return rows[0] ?? null
}

async function continueMove(ctx: Context, move: Move, until: number, sizes: Sizes): Promise<void> {
  try {
    const step = move.status === 'copying' ? copyStep : clearStep
    while ((await step(ctx, move, sizes)) && ctx.now().getTime() < until);
    await releaseMove(ctx, move, 0, null)
  } catch (error) {
    if (error instanceof StaleMoveError) return
    ctx.report(error, { during: 'moveSources', move: move.id })
    const seconds = Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** Math.min(move.attempts - 1, 10))
    // While the database does not answer, the lease expires by itself.
    await releaseMove(ctx, move, seconds, describeError(error)).catch(() => {})
  }
}

/** Copies a batch of records, or flips the sources to the new data type when everything is copied. False: they are flipped. */
async function copyStep(ctx: Context, move: Move, sizes: Sizes): Promise<boolean> {
  const tables = await createTargetTable(ctx.db, move)
  const { copied } = await ctx.transaction(async (tx) => {
    await renewLease(tx, move)
    await allowStatements(tx, '2min')
    const progress = await copySome(tx, move, tables, sizes)
    if (progress.copied)
      await tx
        .updateTable('dataTypeMove')
        .set({ copied: sql<string>`copied + ${progress.copied}::bigint` })
        .where('id', '=', move.id)
        .execute()
    return progress
  })
  if (copied !== null) return true
  const isOver = await ctx.transaction(async (tx) => {
    await renewLease(tx, move)
    await allowStatements(tx, '2min')
    return switchSourcesToOwnType(tx, ctx, move, tables, sizes)
  })
  if (isOver) ctx.wake()
  return !isOver
}

/** Deletes a batch of the records that were left behind. False: there are none left. */
async function clearStep(ctx: Context, move: Move, sizes: Sizes): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    await renewLease(tx, move)
    await allowStatements(tx, '2min')
    const type = await tx
      .selectFrom('dataType')
      .select('tableName')
      .where('id', '=', move.fromTypeId)
      .executeTakeFirstOrThrow()
    const n = type.tableName === null ? 0 : await clearSome(tx, move, type.tableName, sizes)
    await tx
      .updateTable('dataTypeMove')
      .set({
        cleared: sql<string>`cleared + ${n}::bigint`,
        ...(n === 0 && { status: 'done' as const, finishedAt: sql<Date>`now()` }),
      })
      .where('id', '=', move.id)
      .execute()
    return n > 0
  })
}

/** The first statement of a transaction: only the holder of the last fence may commit. */
async function renewLease(tx: Tx, { id, fence, status }: Move): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('dataTypeMove')
    .set({ leaseUntil: lease, attempts: 0 })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('status', '=', status)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new StaleMoveError()
}

/** Releases a move, for some seconds at least. */
async function releaseMove(
  ctx: Context,
  { id, fence }: Move,
  seconds: number,
  error: string | null,
): Promise<void> {
  await sql`
    update data_type_move set lease_until = null, error = ${error},
      due_at = greatest(due_at, now() + make_interval(secs => ${seconds}::float8))
    where id = ${id} and fence = ${fence}`.execute(ctx.db)
}

/** Applies one change that no other place blocks any more. False: there is none. */
async function applyOne(ctx: Context): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`${ready} order by c.due_at, c.id limit 1`.execute(ctx.db)
  const [change] = rows
  if (!change) return false
  try {
    await apply(ctx, change.id)
    ctx.wake()
  } catch (error) {
    ctx.report(error, { during: 'changeDataType', change: change.id })
    await sql`
      update data_type_change set attempts = attempts + 1, error = ${describeError(error)}, due_at = now() + make_interval(
        secs => least(${longestWaitSeconds}::float8, ${firstWaitSeconds}::float8 * power(2, least(attempts, 10))))
      where id = ${change.id} and status = 'moving'`.execute(ctx.db)
  }
  return true
}

/** A sentence about an error for people, without statements and values. */
function describeError(error: unknown): string {
  return error instanceof Error && error.name === 'Failure'
    ? error.message
    : 'It did not go well and is tried again.'
}
