/** Sorts rows so that each comes after its parent; returns separately those in a cycle, or below a missing parent. */
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
