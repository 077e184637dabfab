import type { Bounds, MapData } from './map-data.ts'
import { shareView } from './map-embed.ts'
import { mapHash, mapState } from './map-hash.ts'
import type { MapList } from './map-list.ts'
import type { MapHandle } from './map-live.ts'
import type { wireSwitches } from './map-switches.ts'

interface MapParts {
  list: MapList
  switches: ReturnType<typeof wireSwitches>
  handle: () => MapHandle | undefined
  /** Whether the map owns the fragment of the URL. */
  isOwner: boolean
}

/**
 * Keeps the list beside a live map (`split`) in step with its view. With `isOwner` (a map page or embed) the state is stored in the
 * URL and restored from it.
 */
export function viewOf(split: HTMLElement | null, { list, switches, handle, isOwner }: MapParts) {
  const initial = isOwner ? mapState(location.hash) : null
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
    if (!isOwner || !handle()) return
    const layers = switches.chosen()
    const state = { ...(bounds && { bounds }), ...(layers && { layers }), off: [...off] }
    const choices = { ...(time && { time }), ...(selected === undefined ? {} : { selected }) }
    const hash = mapHash({ ...state, ...choices }, location.hash)
    history.replaceState(history.state, '', location.pathname + location.search + hash)
    shareView(hash)
  }
  const follow = () => {
    const live = handle()
    if (split && listBounds && live) list.keepInView(points, listBounds, live.isOff)
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
    look(view: Bounds, isByHand: boolean) {
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
      if (initial?.bounds) handle()?.look(initial.bounds)
      if (initial?.selected !== undefined) handle()?.select(initial.selected)
      remember()
    },
  }
}
