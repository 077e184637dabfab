import type { Context } from '#functions/context.ts'
import type { Db } from '#db/schema.ts'

/** The progress of a check of one part of the bucket, and its findings so far. */
export interface Check {
  part: string
  /** The last name that was checked; '' at the beginning. */
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

/** Stores the progress, so that the next run continues there. */
export async function saveCheck({ db }: Context, { part, cursor, counts }: Check): Promise<void> {
  const row = { cursor, counts: JSON.stringify(counts) }
  await db
    .insertInto('storageCheck')
    .values({ part, ...row })
    .onConflict((conflict) => conflict.column('part').doUpdateSet(row))
    .execute()
}

/** Stores the findings of a complete pass; the next one starts from the beginning. */
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
