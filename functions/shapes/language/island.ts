import type { Plural } from '../plural.ts'

/**
 * What scripts of pages say, of which no page need say anything before: the box of the search as it answers in place, and live maps.
 * Browsers load it with the first script that says some of it.
 */
export interface IslandWords {
  searching: string
  results: Plural
  none: string
  kinds: { domain: string; topic: string; indicator: string; story: string; map: string }
  /** This browser cannot draw live maps. */
  noLiveMap: string
  /** Some tiles of a live map failed; the button for another attempt. */
  mapIncomplete: string
  tryAgain: string
  /** Names the signs of a live map's legend, which are buttons then. */
  mapClasses: string
  /** Names the buttons that lead to far parts of a live map, and says the one that leads back. */
  mapParts: string
  wholeMap: string
  /** The sliders of a live map whose records have dates. `span` has {from} and {to}; `shown` {span}, and {names} of the data. */
  mapTime: Record<'label' | 'from' | 'to' | 'play' | 'pause' | 'next' | 'all' | 'span' | 'shown', string>
  /** Saves what a live map shows, with its title and legend. */
  mapPicture: string
  /** Opens the code of a frame that begins with what a live map shows. */
  mapEmbed: string
  /** Saves the outlines of the regions of a live map with their values. */
  mapRegions: string
  /** What the controls of a live map say, by MapLibre's names of these texts. */
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
