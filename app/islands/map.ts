import { formatTag, localeOf } from '#functions/shapes/locale.ts'
import { activator, figureJson } from './figure.ts'
import type { Bounds, MapData, MapPoint } from './map-data.ts'
import { isWithin, mapHash, mapState } from './map-hash.ts'
import type { MapHandle } from './map-live.ts'
import type { Report } from './search.ts'

/**
 * Makes a map live when it is touched, clicked or its button is pressed (focus only fetches the code), and
 * keeps the list beside it in step: its names become buttons. Switches beside it work on the picture by themselves, and
 * on the live map by this. Without WebGL the picture and the list stay. Gives what ends it.
 */
export function wireMap(figure: HTMLElement, report: Report): () => void {
  const href = figure.dataset['mapHref']
  const button = figure.querySelector<HTMLButtonElement>('[data-explore]')
  const plot = figure.querySelector<HTMLElement>('[data-plot]')
  if (!href || !button || !plot) return () => {}
  const split = figure.closest<HTMLElement>('[data-map-split]')
  const within = split ?? figure
  let handle: MapHandle | undefined
  let points: MapPoint[] = []
  let bounds: Bounds | undefined
  let selected: string | undefined
  let listed: Bounds | undefined
  let isOver = false
  const switches = [...within.querySelectorAll<HTMLInputElement>('[data-map-switch]')]
  const off = () =>
    new Set(switches.filter(({ checked }) => !checked).map((each) => each.dataset['mapSwitch'] ?? ''))

  const items = new Map<string, HTMLButtonElement>()
  const mark = (key: string | undefined) => {
    for (const [itsKey, item] of items) item.setAttribute('aria-pressed', String(itsKey === key))
    if (key !== undefined) showInList(items.get(key))
    selected = key
    remember()
  }
  // A map that is the page says in the address what it shows, so that a link is that view.
  const remember = () => {
    if (!split) return
    const said = mapHash({ ...(bounds ? { bounds } : {}), ...(selected === undefined ? {} : { selected }) })
    history.replaceState(history.state, '', location.pathname + location.search + said)
  }
  const onView = (view: Bounds, isByHand: boolean) => {
    bounds = view
    // What was chosen in the list moves the map, and must not take the rest of the list away.
    if (split && isByHand) listInView(split, items, points, (listed = view))
    remember()
  }

  const activate = activator(
    figure,
    async ({ box, show }) => {
      const [{ startMap }, data] = await Promise.all([import('./map-live.ts'), figureJson(href)])
      const label = figure.querySelector('figcaption :is(h2, h3)')?.textContent ?? ''
      points = (data as MapData).points ?? []
      const asked = split ? mapState(location.hash) : null
      const words = JSON.parse(figure.dataset['mapWords'] ?? '{}') as Record<string, string>
      const hooks = { label, words, onSelect: mark, onView, onShow: show, off: off(), report }
      const started = await startMap(box, data as MapData, hooks)
      if (isOver) return started.remove()
      handle = started
      if (asked?.bounds) handle.look(asked.bounds)
      if (asked?.selected !== undefined) handle.select(asked.selected)
    },
    report,
  )

  button.hidden = false
  button.addEventListener('click', () => void activate())
  button.addEventListener('focus', () => void import('./map-live.ts').catch(report), { once: true })
  plot.addEventListener('click', () => void activate())

  for (const name of within.querySelectorAll<HTMLElement>('[data-map-item]')) {
    const item = asButton(name)
    const key = item.dataset['mapItem'] ?? ''
    items.set(key, item)
    item.addEventListener('click', () => {
      void activate().then((isLive) => {
        if (!isLive || !handle) return
        handle.select(key)
        // On a small screen the list lies below the map.
        plot.scrollIntoView({ block: 'nearest' })
      })
    })
  }
  for (const each of switches)
    each.addEventListener('change', () => {
      handle?.turn(each.dataset['mapSwitch'] ?? '', each.checked)
      if (split && listed) listInView(split, items, points, listed)
    })
  // Who follows a link to a view wants that view.
  if (split && mapState(location.hash)) void activate()
  return () => {
    isOver = true
    handle?.remove()
  }
}

/** Leaves in the list what the map shows, and says how many that is of how many. */
function listInView(
  split: HTMLElement,
  items: Map<string, HTMLElement>,
  points: readonly MapPoint[],
  view: Bounds,
) {
  let shown = 0
  let total = 0
  for (const { key, at, bounds } of points) {
    const row = items.get(key)?.closest('li')
    const where = at ?? bounds
    if (!row || !where) continue
    row.hidden = !isWithin(view, where)
    // What is switched off is no part of the list.
    if (row.parentElement?.offsetParent === null) continue
    total += 1
    if (!row.hidden) shown += 1
  }
  const status = split.querySelector<HTMLElement>('[data-in-view]')
  if (!status || total === 0) return
  const number = new Intl.NumberFormat(formatTag(localeOf(document.documentElement.lang)))
  const said = status.dataset['inView'] ?? ''
  status.textContent = said.replace('{n}', number.format(shown)).replace('{total}', number.format(total))
}

/** Scrolls the list to an item, and never the page: what was touched on the map would be gone. */
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
  button.setAttribute('aria-pressed', 'false')
  button.replaceChildren(...name.childNodes)
  name.replaceWith(button)
  return button
}
