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
  /** What its popup says besides, formatted; without it the popup reads the feature's own properties. */
  lines?: string[]
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
  /** How far away and how near the map can be moved, where its author says so: zoom levels. */
  zoom?: { least?: number; most?: number }
  points?: MapPoint[]
  /** Parts of what is shown that lie far from where the map opens. */
  parts?: { name: string; bounds: Bounds }[]
  /** Where each class of the regions begins, the least first: the legend of the page has a sign for each, and then one for "no data". */
  classes?: number[]
  /** Figures of regions by key, set as the feature state `value` of every feature of the layer. */
  values?: { source: string; sourceLayer?: string; byKey: Record<string, number> }
  /** The set that these regions are of: its outlines are at `/a/boundaries/{set}.geojson`. */
  regions?: string
  /** The layers that answer a click, and the property that holds a feature's key (its id when not given). */
  layers?: string[]
  keyProperty?: string
  /** A click on a feature shows all of its region, as its name in the list does. */
  opensRegions?: true
  /** The property that names a feature which the list does not; `name` when not given. */
  nameProperty?: string
  /** What a popup says besides the name: properties of the feature, in order. */
  popup?: PopupLine[]
  /** Records of several sources; `layers`, `keyProperty`, `nameProperty` and `popup` above are for a map of one. */
  records?: MapRecords[]
  /** Where records have dates: the periods from the first to the last, and the sources of the style whose tiles can be asked for some. */
  time?: MapTime
  /** The style's layers that a switch of the page takes away, by its `data-map-switch`. */
  switches?: Record<string, string[]>
}

export interface MapTime {
  unit: 'day' | 'month' | 'year'
  /** ISO names of the first and the last period: 2012-01-05, 2012-01, 2012. */
  from: string
  to: string
  layers: {
    /** The source of the style, and the field that filters name. */
    source: string
    field: string
    /** Values are days without a time of day; else they are instants. */
    isCalendar: boolean
    /** What the data are called. */
    name: string
  }[]
}

/** A property of a feature, and what it is called. */
interface PopupLine {
  property: string
  label: string
}

/** The records of one source. A record's key in the list is `{key}:{id}`. */
export interface MapRecords {
  /** Also its `data-map-switch`. */
  key: string
  /** Said in the popup: colour alone does not say which source a record is of. */
  name: string
  /** The style's layers whose features are records, and the one whose features are circles of many. */
  layers: string[]
  cluster: string
  idProperty: string
  nameProperty: string
  popup: PopupLine[]
}
