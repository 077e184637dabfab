import type { IslandWords } from '../island.ts'

export const island: IslandWords = {
  searching: 'Buscando...',
  results: { one: '{n} resultado de búsqueda', other: '{n} resultados de búsqueda' },
  none: '¡Sin resultados!',
  kinds: { domain: 'Ámbito', topic: 'Tema', indicator: 'Indicador', story: 'Historia de datos', map: 'Mapa' },
  noLiveMap:
    'Este navegador no puede dibujar mapas interactivos (falta WebGL). La imagen y la lista se mantienen.',
  mapClasses: 'Mostrar u ocultar clases',
  mapParts: 'Partes del mapa',
  wholeMap: 'Mapa completo',
  mapTime: {
    label: 'Fechas de los registros',
    from: 'Desde',
    to: 'Hasta',
    play: 'Reproducir',
    pause: 'Pausar',
    next: 'Período siguiente',
    all: 'Todas las fechas',
    span: 'de {from} a {to}',
    shown: 'Se muestra: {span} ({names}). La lista tiene todas las fechas.',
  },
  mapPicture: 'Guardar esta vista como imagen',
  mapEmbed: 'Insertar esta vista',
  mapRegions: 'Regiones con sus valores (GeoJSON)',
  mapControls: {
    'GeolocateControl.FindMyLocation': 'Buscar mi ubicación',
    'GeolocateControl.LocationNotAvailable': 'Su ubicación no está disponible',
    'NavigationControl.ZoomIn': 'Acercar',
    'NavigationControl.ZoomOut': 'Alejar',
    'AttributionControl.ToggleAttribution': 'Mostrar u ocultar las fuentes',
    'Popup.Close': 'Cerrar',
    'CooperativeGesturesHandler.WindowsHelpText': 'Use Ctrl + desplazamiento para acercar el mapa',
    'CooperativeGesturesHandler.MacHelpText': 'Use ⌘ + desplazamiento para acercar el mapa',
    'CooperativeGesturesHandler.MobileHelpText': 'Use dos dedos para mover el mapa',
  },
}
