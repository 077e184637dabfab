import { storeFigureState, getFigureState } from './figure-view.ts'
import { shareFigure, shareView } from './map-embed.ts'
import { mapHash, type MapState } from './map-hash.ts'

/** Where the state of a live map is in the URL. */
export interface StatePlace {
  /** The parameters there, as a fragment or part of one. */
  read: () => string
  /** Stores a state there, and in the texts for sharing it. */
  store: (state: MapState) => void
}

/** The fragment itself, of a page that is a map or of a frame. */
const ownFragment: StatePlace = {
  read: () => location.hash,
  store(state) {
    const hash = mapHash(state, location.hash)
    history.replaceState(history.state, '', location.pathname + location.search + hash)
    shareView(hash)
  },
}

/** The part of the fragment that belongs to a figure, beside the states of the other figures of its page. */
function partOfFigure(figure: HTMLElement, name: string): StatePlace {
  return {
    read: () => getFigureState(figure).map ?? '',
    store(state) {
      const { map: _before, ...others } = getFigureState(figure)
      const map = mapHash(state).slice(1)
      storeFigureState(name, map === '' ? others : { ...others, map })
      shareFigure(figure)
    },
  }
}

/** The place of a figure's map; null for a figure without a name. `isOwner`: the fragment is its own. */
export function findStatePlace(figure: HTMLElement, isOwner: boolean): StatePlace | null {
  if (isOwner) return ownFragment
  const name = figure.dataset['figure']
  return name === undefined ? null : partOfFigure(figure, name)
}
