import type { Plural } from '../plural.ts'

/**
 * The texts that scripts of pages add and that are not in the HTML: results of the search box, and live maps.
 * Browsers load them with the first script that needs any.
 */
export interface IslandTexts {
  searching: string
  results: Plural
  none: string
  /** No part of a search succeeded; there is a button to retry. */
  searchFailed: string
  /** Stands after the results if some part of a search failed; there is a button to retry. */
  searchIncomplete: string
  kinds: { domain: string; topic: string; indicator: string; story: string; map: string }
  /** This browser cannot draw live maps. */
  noLiveMap: string
  /** Some tiles of a live map failed to load; there is a button to retry. */
  /** Tiles do not draw all lines and areas. */
  mapCut: string
  mapIncomplete: string
  /** The button after a failure of a search or of a live map. */
  tryAgain: string
  /** The accessible name of the legend of a live map, whose entries are buttons. */
  mapClasses: string
  /**
   * The accessible name of the buttons for distant parts of a live map; `wholeMap` labels the one that leads
   * back.
   */
  mapParts: string
  wholeMap: string
  /**
   * The time sliders of a live map whose records have dates. `span` has {from} and {to}; `shown` has {span},
   * and {names} of the data sets.
   */
  mapTime: Record<'label' | 'from' | 'to' | 'play' | 'pause' | 'next' | 'all' | 'span' | 'shown', string>
  /** Saves the view of a live map as a picture, with title and legend. */
  mapPicture: string
  mapPrint: string
  /** Opens the code of an iframe that starts with the view of a live map. */
  mapEmbed: string
  /** Saves the geometries of the regions of a live map with their values. */
  mapRegions: string
  /** The texts of MapLibre's controls, by MapLibre's keys. */
  mapControls: Record<
    | 'NavigationControl.ZoomIn'
    | 'NavigationControl.ZoomOut'
    | 'GeolocateControl.FindMyLocation'
    | 'GeolocateControl.LocationNotAvailable'
    | 'AttributionControl.ToggleAttribution'
    | 'Popup.Close'
    | 'CooperativeGesturesHandler.WindowsHelpText'
    | 'CooperativeGesturesHandler.MacHelpText'
    | 'CooperativeGesturesHandler.MobileHelpText',
    string
  >
}
