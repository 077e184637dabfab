import type { Tx } from '#db/schema.ts'

/** Renames the usage counts of renamed fields, and deletes those of removed ones. */
export async function renameUse(
  tx: Tx,
  dataTypeId: string,
  renames: ReadonlyMap<string, string>,
  removedKeys: ReadonlySet<string>,
): Promise<void> {
  const keys = [...new Set([...renames.keys(), ...renames.values(), ...removedKeys])]
  if (keys.length === 0) return
  const rows = await tx
    .deleteFrom('fieldUse')
    .where('dataTypeId', '=', dataTypeId)
    .where('field', 'in', keys)
    .returning(['field', 'kind', 'day', 'asked'])
    .execute()
  const indexUses = rows.flatMap((row) => {
    const field = renames.get(row.field)
    return field === undefined ? [] : { ...row, field, dataTypeId }
  })
  for (let from = 0; from < indexUses.length; from += 1000)
    await tx
      .insertInto('fieldUse')
      .values(indexUses.slice(from, from + 1000))
      .execute()
}
