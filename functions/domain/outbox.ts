import type { DomainEvent } from './events.ts'
import type { Context } from '../context.ts'
import type { Tx } from '#db/schema.ts'

/** Writes down, in the transaction that did it, that something has happened. */
export async function tell(tx: Tx, { kind, placeId, payload }: DomainEvent): Promise<void> {
  await tx
    .insertInto('outbox')
    .values({ kind, placeId, payload: JSON.stringify(payload) })
    .execute()
}

/** Does several statements that must agree and wakes the queue once they are committed. */
export async function write<Result>(ctx: Context, run: (tx: Tx) => Promise<Result>): Promise<Result> {
  const result = await ctx.transaction(run)
  ctx.wake()
  return result
}
