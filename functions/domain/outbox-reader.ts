import type { Context } from '../context.ts'

/** Something that has happened, as the transaction that did it wrote it down. */
export interface OpenEvent {
  id: string
  kind: string
  /** Null: it concerns every place. */
  placeId: string | null
  payload: Record<string, unknown>
}

/** After this many tries an event waits for a person: it stays in the table, with its count. */
export const maxAttempts = 50
const batch = 500

/** What was not told yet, oldest first; at most 500. Needs the product's own identity. */
export async function openEvents(ctx: Context): Promise<OpenEvent[]> {
  return ctx.db
    .selectFrom('outbox')
    .select(['id', 'kind', 'placeId', 'payload'])
    .where('doneAt', 'is', null)
    .where('attempts', '<', maxAttempts)
    .orderBy('id')
    .limit(batch)
    .execute()
}

/** Marks events as told. */
export async function closeEvents(ctx: Context, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await ctx.db.updateTable('outbox').set({ doneAt: ctx.now() }).where('id', 'in', ids).execute()
}

/** Counts a try that failed. */
export async function countAttempt(ctx: Context, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await ctx.db
    .updateTable('outbox')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', ids)
    .execute()
}
