import type { StyleSpecification } from 'maplibre-gl'

/** West, south, east, north in degrees. */
export type Bounds = [number, number, number, number]

/** A thing on the map that is listed beside it, with its position `at` or `bounds`. */
export interface MapPoint {
  /** The `data-map-item` of the list, and the key of the feature. */
  key: string
  name: string
  /** Formatted, with its unit. */
  value?: string
  /** Its id in the map's tiles if that differs from its key: the value of `keyProperty`. */
  id?: string
  /** Longitude, latitude. */
  at?: [number, number]
  bounds?: Bounds
  /** Formatted lines of its pop-up; by default the feature's properties. */
  lines?: string[]
}

/** The JSON at `data-map-href`. */
export interface MapData {
  /** Complete: sources (with attribution), layers, no `glyphs`. `pmtiles://` URLs and paths of this host are supported. */
  style: StyleSpecification
  /** The style of the dark theme; by default the light one. */
  darkStyle?: StyleSpecification
  bounds: Bounds
  /** The zoom range, if set by the author. */
  zoom?: { least?: number; most?: number }
  points?: MapPoint[]
  /** Parts of the map far from the initial view. */
  parts?: { name: string; bounds: Bounds }[]
  /** The lower bounds of the classes, ascending: the legend has an entry for each, and then one for "no data". */
  classes?: number[]
  /** Values of regions by key, set as the feature state `value`. */
  values?: { source: string; sourceLayer?: string; byKey: Record<string, number> }
  /** The set of these regions: its outlines are at `/a/boundaries/{set}.geojson`. */
  regions?: string
  /** The clickable layers, and the property with a feature's key (default: its id). */
  layers?: string[]
  keyProperty?: string
  /** A click on a feature zooms to its region, like its name in the list. */
  opensRegions?: true
  /** The property with the name of unlisted features; default `name`. */
  nameProperty?: string
  /** The lines of a pop-up besides the name: properties of the feature, in order. */
  popup?: PopupLine[]
  /** Records of several sources; `layers`, `keyProperty`, `nameProperty` and `popup` above are for a single one. */
  records?: MapRecords[]
  /** For records with dates: the periods from first to last, and the style's sources whose tiles can be filtered. */
  time?: MapTime
  /** Source and date of the data, for pictures: all of it, or by `data-map-switch`. */
  credits?: { of?: string; text: string }[]
  /** The style's layers by `data-map-switch`. */
  switches?: Record<string, string[]>
}

export interface MapTime {
  unit: 'day' | 'month' | 'year'
  /** ISO names of the first and last period: 2012-01-05, 2012-01, 2012. */
  from: string
  to: string
  layers: {
    /** The style's source, and the field to filter. */
    source: string
    field: string
    /** Whether values are calendar dates; else instants. */
    isCalendar: boolean
    /** The name of the data. */
    name: string
  }[]
}

/** A property of a feature, and its label. */
interface PopupLine {
  property: string
  label: string
}

/** The records of a source. A record's key in the list is `{key}:{id}`. */
export interface MapRecords {
  /** Also its `data-map-switch`. */
  key: string
  /** Shown in the pop-up, as colour alone does not identify the source. */
  name: string
  /** The style's layers of single records, and the one of clusters. */
  layers: string[]
  cluster: string
  idProperty: string
  nameProperty: string
  popup: PopupLine[]
}
