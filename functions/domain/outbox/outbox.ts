import type { DomainEvent } from './events.ts'
import type { Context } from '#functions/context.ts'
import type { Tx } from '#db/schema.ts'

/** Writes down, in the transaction that did it, that something has happened. */
export async function emit(tx: Tx, { kind, placeId, payload }: DomainEvent): Promise<void> {
  await tx
    .insertInto('outbox')
    .values({ kind, placeId, payload: JSON.stringify(payload) })
    .execute()
}

/** Has the files of some sources looked at, though nothing else of them has changed: no page and no edge has to hear of it. */
export async function emitFilesStale(
  tx: Tx,
  now: Date,
  sources: { id: string; placeId: string }[],
): Promise<void> {
  if (sources.length === 0) return
  const wanted = sources.map(({ id, placeId }) => ({
    ...{ kind: 'source', placeId, payload: JSON.stringify({ id }) },
    ...{ toldAt: now, doneAt: now },
  }))
  await tx.insertInto('outbox').values(wanted).execute()
}

/** Does several statements that must agree and wakes the queue once they are committed. */
export async function write<Result>(ctx: Context, run: (tx: Tx) => Promise<Result>): Promise<Result> {
  const result = await ctx.transaction(run)
  ctx.wake()
  return result
}
