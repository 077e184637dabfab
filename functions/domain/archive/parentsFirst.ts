/**
 * Rows in an order in which each comes after its parent, and those that are left: in a circle, or below a parent that is not among them.
 */
export function parentsFirst<Row extends { id: string; parentId: string | null }>(rows: Row[]) {
  const sorted: Row[] = []
  const placedIds = new Set<string>()
  let left = rows
  for (;;) {
    const next = left.filter(({ parentId }) => parentId === null || placedIds.has(parentId))
    if (next.length === 0) return { sorted, left }
    for (const row of next) placedIds.add(row.id)
    sorted.push(...next)
    left = left.filter(({ id }) => !placedIds.has(id))
  }
}
