import type { FilterSpecification, LayerSpecification, SourceSpecification } from 'maplibre-gl'
import { recordLayerNames, setSource } from './layer-names.ts'
import { pointLayers, pointSource, type Points, type Share } from './point-layers.ts'

/** An area of a set of boundaries: one region by its `gid`, or (null) all regions of a level together. */
export interface BoundaryAt {
  set: string
  level: string
  gid: string | null
  colour: string
  /** Only its outline is drawn: a fill would change colours that represent values. */
  isLine?: boolean
}

/** Records of one source on a map. */
export interface RecordLayer {
  /** Letters, digits, minus: its layers and its switch are called by it. */
  key: string
  points: Points
  /** Its tiles have lines and polygons as well. */
  hasShapes?: boolean
  colour: string
  /** The figures in its circles. */
  onColour: string
}

/** The boundary: a faint fill in its colour, and a line around it that is drawn over all other borders. */
export function boundaryLayers({ set, level, gid, colour, isLine }: BoundaryAt): LayerSpecification[] {
  const buildLayerSource = (layer: string, filter: FilterSpecification | null) => ({
    source: setSource(set),
    'source-layer': layer,
    ...(filter ? { filter } : {}),
  })
  const only: FilterSpecification | null = gid === null ? null : ['==', ['get', 'gid'], gid]
  const fill: LayerSpecification = {
    id: 'boundary',
    type: 'fill',
    ...buildLayerSource(level, only),
    paint: { 'fill-color': colour, 'fill-opacity': 0.12, 'fill-antialias': false },
  }
  return [
    ...(isLine ? [] : [fill]),
    {
      id: 'boundary-line',
      type: 'line',
      ...(gid === null
        ? buildLayerSource(`${level}_line`, ['==', ['get', 'kind'], 'outer'])
        : buildLayerSource(level, only)),
      layout: { 'line-join': 'round' },
      paint: { 'line-color': colour, 'line-width': 2 },
    },
  ]
}

/** The sources of records by their names. */
export function recordSources(layers: readonly RecordLayer[]): Record<string, SourceSpecification> {
  return Object.fromEntries(
    layers.map(({ key, points }) => [recordLayerNames(key).source, pointSource(points)]),
  )
}

/** The layer ids of one source, and those among them whose features are records. */
export function recordLayerIds({ key, hasShapes }: Pick<RecordLayer, 'key' | 'hasShapes'>) {
  const { point, cluster } = recordLayerNames(key)
  const shapes = hasShapes ? [`area-${key}`, `line-${key}`] : []
  return { all: [...shapes, cluster, point, `${cluster}-count`], records: [point, ...shapes], cluster }
}

/** Areas, lines, dots and counted circles of one source, in its colour. */
export function recordLayers(
  { key, points, hasShapes, colour, onColour }: RecordLayer,
  { colours, ...text }: { colours: { halo: string; label: string }; font: string; locale?: string },
  share: Share,
): LayerSpecification[] {
  const names = recordLayerNames(key)
  const at = { source: names.source, 'source-layer': 'shapes' }
  const shapes: LayerSpecification[] = [
    {
      id: `area-${key}`,
      type: 'fill',
      ...at,
      filter: ['in', ['geometry-type'], ['literal', ['Polygon', 'MultiPolygon']]],
      paint: { 'fill-color': colour, 'fill-opacity': 0.35 },
    },
    { id: `line-${key}`, type: 'line', ...at, paint: { 'line-color': colour, 'line-width': 1.5 } },
  ]
  const own = { data: colour, onData: onColour, halo: colours.halo, label: colours.label }
  return [...(hasShapes ? shapes : []), ...pointLayers(points, { colours: own, ...text }, names, share)]
}
