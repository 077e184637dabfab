/** An item and its position. */
export interface PlacedItem {
  id: string
  position: number
}

/** The distance of new positions, so that later moves change only one. */
const gap = 1024

/**
 * The positions that must change for a new order: only of the moved items if there are gaps between their neighbours, else all.
 * Unknown ids are ignored; items that are not in the order come last.
 */
export function reorderItems(things: readonly PlacedItem[], idOrder: readonly string[]): PlacedItem[] {
  const byId = new Map(things.map((thing) => [thing.id, thing]))
  const inOrder = [...new Set(idOrder)].flatMap((id) => byId.get(id) ?? [])
  const order = [...inOrder, ...things.filter(({ id }) => !idOrder.includes(id))]
  const stays = longestRising(order)
  const changes: PlacedItem[] = []
  let before = -1
  for (let i = 0; i < order.length; i++) {
    const thing = order[i]
    if (!thing) continue
    if (stays.has(thing.id)) {
      before = thing.position
      continue
    }
    const after = order.slice(i + 1).find(({ id }) => stays.has(id))?.position ?? before + 2 * gap + 1
    const position = Math.floor((before + after) / 2)
    if (position <= before || position >= after)
      return order.map(({ id }, place) => ({ id, position: (place + 1) * gap }))
    changes.push({ id: thing.id, position })
    before = position
  }
  return changes
}

/** The longest subsequence whose positions are already ascending. */
function longestRising(order: readonly PlacedItem[]): Set<string> {
  const best: { length: number; from: number }[] = []
  order.forEach(({ position }, i) => {
    let longest = { length: 1, from: -1 }
    for (let j = 0; j < i; j++) {
      const length = (best[j]?.length ?? 0) + 1
      if ((order[j]?.position ?? 0) < position && length > longest.length) longest = { length, from: j }
    }
    best.push(longest)
  })
  let at = best.reduce((top, { length }, i) => (length > (best[top]?.length ?? 0) ? i : top), 0)
  const ids = new Set<string>()
  while (at !== -1 && order[at]) {
    ids.add(order[at]?.id ?? '')
    at = best[at]?.from ?? -1
  }
  return ids
}

/** The ids with one of them moved a step; unchanged at the end. */
export function stepId(ids: readonly string[], id: string, step: 'up' | 'down'): string[] {
  const at = ids.indexOf(id)
  const to = at + (step === 'up' ? -1 : 1)
  if (at === -1 || to < 0 || to >= ids.length) return [...ids]
  return ids.toSpliced(at, 1).toSpliced(to, 0, id)
}

/** The ids with some of them moved before or after another one. */
export function droppedAt(
  ids: readonly string[],
  movedIds: ReadonlySet<string>,
  target: { id: string; where: 'before' | 'after' },
): string[] {
  const rest = ids.filter((id) => !movedIds.has(id))
  const at = rest.indexOf(target.id)
  if (at === -1) return [...ids]
  return rest.toSpliced(target.where === 'before' ? at : at + 1, 0, ...ids.filter((id) => movedIds.has(id)))
}
