/** The position of an item, in columns and rows of the grid. */
export interface Item {
  id: string
  x: number
  y: number
  w: number
  h: number
}

/** Number of columns; a row is as high as five lines of text, see `dashboard.css`. */
export const columns = 12
/** Maximum rows of one item; boards themselves may be longer. */
export const maxRows = 20

/** The default size of an item by kind: columns and rows. */
const usual: Record<string, { w: number; h: number }> = {
  text: { w: 6, h: 3 },
  image: { w: 6, h: 4 },
  divider: { w: 12, h: 1 },
}
const figureSize = { w: 6, h: 4 }

interface Block {
  id: string
  kind: string
  settings: Record<string, unknown>
}

/**
 * The layout of a page's blocks: at their positions, others below in reading order. Always without gaps upwards and overlaps, whatever
 * the settings.
 */
export function computeLayout(blocks: readonly Block[]): Item[] {
  const items: Item[] = []
  let x = 0
  let y = 0
  let rowEnd = 0
  for (const { id, kind, settings } of blocks) {
    const own = usual[kind] ?? figureSize
    const w = clampInteger(settings.w, 1, columns, own.w)
    const h = clampInteger(settings.h, 1, maxRows, own.h)
    if (typeof settings.x === 'number' && typeof settings.y === 'number') {
      items.push({
        id,
        x: clampInteger(settings.x, 0, columns - w, 0),
        y: clampInteger(settings.y, 0, 1000, 0),
        w,
        h,
      })
      continue
    }
    if (x + w > columns) {
      x = 0
      y = rowEnd
    }
    // Blocks without a position come last.
    items.push({ id, x, y: 1000 + y, w, h })
    x += w
    rowEnd = Math.max(rowEnd, y + h)
  }
  return settleItems(items)
}

function clampInteger(value: unknown, least: number, most: number, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value)
    ? Math.min(Math.max(Math.round(value), least), most)
    : Math.min(otherwise, most)
}

const meets = (a: Item, b: Item) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h

/**
 * Moves every item up as far as possible without passing another; overlapping ones move down. `first`: the item that takes precedence
 * within its row.
 */
export function settleItems(items: readonly Item[], first?: string): Item[] {
  const order = [...items].sort(
    (a, b) => a.y - b.y || Number(b.id === first) - Number(a.id === first) || a.x - b.x,
  )
  const settledItems: Item[] = []
  for (const item of order) {
    const next = { ...item, y: Math.max(0, Math.ceil(item.y)) }
    while (settledItems.some((each) => meets(each, next))) next.y += 1
    while (next.y > 0 && !settledItems.some((each) => meets(each, { ...next, y: next.y - 1 }))) next.y -= 1
    settledItems.push(next)
  }
  return items.map(({ id }) => settledItems.find((each) => each.id === id) as Item)
}

export type Step = 'up' | 'down' | 'left' | 'right' | 'wider' | 'narrower' | 'taller' | 'shorter'

/** The board after a step of one item; null if that is impossible. Up and down swap with a neighbour. */
export function stepItem(items: readonly Item[], id: string, step: Step): Item[] | null {
  const item = items.find((each) => each.id === id)
  const movedItem = item && move(items, item, step)
  if (!movedItem) return null
  const next = settleItems(
    items.map((each) => (each.id === id ? movedItem : each)),
    id,
  )
  return isSame(items, next) ? null : next
}

function move(items: readonly Item[], item: Item, step: Step): Item | null {
  const { x, y, w, h } = item
  switch (step) {
    case 'left':
      return x > 0 ? { ...item, x: x - 1 } : null
    case 'right':
      return x + w < columns ? { ...item, x: x + 1 } : null
    case 'wider':
      return w < columns ? { ...item, w: w + 1, x: Math.min(x, columns - w - 1) } : null
    case 'narrower':
      return w > 1 ? { ...item, w: w - 1 } : null
    case 'taller':
      return h < maxRows ? { ...item, h: h + 1 } : null
    case 'shorter':
      return h > 1 ? { ...item, h: h - 1 } : null
    case 'up': {
      const above = items.filter((each) => sharesColumn(each, item) && each.y + each.h <= y)
      if (!above.length) return null
      // Half a row before it, so that their order is defined.
      return { ...item, y: Math.max(...above.map((each) => each.y)) - 0.5 }
    }
    case 'down': {
      const below = items.filter((each) => sharesColumn(each, item) && each.y >= y + h)
      if (!below.length) return null
      return { ...item, y: Math.min(...below.map((each) => each.y + each.h)) }
    }
  }
}

const sharesColumn = (a: Item, b: Item) => a.id !== b.id && a.x < b.x + b.w && b.x < a.x + a.w

/** Whether positions and sizes are equal. */
export function isSame(before: readonly Item[], after: readonly Item[]): boolean {
  return listChangedItems(before, after).length === 0
}

/** The items with another position or size than before. */
export function listChangedItems(before: readonly Item[], after: readonly Item[]): Item[] {
  const itemsById = new Map(before.map((item) => [item.id, item]))
  return after.filter((item) => {
    const was = itemsById.get(item.id)
    return !was || was.x !== item.x || was.y !== item.y || was.w !== item.w || was.h !== item.h
  })
}

/** Items in reading order: by row, then by column. */
export function sortByReadingOrder<T extends Pick<Item, 'x' | 'y'>>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => a.y - b.y || a.x - b.x)
}
