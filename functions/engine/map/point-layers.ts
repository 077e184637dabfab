import type { FeatureCollection } from 'geojson'
import type { ExpressionSpecification, LayerSpecification, SourceSpecification } from 'maplibre-gl'
import { countFigure } from './count-figures.ts'
import { clusterLayer, pointLayer, pointsSource } from './layer-names.ts'
import type { MapColours } from './style.ts'

/** Points as GeoJSON or its address, gathered in the browser; or the address of tiles that have counted them already. */
export type Points = { attribution?: string } & (
  | {
      data: string | FeatureCollection
      /** The largest `value`: each point is then a circle of its own, sized by value. */
      mostValue?: number
      /** Its property `label` is written in each. */
      isCounted?: boolean
    }
  | { tiles: string }
)

/** Beyond this the tiles of a zoom are shown larger: positions are half a metre by then. */
const deepestTiles = 18

/** The source of points. */
export function pointSource(points: Points): SourceSpecification {
  const value = points.attribution ? { attribution: points.attribution } : {}
  if ('tiles' in points)
    return { type: 'vector', tiles: [points.tiles], minzoom: 0, maxzoom: deepestTiles, ...value }
  return {
    type: 'geojson',
    data: points.data,
    ...(points.mostValue === undefined ? { cluster: true, clusterRadius: 44, clusterMaxZoom: 14 } : {}),
    ...value,
  }
}

/**
 * Circles grow with each power of ten of the count: 28 at most, so that those of neighbouring cells (64 pixels wide)
 * hardly overlap.
 */
const radii = [9, 12, 16, 20, 24, 28]
/** The offset of a circle in a shared location: a quarter of a cell, so that it stays in its cell. */
const aside = 16

/** The index of a layer among several point layers. */
export interface Share {
  at: number
  of: number
}

/**
 * The look of one of several layers, whose circles would cover each other where they count the same places. Each layer
 * is offset to its own side, and circles are limited to the space there. Positions of clusters are means within a cell,
 * so an offset within it does no harm; single records are not moved.
 */
function computeLayerOffset({ at, of }: Share): { move: [number, number]; most: number } {
  if (of < 2) return { move: [0, 0], most: Infinity }
  const angle = (2 * Math.PI * at) / of
  const side = (part: number) => Math.round(aside * part * 10) / 10
  return {
    move: [side(Math.sin(angle)), side(-Math.cos(angle))],
    most: Math.floor(10 * aside * Math.sin(Math.PI / of)) / 10,
  }
}

function radiusUpTo(most: number): ExpressionSpecification {
  const steps = radii.flatMap((radius, power) => [power, Math.min(radius, most)])
  // The type requires a fixed number of steps, but they come from a table.
  return [
    'interpolate',
    ['linear'],
    ['log10', ['get', 'point_count']],
    ...steps,
  ] as unknown as ExpressionSpecification
}

/** The names of a single point layer. */
const ownNames = { source: pointsSource, point: pointLayer, cluster: clusterLayer }

/** Dots, counted circles and their figures, as numbers are written in `locale` (English by default). */
export function pointLayers(
  points: Points,
  {
    colours,
    font,
    locale = 'en',
  }: { colours: Pick<MapColours, 'data' | 'onData' | 'halo' | 'label'>; font: string; locale?: string },
  names = ownNames,
  share: Share = { at: 0, of: 1 },
): LayerSpecification[] {
  if ('data' in points && points.mostValue !== undefined)
    return [
      sizedLayer(points.mostValue, colours, names),
      ...(points.isCounted ? [countLayer(colours, font, names)] : []),
    ]
  const { move, most } = computeLayerOffset(share)
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
        'circle-radius': radiusUpTo(most),
        'circle-translate': move,
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
        'text-field': countFigure(locale),
        'text-font': [font],
        'text-size': share.of < 4 ? 12 : 10,
        'text-allow-overlap': true,
      },
      paint: {
        'text-color': colours.onData,
        'text-translate': move,
        // A figure may be wider than a small circle.
        ...(share.of < 2 ? {} : { 'text-halo-color': colours.data, 'text-halo-width': 1.5 }),
      },
    },
  ]
}

/** The labels of circles sized by value, above what is below. */
const countLayer = (
  { label, halo }: Pick<MapColours, 'label' | 'halo'>,
  font: string,
  names: { source: string; point: string },
): LayerSpecification => ({
  ...{ id: `${names.point}-count`, type: 'symbol', source: names.source },
  layout: { 'text-field': ['get', 'label'], 'text-font': [font], 'text-size': 12 },
  paint: { 'text-color': label, 'text-halo-color': halo, 'text-halo-width': 1.5 },
})

/** The largest radius of a circle sized by value. */
const largestSized = 28

/** A circle a point, its area its value, the small ones above the large. */
function sizedLayer(
  mostValue: number,
  colours: Pick<MapColours, 'data' | 'halo'>,
  names: { source: string; point: string },
): LayerSpecification {
  const value: ExpressionSpecification = ['to-number', ['get', 'value'], 0]
  const radius: ExpressionSpecification = [
    'max',
    2,
    ['*', largestSized, ['sqrt', ['/', value, Math.max(mostValue, Number.MIN_VALUE)]]],
  ]
  return {
    ...{ id: names.point, type: 'circle', source: names.source },
    layout: { 'circle-sort-key': ['-', 0, value] },
    paint: {
      ...{ 'circle-color': colours.data, 'circle-opacity': 0.6, 'circle-radius': radius },
      ...{ 'circle-stroke-color': colours.halo, 'circle-stroke-width': 1 },
    },
  }
}
