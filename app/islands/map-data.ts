import type { StyleSpecification } from 'maplibre-gl'

/** West, south, east, north in degrees. */
export type Bounds = [number, number, number, number]

/** One thing on the map that the list beside it names; `at` or `bounds` says where to go. */
export interface MapPoint {
  /** The `data-map-item` of the list, and the key of the feature. */
  key: string
  name: string
  /** Formatted, with its unit. */
  value?: string
  /** What the map's tiles know it by, where that is not its key: the value of `keyProperty`. */
  id?: string
  /** Longitude, latitude. */
  at?: [number, number]
  bounds?: Bounds
}

/** What `data-map-href` answers. */
export interface MapData {
  /**
   * Whole: sources (their attribution set), layers, no `glyphs`. `pmtiles://` addresses are understood, and paths of this
   * host.
   */
  style: StyleSpecification
  /** The style of the dark theme; without it the light one serves both. */
  darkStyle?: StyleSpecification
  bounds: Bounds
  points?: MapPoint[]
  /** Figures of regions by key, set as the feature state `value` of every feature of the layer. */
  values?: { source: string; sourceLayer?: string; byKey: Record<string, number> }
  /** The layers that answer a click, and the property that holds a feature's key (its id when not given). */
  layers?: string[]
  keyProperty?: string
  /** The property that names a feature which the list does not; `name` when not given. */
  nameProperty?: string
  /** What a popup says besides the name: properties of the feature, in order. */
  popup?: { property: string; label: string }[]
}
