import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import type { EmptyTexts, ReadAsEmpty } from '#functions/shapes/field-profile.ts'

/** Most texts listed per field. */
const maxTold = 10

/**
 * Stores, by field, the texts that the import of the current version read as empty, replacing those of the
 * import before.
 */
export async function storeReadAsEmpty(
  tx: Tx,
  sourceId: string,
  emptyTexts: Record<string, EmptyTexts>,
): Promise<void> {
  await tx
    .updateTable('sourceStat')
    .set({ readAsEmpty: Object.keys(emptyTexts).length > 0 ? JSON.stringify(emptyTexts) : null })
    .where('sourceId', '=', sourceId)
    .execute()
}

/**
 * Renames the fields in what `storeReadAsEmpty` stored, after a change of the schema; drops those whose values
 * have changed.
 */
export async function renameReadAsEmpty(
  tx: Tx,
  sourceId: string,
  same: ReadonlyMap<string, string>,
): Promise<void> {
  const row = await tx
    .selectFrom('sourceStat')
    .select('readAsEmpty')
    .where('sourceId', '=', sourceId)
    .executeTakeFirst()
  const storedTexts = row?.readAsEmpty
  if (!storedTexts) return
  const entries = [...same].flatMap(([key, was]) => {
    const row = Object.hasOwn(storedTexts, was) ? storedTexts[was] : undefined
    return row ? [[key, row] as const] : []
  })
  await storeReadAsEmpty(tx, sourceId, Object.fromEntries(entries))
}

/** Texts of a field that were read as empty, for the API: the most frequent first, at most `maxTold`. */
export function describeEmpty({ count, values = {} }: EmptyTexts): ReadAsEmpty {
  const all = Object.entries(values).map(([value, n]) => ({ value, count: n }))
  const examples = all.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, maxTold)
  return { count, values: examples, others: count - examples.reduce((sum, one) => sum + one.count, 0) }
}

/** Texts that the latest imports of these sources read as empty, by field. */
export async function readAsEmptyIn(ctx: Context, sourceIds: string[]): Promise<Map<string, ReadAsEmpty>> {
  if (sourceIds.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('sourceStat')
    .select('readAsEmpty')
    .where('sourceId', 'in', sourceIds)
    .where('readAsEmpty', 'is not', null)
    .orderBy('sourceId')
    .execute()
  const sums = new Map<string, { count: number; values: Record<string, number> }>()
  for (const { readAsEmpty } of rows)
    for (const [field, { count, values = {} }] of Object.entries(readAsEmpty ?? {})) {
      const sum = sums.get(field) ?? { count: 0, values: {} }
      sum.count += count
      for (const [value, n] of Object.entries(values)) sum.values[value] = (sum.values[value] ?? 0) + n
      sums.set(field, sum)
    }
  return new Map([...sums].map(([field, sum]) => [field, describeEmpty(sum)]))
}
