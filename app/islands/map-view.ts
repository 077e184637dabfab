import type { Bounds, MapData } from './map-data.ts'
import { mapState } from './map-hash.ts'
import type { StatePlace } from './map-place.ts'
import type { MapList } from './map-list.ts'
import type { MapHandle } from './map-live.ts'
import type { wireSwitches } from './map-switches.ts'

interface MapParts {
  list: MapList
  switches: ReturnType<typeof wireSwitches>
  handle: () => MapHandle | undefined
  /** Where its state is in the URL; null for a map without a state there. */
  place: StatePlace | null
}

/**
 * Keeps the list beside a live map (`split`) in step with its view. With a `place` the state is stored in the URL and restored from
 * it.
 */
export function wireMapView(split: HTMLElement | null, { list, switches, handle, place }: MapParts) {
  const initial = mapState(place?.read() ?? '')
  let points: NonNullable<MapData['points']> = []
  let bounds: Bounds | undefined
  let listBounds: Bounds | undefined
  let selected: string | undefined
  let off: ReadonlySet<number> = new Set(initial?.off)
  let time = initial?.time
  // Navigation by a button counts as a move by the reader.
  let isLed = false
  if (initial?.layers) switches.choose(initial.layers)

  const remember = () => {
    if (!place || !handle()) return
    const layers = switches.getChoice()
    const state = { ...(bounds && { bounds }), ...(layers && { layers }), off: [...off] }
    const choices = { ...(time && { time }), ...(selected === undefined ? {} : { selected }) }
    place.store({ ...state, ...choices })
  }
  const follow = () => {
    const live = handle()
    if (split && listBounds && live) list.filterByView(points, listBounds, live.isOff)
  }
  const change = () => {
    follow()
    remember()
  }
  return {
    off: () => off,
    time: () => time,
    during(next: [from: string, to: string] | undefined) {
      time = next
      remember()
    },
    change,
    lead: () => void (isLed = true),
    select(key: string | undefined) {
      list.mark(key)
      selected = key
      remember()
    },
    updateBounds(view: Bounds, isByHand: boolean) {
      bounds = view
      // A selection in the list moves the map, and must not filter the list.
      if (isByHand || isLed) listBounds = view
      isLed = false
      change()
    },
    filter(next: ReadonlySet<number>) {
      off = next
      listBounds ??= bounds ?? handle()?.view()
      change()
    },
    begin(data: MapData) {
      points = data.points ?? []
      if (initial?.bounds) handle()?.fitBounds(initial.bounds)
      if (initial?.selected !== undefined) handle()?.select(initial.selected)
      remember()
    },
  }
}
