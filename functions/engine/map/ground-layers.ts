import type {
  ExpressionSpecification,
  FilterSpecification,
  LayerSpecification,
  VectorSourceSpecification,
} from 'maplibre-gl'
import type { ArchiveFacts } from '#functions/engine/tile/archives.ts'
import { escapeXml } from './svg.ts'
import type { MapColours } from './style.ts'

/** The source of the ground in a style. */
export const groundSource = 'ground'

/**
 * The parts of the base map that a boundary set draws itself, in its own detail: both together would show double lines
 * and names. A set with regions is that of the United States: regions of other countries are drawn where the archive can
 * distinguish them (`in_us`, which ours has).
 */
export type GroundKind = 'country' | 'region'

interface GroundLook {
  ground: ArchiveFacts
  colours: MapColours
  font: string
  /** The language of names; missing ones fall back to English, then to the local name. */
  locale: string
  without: ReadonlySet<GroundKind>
  /** Names of regions that the sets label already. */
  labelled: readonly string[]
}

/** The source of an archive in the schema of Protomaps' basemaps, with its attribution. */
export function groundTiles(
  { hash, minZoom, maxZoom, bounds, attribution }: ArchiveFacts,
  origin: string,
): VectorSourceSpecification {
  return {
    ...{ type: 'vector', url: `pmtiles://${origin}/a/${hash}.pmtiles`, bounds },
    ...{ minzoom: minZoom, maxzoom: maxZoom, attribution: linked(attribution) },
  }
}

/** MapLibre treats an attribution as HTML. OpenStreetMap requires a link to its licence. */
function linked(attribution: string): string {
  return escapeXml(attribution).replace(
    /(?:© ?)?OpenStreetMap(?: contributors)?/,
    '<a href="https://www.openstreetmap.org/copyright">© OpenStreetMap</a>',
  )
}

const kindIs = (...kinds: string[]): ExpressionSpecification => ['in', ['get', 'kind'], ['literal', kinds]]
const isArea: ExpressionSpecification = ['in', ['geometry-type'], ['literal', ['Polygon', 'MultiPolygon']]]
/** Whether a feature is drawn at this zoom: the deepest tiles include features for closer ones. */
const isDue: ExpressionSpecification = ['<=', ['coalesce', ['get', 'min_zoom'], 0], ['+', ['zoom'], 0.5]]

/** Land, water, streets if the archive has them, and borders: the layers below the data. */
export function groundLayers({ ground, colours, without }: GroundLook): LayerSpecification[] {
  const at = (layer: string) => ({ source: groundSource, 'source-layer': layer })
  const layers: LayerSpecification[] = [
    {
      ...{ id: 'ground-land', type: 'fill', ...at('earth'), filter: isArea as FilterSpecification },
      // Pieces of land meet at the edges of tiles: smoothed, the water between them would be seen.
      paint: { 'fill-color': colours.land, 'fill-antialias': false },
    },
    {
      ...{ id: 'ground-water', type: 'fill', ...at('water'), filter: isArea as FilterSpecification },
      paint: { 'fill-color': colours.water },
    },
    {
      ...{ id: 'ground-streets', type: 'line', ...at('roads'), minzoom: 9 },
      filter: kindIs('highway', 'major_road', 'medium_road', 'minor_road') as FilterSpecification,
      layout: { 'line-join': 'round', 'line-cap': 'round' },
      paint: {
        'line-color': colours.line,
        'line-opacity': ['match', ['get', 'kind'], 'highway', 0.9, 'major_road', 0.7, 0.45],
        'line-width': [
          ...(['interpolate', ['exponential', 1.5], ['zoom']] as const),
          ...[9, ['match', ['get', 'kind'], 'highway', 1, 0.4]],
          ...[17, ['match', ['get', 'kind'], 'highway', 9, 'major_road', 7, 4]],
        ] as never,
      },
    },
    ...(['region', 'country'] as const)
      .filter((kind) => kind === 'region' || !without.has(kind))
      .flatMap((kind) => [false, true].map((isDisputed) => border(kind, isDisputed, colours, without))),
  ]
  return layers.filter((layer) =>
    ground.layers.includes(String('source-layer' in layer && layer['source-layer'])),
  )
}

/** Regions of other countries than the one whose regions a set draws; all of them without such a set. */
function regionsLeft(without: ReadonlySet<GroundKind>): ExpressionSpecification[] {
  return without.has('region') ? [['==', ['get', 'in_us'], false]] : []
}

function border(
  kind: GroundKind,
  isDisputed: boolean,
  { line }: MapColours,
  without: ReadonlySet<GroundKind>,
): LayerSpecification {
  const remaining = kind === 'region' ? regionsLeft(without) : []
  const isOne: ExpressionSpecification = ['==', ['coalesce', ['get', 'disputed'], false], isDisputed]
  const [scaleFar, close] = kind === 'country' ? [0.7, 1.8] : [0.4, 1]
  return {
    id: `ground-${kind}-line${isDisputed ? '-disputed' : ''}`,
    ...{ type: 'line', source: groundSource, 'source-layer': 'boundaries' },
    filter: ['all', kindIs(kind), isDue, isOne, ...remaining] as FilterSpecification,
    layout: { 'line-join': 'round' },
    paint: {
      'line-color': line,
      'line-width': ['interpolate', ['linear'], ['zoom'], 2, scaleFar, 9, close],
      // Disputed borders are dashed.
      ...(isDisputed ? { 'line-dasharray': [3, 2] } : kind === 'region' ? { 'line-dasharray': [4, 2] } : {}),
    },
  }
}

/** Names of towns, regions and countries: above the data, and first to be dropped for lack of space. */
export function groundLabels({
  ground,
  colours,
  font,
  locale,
  without,
  labelled,
}: GroundLook): LayerSpecification[] {
  if (!ground.layers.includes('places')) return []
  const label = (
    id: string,
    kind: string,
    size: [far: number, close: number],
    sort: ExpressionSpecification,
    more: { minzoom?: number; maxzoom?: number; opacity?: number; filters?: ExpressionSpecification[] },
  ): LayerSpecification => ({
    ...{ id, type: 'symbol', source: groundSource, 'source-layer': 'places' },
    ...(more.minzoom === undefined ? {} : { minzoom: more.minzoom }),
    ...(more.maxzoom === undefined ? {} : { maxzoom: more.maxzoom }),
    filter: ['all', kindIs(kind), isDue, ...(more.filters ?? [])] as FilterSpecification,
    layout: {
      ...{ 'text-field': nameIn(locale), 'text-font': [font] },
      'text-size': ['interpolate', ['linear'], ['zoom'], 3, size[0], 10, size[1]],
      ...{ 'text-max-width': 7, 'text-padding': 6, 'symbol-sort-key': sort },
    },
    paint: {
      ...{ 'text-color': colours.label, 'text-halo-color': colours.halo, 'text-halo-width': 1.8 },
      'text-opacity': more.opacity ?? 1,
    },
  })
  const byZoom: ExpressionSpecification = ['coalesce', ['get', 'min_zoom'], 20]
  const byPeople: ExpressionSpecification = ['-', 0, ['coalesce', ['get', 'population'], 0]]
  return [
    label('ground-town-label', 'locality', [10, 14], byPeople, {}),
    label('ground-region-label', 'region', [9.5, 13], byZoom, {
      ...{ maxzoom: 9, opacity: 0.7 },
      filters: [...regionsLeft(without), ...(labelled.length > 0 ? [isUnlabelled(labelled)] : [])],
    }),
    ...(without.has('country')
      ? []
      : [label('ground-country-label', 'country', [11, 16], byZoom, { maxzoom: 8 })]),
  ]
}

/** Whether none of a region's names, local and English, is among these. */
function isUnlabelled(names: readonly string[]): ExpressionSpecification {
  const isOne = (key: string): ExpressionSpecification => [
    'in',
    ['to-string', ['get', key]],
    ['literal', [...names]],
  ]
  return ['!', ['any', isOne('name'), isOne('name:en')]]
}

/**
 * A name in the reader's language, or in English, or the local name. MapLibre shapes Arabic, Devanagari and Thai itself; where
 * the font of the page lacks a script, the reader's system draws it.
 */
function nameIn(locale: string): ExpressionSpecification {
  const language = locale.split('-')[0] ?? 'en'
  const [first = 'name', ...others] = new Set([`name:${language}`, 'name:en', 'name'])
  return ['coalesce', ['get', first], ...others.map((key): ExpressionSpecification => ['get', key]), '']
}
