import type { IslandWords } from '../island.ts'

export const island: IslandWords = {
  searching: 'Suche läuft...',
  results: { one: '{n} Suchergebnis', other: '{n} Suchergebnisse' },
  none: 'Keine Ergebnisse!',
  kinds: {
    domain: 'Bereich',
    topic: 'Thema',
    indicator: 'Indikator',
    story: 'Datengeschichte',
    map: 'Karte',
  },
  noLiveMap: 'Dieser Browser kann keine interaktiven Karten zeichnen (WebGL fehlt). Bild und Liste bleiben.',
  mapClasses: 'Klassen ein- oder ausblenden',
  mapParts: 'Teile der Karte',
  wholeMap: 'Ganze Karte',
  mapPicture: 'Diese Ansicht als Bild speichern',
  mapControls: {
    'GeolocateControl.FindMyLocation': 'Meinen Standort finden',
    'GeolocateControl.LocationNotAvailable': 'Ihr Standort ist nicht verfügbar',
    'NavigationControl.ZoomIn': 'Vergrößern',
    'NavigationControl.ZoomOut': 'Verkleinern',
    'AttributionControl.ToggleAttribution': 'Quellenangaben ein- oder ausblenden',
    'Popup.Close': 'Schließen',
    'CooperativeGesturesHandler.WindowsHelpText': 'Zum Zoomen der Karte Strg + Mausrad verwenden',
    'CooperativeGesturesHandler.MacHelpText': 'Zum Zoomen der Karte ⌘ + Mausrad verwenden',
    'CooperativeGesturesHandler.MobileHelpText': 'Karte mit zwei Fingern verschieben',
  },
}
