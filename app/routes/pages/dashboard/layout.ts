/** Where an item stands on a board, in columns and rows of its grid. */
export interface Item {
  id: string
  x: number
  y: number
  w: number
  h: number
}

/** How many columns a board has; a row is as high as five lines of text, see `dashboard.css`. */
export const columns = 12
/** Most rows of one item; boards themselves may be longer. */
export const maxRows = 20

/** What an item takes where nothing was said of it, by its kind: columns and rows. */
const usual: Record<string, { w: number; h: number }> = {
  text: { w: 6, h: 3 },
  image: { w: 6, h: 4 },
  divider: { w: 12, h: 1 },
}
const ofFigure = { w: 6, h: 4 }

interface Block {
  id: string
  kind: string
  settings: Record<string, unknown>
}

/**
 * The board of a page's blocks: where each says it stands, the others in reading order below. Always a board without
 * gaps upwards and without overlaps, whatever the settings say.
 */
export function boardOf(blocks: readonly Block[]): Item[] {
  const placed: Item[] = []
  let x = 0
  let y = 0
  let rowEnd = 0
  for (const { id, kind, settings } of blocks) {
    const own = usual[kind] ?? ofFigure
    const w = within(settings.w, 1, columns, own.w)
    const h = within(settings.h, 1, maxRows, own.h)
    if (typeof settings.x === 'number' && typeof settings.y === 'number') {
      placed.push({ id, x: within(settings.x, 0, columns - w, 0), y: within(settings.y, 0, 1000, 0), w, h })
      continue
    }
    if (x + w > columns) {
      x = 0
      y = rowEnd
    }
    // Without a place of its own it comes after all that have one.
    placed.push({ id, x, y: 1000 + y, w, h })
    x += w
    rowEnd = Math.max(rowEnd, y + h)
  }
  return settleItems(placed)
}

function within(value: unknown, least: number, most: number, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value)
    ? Math.min(Math.max(Math.round(value), least), most)
    : Math.min(otherwise, most)
}

const meets = (a: Item, b: Item) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h

/**
 * Moves every item as far up as it goes without passing another; those that overlap make room below. `first`: the item
 * that keeps its place against others of the same row.
 */
export function settleItems(items: readonly Item[], first?: string): Item[] {
  const order = [...items].sort(
    (a, b) => a.y - b.y || Number(b.id === first) - Number(a.id === first) || a.x - b.x,
  )
  const placed: Item[] = []
  for (const item of order) {
    const next = { ...item, y: Math.max(0, Math.ceil(item.y)) }
    while (placed.some((each) => meets(each, next))) next.y += 1
    while (next.y > 0 && !placed.some((each) => meets(each, { ...next, y: next.y - 1 }))) next.y -= 1
    placed.push(next)
  }
  return items.map(({ id }) => placed.find((each) => each.id === id) as Item)
}

export type Step = 'up' | 'down' | 'left' | 'right' | 'wider' | 'narrower' | 'taller' | 'shorter'

/** The board after a step of one item; null: there is no step in this direction. Up and down change places with a neighbour. */
export function stepItem(items: readonly Item[], id: string, step: Step): Item[] | null {
  const item = items.find((each) => each.id === id)
  const changed = item && move(items, item, step)
  if (!changed) return null
  const next = settleItems(
    items.map((each) => (each.id === id ? changed : each)),
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
      // Half a row before it: whole rows would leave the order of the two open.
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

/** Whether every item stands where it stood, in the same size. */
export function isSame(before: readonly Item[], after: readonly Item[]): boolean {
  return changedOf(before, after).length === 0
}

/** The items of a board that stand elsewhere, or in another size, than before. */
export function changedOf(before: readonly Item[], after: readonly Item[]): Item[] {
  const known = new Map(before.map((item) => [item.id, item]))
  return after.filter((item) => {
    const was = known.get(item.id)
    return !was || was.x !== item.x || was.y !== item.y || was.w !== item.w || was.h !== item.h
  })
}

/** Items in the order they are read: by rows, then from the start of the line. */
export function inReadingOrder<T extends Pick<Item, 'x' | 'y'>>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => a.y - b.y || a.x - b.x)
}
