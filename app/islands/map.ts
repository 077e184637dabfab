import { activator, figureJson } from './figure.ts'
import type { Bounds, MapData, MapPoint } from './map-data.ts'
import { wireFullScreen } from './full-screen.ts'
import { wireView } from './figure-view.ts'
import { mapHash, mapState } from './map-hash.ts'
import { wireList, type MapList } from './map-list.ts'
import type { MapHandle } from './map-live.ts'
import type { Report } from './search.ts'

/**
 * Makes a map live when it is touched, clicked or its button is pressed (focus only fetches the code), and
 * keeps the list beside it in step: its names become buttons. Switches beside it work on the picture by themselves, and
 * on the live map by this. Without WebGL the picture and the list stay as they are without scripts, and the page says so.
 * Gives what ends it.
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

  const list = wireList(within, split !== null, (key) => {
    void activate().then((isLive) => {
      if (!isLive || !handle) return
      handle.select(key)
      // On a small screen the list lies below the map.
      plot.scrollIntoView({ block: 'nearest' })
    })
  })
  const mark = (key: string | undefined) => {
    list.mark(key)
    selected = key
    remember()
  }
  // A map that is the page says in the address what it shows, so that a link is that view.
  const remember = () => {
    if (!split) return
    const hash = mapHash({ ...(bounds ? { bounds } : {}), ...(selected === undefined ? {} : { selected }) })
    history.replaceState(history.state, '', location.pathname + location.search + hash)
  }
  const onView = (view: Bounds, isByHand: boolean) => {
    bounds = view
    // What was chosen in the list moves the map, and must not take the rest of the list away.
    if (split && isByHand) list.keepInView(points, (listed = view))
    remember()
  }

  const activate = activator(
    figure,
    async ({ box, show }) => {
      const { startMap, data, label } = await loadMap(figure, href)
      points = data.points ?? []
      const initial = split ? mapState(location.hash) : null
      const events = { onSelect: mark, onView, onFound: list.add, onShow: show }
      const started = await startMap(box, data, { label, ...events, off: off(), report })
      if (isOver) return started.remove()
      handle = started
      if (initial?.bounds) handle.look(initial.bounds)
      if (initial?.selected !== undefined) handle.select(initial.selected)
    },
    report,
    neverLive(list),
  )

  button.hidden = false
  wireView(figure)
  wireFullScreen(figure, report)
  button.addEventListener('click', () => void activate())
  button.addEventListener('focus', () => void import('./map-live.ts').catch(report), { once: true })
  plot.addEventListener('click', () => void activate())

  for (const each of switches)
    each.addEventListener('change', () => {
      handle?.turn(each.dataset['mapSwitch'] ?? '', each.checked)
      if (split && listed) list.keepInView(points, listed)
    })
  // Who follows a link to a view wants that view.
  if (split && mapState(location.hash)) void activate()
  return () => {
    isOver = true
    handle?.remove()
  }
}

/** Says that no map will ever be live here, where one failed: its list then has no buttons any more that could only choose on it. */
function neverLive(list: MapList): () => Promise<string | null> {
  return async () => {
    if (canDrawMaps()) return null
    list.release()
    const { islandWords } = await import('./island-words.ts')
    return islandWords().noLiveMap
  }
}

/** Whether this browser has WebGL 2, without which no live map is drawn. */
function canDrawMaps(): boolean {
  const context = document.createElement('canvas').getContext('webgl2')
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  return context !== null
}

/** What a live map is made of: its code, its data and its name. */
async function loadMap(figure: HTMLElement, href: string) {
  const [{ startMap }, data] = await Promise.all([import('./map-live.ts'), figureJson(href)])
  const label = figure.querySelector('figcaption > :first-child')?.textContent ?? ''
  return { startMap, data: data as MapData, label }
}
