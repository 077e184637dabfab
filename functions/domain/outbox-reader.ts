import { sql } from 'kysely'
import type { Tx } from '#db/schema.ts'
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
/** How many open events are looked at in one go. */
export const openAtOnce = 500
/** Of events of every place, each of which becomes many. */
const spreadAtOnce = 10

/** What was not told yet, oldest first; at most 500. Needs the product's own identity. */
export async function openEvents(ctx: Context): Promise<OpenEvent[]> {
  return ctx.db
    .selectFrom('outbox')
    .select(['id', 'kind', 'placeId', 'payload'])
    .where('doneAt', 'is', null)
    .where('attempts', '<', maxAttempts)
    .orderBy('id')
    .limit(openAtOnce)
    .execute()
}

/**
 * Events that concern every place become one of each (with `isOfAll` in what they say): each place is then told, tried and
 * done with by itself, and what fails or takes long for one is not done again for all. Needs the product's own identity.
 */
export async function spreadEvents(ctx: Context): Promise<void> {
  for (let isMore = true; isMore;) isMore = await ctx.transaction(spreadSome)
}

/** False: there was none. */
async function spreadSome(tx: Tx): Promise<boolean> {
  const open = await tx
    .selectFrom('outbox')
    .select('id')
    .where('doneAt', 'is', null)
    .where('placeId', 'is', null)
    .orderBy('id')
    .limit(spreadAtOnce)
    .forUpdate()
    .execute()
  const ids = open.map(({ id }) => id)
  if (ids.length === 0) return false
  await tx
    .insertInto('outbox')
    .columns(['kind', 'placeId', 'payload'])
    .expression((eb) =>
      eb
        .selectFrom('outbox')
        .innerJoin('place', (join) => join.onTrue())
        .select([
          'outbox.kind',
          'place.id',
          sql<string>`outbox.payload || '{"isOfAll":true}'::jsonb`.as('payload'),
        ])
        .where('place.deletedAt', 'is', null)
        .where('outbox.id', 'in', ids)
        .orderBy('outbox.id')
        .orderBy('place.id'),
    )
    .execute()
  await tx
    .updateTable('outbox')
    .set({ doneAt: sql<Date>`now()` })
    .where('id', 'in', ids)
    .execute()
  return true
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
