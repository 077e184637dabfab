import { activator, figureJson } from './figure.ts'
import type { MapData } from './map-data.ts'
import { wireFullScreen } from './full-screen.ts'
import { getFigureState, wireView } from './figure-view.ts'
import { wireList, type MapList } from './map-list.ts'
import type { MapHandle } from './map-live.ts'
import type { wireMapView } from './map-view.ts'
import { wireSwitches } from './map-switches.ts'
import type { Report } from './search.ts'

/** Checked without the parser, which is loaded with the live map. */
const saysState = /[#&](?:bbox|sel|layers|off|time)=./

/**
 * Hydrates a map when it is touched, clicked or its button is pressed (focus only loads the code), and keeps the list beside it in
 * step: its names become buttons. Switches and legend entries work on the picture by style sheet, and on the live map by this. Without
 * WebGL picture and list stay static, and a message says so. Gives the function that undoes it.
 */
export function wireMap(figure: HTMLElement, report: Report): () => void {
  const href = figure.dataset['mapHref']
  const button = figure.querySelector<HTMLButtonElement>('[data-explore]')
  const plot = figure.querySelector<HTMLElement>('[data-plot]')
  if (!href || !button || !plot) return () => {}
  const split = figure.closest<HTMLElement>('[data-map-split]')
  const within = split ?? figure
  // An embed has only one figure.
  const isOwner = split !== null || document.documentElement.dataset['embed'] !== undefined
  let handle: MapHandle | undefined
  let activeView: ReturnType<typeof wireMapView> | undefined
  let isOver = false

  const switches = wireSwitches(within, (key, isOn) => {
    handle?.toggleLayers(key, isOn)
    activeView?.change()
  })
  const list = wireList(within, split !== null, (key) => {
    void activate().then((isLive) => {
      if (!isLive || !handle) return
      handle.select(key)
      // On small screens the list is below the map.
      plot.scrollIntoView({ block: 'nearest' })
    })
  })

  const activate = activator(
    figure,
    async ({ box, show }) => {
      const { startMap, data, label, ...tools } = await loadMap(figure, href)
      const view = (activeView ??= tools.wireMapView(split, {
        ...{ list, switches, handle: () => handle },
        place: tools.findStatePlace(figure, isOwner),
      }))
      const events = { onSelect: view.select, onView: view.updateBounds, onFound: list.add, onShow: show }
      const from = { off: switches.off(), offClasses: view.off() }
      const mapHandle = await startMap(box, data, { label, ...events, ...from, report })
      if (isOver) return mapHandle.remove()
      handle = mapHandle
      tools.wireLegend(figure, data, view.off(), (off) => {
        mapHandle.filter(off)
        view.filter(off)
      })
      tools.addPicture(figure, { title: label, data, still: mapHandle.copyPicture, report })
      tools.addPrint(figure)
      tools.addRegions(figure, label, data, report)
      if (split) tools.addEmbed(figure, report)
      else tools.addFigureEmbed(figure, label, report)
      tools.addParts(figure, data, (bounds) => {
        view.lead()
        mapHandle.fitBounds(bounds)
      })
      tools.addTime(figure, data, view.time(), (time) => {
        mapHandle.during(time)
        view.during(time)
      })
      view.begin(data)
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
  // A link to a view starts the map at once.
  const start = () => {
    if (isOwner ? saysState.test(location.hash) : getFigureState(figure).map !== undefined) void activate()
  }
  start()
  if (!isOwner) addEventListener('hashchange', start)
  return () => {
    isOver = true
    removeEventListener('hashchange', start)
    handle?.remove()
  }
}

/** Gives the message of browsers that cannot show live maps, after a failure: the list then has no buttons any more. */
function neverLive(list: MapList): () => Promise<string | null> {
  return async () => {
    if (canDrawMaps()) return null
    list.release()
    const { islandTexts } = await import('./island-words.ts')
    return islandTexts().noLiveMap
  }
}

/** Whether this browser has WebGL 2, which live maps require. */
function canDrawMaps(): boolean {
  const context = document.createElement('canvas').getContext('webgl2')
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  return context !== null
}

/** Loads code and data of a live map. */
async function loadMap(figure: HTMLElement, href: string) {
  const [tools, data] = await Promise.all([import('./map-live.ts'), figureJson(href)])
  const label = figure.querySelector('figcaption > :first-child')?.textContent ?? ''
  return { ...tools, data: data as MapData, label }
}
