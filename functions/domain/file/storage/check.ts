import type { Context } from '#functions/context.ts'
import type { Db } from '#db/schema.ts'

/** How far a part of the bucket is looked through, and what was found since the beginning. */
export interface Check {
  part: string
  /** The last name that was looked at; '' at the beginning. */
  cursor: string
  counts: Record<string, number>
}

/** Where the last night ended. */
export async function readCheck(db: Db, part: string): Promise<Check> {
  const row = await db
    .selectFrom('storageCheck')
    .select(['cursor', 'counts'])
    .where('part', '=', part)
    .executeTakeFirst()
  return { part, cursor: row?.cursor ?? '', counts: row?.counts ?? {} }
}

/** Keeps where one is, so that what comes next goes on there. */
export async function saveCheck({ db }: Context, { part, cursor, counts }: Check): Promise<void> {
  const row = { cursor, counts: JSON.stringify(counts) }
  await db
    .insertInto('storageCheck')
    .values({ part, ...row })
    .onConflict((conflict) => conflict.column('part').doUpdateSet(row))
    .execute()
}

/** Keeps what a whole pass has found; the next one begins anew. */
export async function endPass(ctx: Context, { part, counts }: Check): Promise<void> {
  await saveCheck(ctx, { part, cursor: '', counts: {} })
  await ctx.db
    .updateTable('storageCheck')
    .set({ last: JSON.stringify(counts), endedAt: ctx.now() })
    .where('part', '=', part)
    .execute()
}

export function addCounts(a: Record<string, number>, b: Record<string, number>): Record<string, number> {
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return Object.fromEntries([...names].map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]))
}
