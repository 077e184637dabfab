import type { DomainEvent } from './events.ts'
import type { Context } from '#functions/context.ts'
import type { Tx } from '#db/schema.ts'

/** Stores an event, in the transaction that caused it. */
export async function emit(tx: Tx, { kind, placeId, payload }: DomainEvent): Promise<void> {
  await tx
    .insertInto('outbox')
    .values({ kind, placeId, payload: JSON.stringify(payload) })
    .execute()
}

/** Stores events that make only the prepared files of some sources stale: neither pages nor the edge change. */
export async function emitFilesStale(
  tx: Tx,
  now: Date,
  sources: { id: string; placeId: string }[],
): Promise<void> {
  if (sources.length === 0) return
  const rows = sources.map(({ id, placeId }) => ({
    ...{ kind: 'source', placeId, payload: JSON.stringify({ id }) },
    ...{ toldAt: now, doneAt: now },
  }))
  await tx.insertInto('outbox').values(rows).execute()
}

/** Runs a transaction and wakes the queue once it is committed. */
export async function write<Result>(ctx: Context, run: (tx: Tx) => Promise<Result>): Promise<Result> {
  const result = await ctx.transaction(run)
  ctx.wake()
  return result
}
