import { formatTag, toLocale } from '#functions/shapes/locale.ts'
import type { Bounds, MapPoint } from './map-data.ts'

/** The list beside a map: its names are buttons, and it follows the map's view. */
export interface MapList {
  /** Highlights the selected item; undefined for none. */
  mark: (key: string | undefined) => void
  /** Filters the list to what is in view and enabled (`isOff`), and shows the counts. */
  filterByView: (points: readonly MapPoint[], view: Bounds, isOff: (key: string) => boolean) => void
  /** Adds items in view that the page did not list, replacing those added before. */
  add: (more: readonly MapPoint[]) => void
  /** Turns the buttons back into names, if there is no map. */
  release: () => void
}

/** Turns the names of a list into selection buttons. Figures without a list are ignored. */
export function wireList(within: HTMLElement, isSynced: boolean, choose: (key: string) => void): MapList {
  const items = new Map<string, HTMLButtonElement>()
  const itemsByKey = new Map<string, HTMLLIElement>()
  let choice: string | undefined

  const registerItem = (item: HTMLButtonElement) => {
    const key = item.dataset['mapItem'] ?? ''
    items.set(key, item)
    item.setAttribute('aria-pressed', String(key === choice))
    item.addEventListener('click', () => choose(key))
  }
  for (const name of within.querySelectorAll<HTMLElement>('[data-map-item]')) registerItem(asButton(name))

  const updateCounts = () => {
    const status = within.querySelector<HTMLElement>('[data-in-view]')
    // Disabled items are left out.
    const rows = [...items.values()].flatMap((item) => {
      const row = item.closest('li')
      const layer = row?.closest<HTMLElement>('[data-map-list]')?.dataset['mapList'] ?? ''
      const control = within.querySelector<HTMLInputElement>(`[data-map-switch="${layer}"]`)
      return row && control?.checked !== false ? [row] : []
    })
    if (!status || rows.length === 0) return
    const number = new Intl.NumberFormat(formatTag(toLocale(document.documentElement.lang)))
    const visibleCount = number.format(rows.filter(({ hidden }) => !hidden).length)
    const template = status.dataset['inView'] ?? ''
    status.textContent = template.replace('{n}', visibleCount).replace('{total}', number.format(rows.length))
  }

  return {
    mark(key) {
      choice = key
      for (const [itsKey, item] of items) item.setAttribute('aria-pressed', String(itsKey === key))
      if (key !== undefined) showInList(items.get(key))
    },
    filterByView(points, view, isOff) {
      for (const { key, at, bounds } of points) {
        const row = items.get(key)?.closest('li')
        const where = at ?? bounds
        if (row && where) row.hidden = !isWithin(view, where) || isOff(key)
      }
      if (isSynced) updateCounts()
    },
    add(more) {
      for (const [key, row] of itemsByKey) {
        row.remove()
        items.delete(key)
      }
      itemsByKey.clear()
      for (const point of more) {
        const list = within.querySelector(`[data-map-list="${point.key.split(':')[0]}"]`)
        if (!list || items.has(point.key)) continue
        const row = buildListRow(point)
        list.appendChild(row)
        itemsByKey.set(point.key, row)
        const item = row.querySelector('button')
        if (item) registerItem(item)
      }
      if (isSynced) updateCounts()
    },
    release() {
      for (const item of items.values()) {
        const name = document.createElement('span')
        name.className = item.className
        name.replaceChildren(...item.childNodes)
        item.replaceWith(name)
      }
      items.clear()
    },
  }
}

/** Text nodes only: names and values come from people, never as markup. */
function buildListRow({ key, name, lines }: MapPoint): HTMLLIElement {
  const row = document.createElement('li')
  const item = document.createElement('button')
  item.type = 'button'
  item.className = 'map-item'
  item.dataset['mapItem'] = key
  item.textContent = name
  row.appendChild(item)
  if (lines?.[0] !== undefined) {
    const value = document.createElement('span')
    value.className = 'map-value'
    value.textContent = lines[0]
    row.appendChild(value)
  }
  return row
}

/** Scrolls the list to an item without scrolling the page, which would hide the map. */
function showInList(item: HTMLElement | undefined) {
  const list = item?.closest<HTMLElement>('[data-map-rows]')
  if (!item || !list || list.scrollHeight <= list.clientHeight) return
  const [inner, outer] = [item.getBoundingClientRect(), list.getBoundingClientRect()]
  if (inner.top < outer.top) list.scrollTop += inner.top - outer.top
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom
}

function asButton(name: HTMLElement): HTMLButtonElement {
  if (name instanceof HTMLButtonElement) return name
  const button = document.createElement('button')
  button.type = 'button'
  button.className = name.className
  button.dataset['mapItem'] = name.dataset['mapItem'] ?? ''
  button.replaceChildren(...name.childNodes)
  name.replaceWith(button)
  return button
}

/**
 * Whether a box intersects a point or another box. Longitudes may differ by whole turns: a view across the antimeridian, or one that
 * was moved around the earth, has longitudes beyond 180.
 */
export function isWithin([west, south, east, north]: Bounds, thing: [number, number] | Bounds): boolean {
  const [left, bottom, right = left, top = bottom] = thing
  // The turn that puts the left edge at or behind the right edge of the view.
  const turn = 360 * Math.floor((east - left) / 360)
  return right + turn >= west && bottom <= north && top >= south
}
