import type { FeatureCollection } from 'geojson'
import type { ExpressionSpecification, LayerSpecification, SourceSpecification } from 'maplibre-gl'
import { clusterLayer, pointLayer, pointsSource } from './layer-names.ts'
import type { MapColours } from './style.ts'

/** Points as GeoJSON or its address, gathered in the browser; or the address of tiles that have counted them already. */
export type Points = { attribution?: string } & ({ data: string | FeatureCollection } | { tiles: string })

/** Beyond this the tiles of a zoom are shown larger: positions are half a metre by then. */
const deepestTiles = 18

/** The source of points. */
export function pointSource(points: Points): SourceSpecification {
  const said = points.attribution ? { attribution: points.attribution } : {}
  if ('tiles' in points)
    return { type: 'vector', tiles: [points.tiles], minzoom: 0, maxzoom: deepestTiles, ...said }
  return { type: 'geojson', data: points.data, cluster: true, clusterRadius: 44, clusterMaxZoom: 14, ...said }
}

/**
 * Circles grow with the count, slowly enough for a whole country: 28 at most, so that those of neighbouring cells (64
 * pixels wide) overlap little wherever in them they lie.
 */
const radius: ExpressionSpecification = [
  'interpolate',
  ['linear'],
  ['log10', ['get', 'point_count']],
  ...[0, 9, 1, 12, 2, 16, 3, 20, 4, 24, 5, 28],
] as unknown as ExpressionSpecification

/** What the layers of points are called where they are all there is. */
const ownNames = { source: pointsSource, point: pointLayer, cluster: clusterLayer }

/** Dots, counted circles and their figures. */
export function pointLayers(
  points: Points,
  { colours, font }: { colours: Pick<MapColours, 'data' | 'onData' | 'halo'>; font: string },
  names = ownNames,
): LayerSpecification[] {
  const isCluster = ['has', 'point_count'] as never
  const [circles, dots] =
    'tiles' in points
      ? [{ 'source-layer': 'clusters' }, { 'source-layer': 'points' }]
      : [{ filter: isCluster }, { filter: ['!', isCluster] as never }]
  return [
    {
      id: names.cluster,
      type: 'circle',
      source: names.source,
      ...circles,
      paint: {
        'circle-color': colours.data,
        'circle-opacity': 0.85,
        'circle-radius': radius,
        'circle-stroke-color': colours.halo,
        'circle-stroke-width': 1,
      },
    },
    {
      id: names.point,
      type: 'circle',
      source: names.source,
      ...dots,
      paint: {
        'circle-color': colours.data,
        'circle-radius': ['interpolate', ['linear'], ['zoom'], 4, 3, 14, 6],
        'circle-stroke-color': colours.halo,
        'circle-stroke-width': 1,
      },
    },
    {
      id: `${names.cluster}-count`,
      type: 'symbol',
      source: names.source,
      ...circles,
      layout: {
        'text-field': ['to-string', ['get', 'point_count_abbreviated']],
        'text-font': [font],
        'text-size': 12,
        'text-allow-overlap': true,
      },
      paint: { 'text-color': colours.onData },
    },
  ]
}
