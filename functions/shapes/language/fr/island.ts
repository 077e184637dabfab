import type { IslandWords } from '../island.ts'

export const island: IslandWords = {
  searching: 'Recherche en cours...',
  results: { one: '{n} résultat de recherche', other: '{n} résultats de recherche' },
  none: 'Aucun résultat\u00a0!',
  kinds: {
    domain: 'Domaine',
    topic: 'Thème',
    indicator: 'Indicateur',
    story: 'Récit de données',
    map: 'Carte',
  },
  noLiveMap:
    'Ce navigateur ne peut pas dessiner de cartes interactives (WebGL manque). L’image et la liste restent affichées.',
  mapClasses: 'Afficher ou masquer les classes',
  mapParts: 'Parties de la carte',
  wholeMap: 'Carte entière',
  mapTime: {
    label: 'Dates des enregistrements',
    from: 'De',
    to: 'À',
    play: 'Lire',
    pause: 'Pause',
    next: 'Période suivante',
    all: 'Toutes les dates',
    span: 'de {from} à {to}',
    shown: 'Affiché : {span} ({names}). La liste contient toutes les dates.',
  },
  mapPicture: 'Enregistrer cette vue comme image',
  mapEmbed: 'Intégrer cette vue',
  mapRegions: 'Régions avec leurs valeurs (GeoJSON)',
  mapControls: {
    'GeolocateControl.FindMyLocation': 'Trouver ma position',
    'GeolocateControl.LocationNotAvailable': 'Votre position n’est pas disponible',
    'NavigationControl.ZoomIn': 'Zoom avant',
    'NavigationControl.ZoomOut': 'Zoom arrière',
    'AttributionControl.ToggleAttribution': 'Afficher ou masquer les sources',
    'Popup.Close': 'Fermer',
    'CooperativeGesturesHandler.WindowsHelpText': 'Utilisez Ctrl + défilement pour zoomer sur la carte',
    'CooperativeGesturesHandler.MacHelpText': 'Utilisez ⌘ + défilement pour zoomer sur la carte',
    'CooperativeGesturesHandler.MobileHelpText': 'Utilisez deux doigts pour déplacer la carte',
  },
}
