import type { IslandWords } from '../island.ts'

export const island: IslandWords = {
  searching: 'Searching...',
  results: { other: '{n} search results' },
  none: 'No results!',
  kinds: { domain: 'Domain', topic: 'Topic', indicator: 'Indicator', story: 'Data story', map: 'Map' },
  noLiveMap: 'This browser cannot draw live maps (WebGL is missing). The picture and the list stay.',
  mapClasses: 'Show or hide classes',
  mapParts: 'Parts of the map',
  wholeMap: 'Whole map',
  mapPicture: 'Save this view as a picture',
  mapControls: {
    'GeolocateControl.FindMyLocation': 'Find my location',
    'GeolocateControl.LocationNotAvailable': 'Your location is not available',
    'NavigationControl.ZoomIn': 'Zoom in',
    'NavigationControl.ZoomOut': 'Zoom out',
    'AttributionControl.ToggleAttribution': 'Toggle attribution',
    'Popup.Close': 'Close popup',
    'CooperativeGesturesHandler.WindowsHelpText': 'Use Ctrl + scroll to zoom the map',
    'CooperativeGesturesHandler.MacHelpText': 'Use ⌘ + scroll to zoom the map',
    'CooperativeGesturesHandler.MobileHelpText': 'Use two fingers to move the map',
  },
}
