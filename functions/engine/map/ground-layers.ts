import type { Polygon } from 'geojson'
import type {
  ExpressionSpecification,
  FilterSpecification,
  LayerSpecification,
  VectorSourceSpecification,
} from 'maplibre-gl'
import type { ArchiveFacts } from '#functions/engine/tile/archives.ts'
import { escapeXml } from './svg.ts'
import type { MapColours } from './style.ts'

/** The sources of the ground in a style: the base map, and the one below it where it covers a part of the world only. */
const groundSource = 'ground'
const belowSource = 'ground-below'

/** A base map. `below`: one of the whole world, where this archive covers a part of it only. */
export interface GroundArchive extends ArchiveFacts {
  below?: ArchiveFacts
}

/**
 * The parts of the base map that a boundary set draws itself, in its own detail: both together would show double lines
 * and names. A set with regions is that of the United States: regions of other countries are drawn where the archive can
 * distinguish them (`in_us`, which ours has).
 */
export type GroundKind = 'country' | 'region'

interface GroundLook {
  ground: GroundArchive
  colours: MapColours
  font: string
  /** The language of names; missing ones fall back to English, then to the local name. */
  locale: string
  without: ReadonlySet<GroundKind>
  /** Names of regions that the sets label already. */
  labelled: readonly string[]
}

/** The sources of a base map. */
export function groundSources(
  { below, ...archive }: GroundArchive,
  origin: string,
): Record<string, VectorSourceSpecification> {
  return {
    ...(below && { [belowSource]: groundTiles(below, origin) }),
    [groundSource]: groundTiles(archive, origin),
  }
}

/** The source of an archive in the schema of Protomaps' basemaps, with its attribution. */
function groundTiles(
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
const buildTypeFilter = (...types: string[]): ExpressionSpecification => [
  'in',
  ['geometry-type'],
  ['literal', types],
]
const isArea = buildTypeFilter('Polygon', 'MultiPolygon')
const isLine = buildTypeFilter('LineString', 'MultiLineString')
/** Whether a feature is drawn at this zoom: the deepest tiles include features for closer ones. */
const isDue: ExpressionSpecification = ['<=', ['coalesce', ['get', 'min_zoom'], 0], ['+', ['zoom'], 0.5]]

/** Streets, and the rivers and canals that are lines. */
const streetKinds = ['highway', 'major_road', 'medium_road', 'minor_road']
const riverKinds = ['river', 'canal', 'stream']

/** Land, water, rivers and streets if the archive has them, and borders: the layers below the data. */
export function groundLayers(look: GroundLook): LayerSpecification[] {
  const { below, ...ground } = look.ground
  return [
    // The detailed one covers what it has of the other.
    ...(below ? buildSourceLayers({ ...look, ground: below }, belowSource) : []),
    ...buildSourceLayers({ ...look, ground }, groundSource),
  ]
}

/** Whether an archive has what a layer draws. */
const isIn = ({ layers }: ArchiveFacts, layer: LayerSpecification) =>
  layers.includes(String('source-layer' in layer && layer['source-layer']))

function buildSourceLayers({ ground, colours, without }: GroundLook, source: string): LayerSpecification[] {
  const buildLayerSource = (layer: string) => ({ source, 'source-layer': layer })
  const round = { 'line-join': 'round', 'line-cap': 'round' } as const
  const layers: LayerSpecification[] = [
    {
      ...{
        id: `${source}-land`,
        type: 'fill',
        ...buildLayerSource('earth'),
        filter: isArea as FilterSpecification,
      },
      // Pieces of land meet at the edges of tiles: smoothed, the water between them would be seen.
      paint: { 'fill-color': colours.land, 'fill-antialias': false },
    },
    {
      ...{
        id: `${source}-water`,
        type: 'fill',
        ...buildLayerSource('water'),
        filter: isArea as FilterSpecification,
      },
      paint: { 'fill-color': colours.water },
    },
    {
      ...{ id: `${source}-rivers`, type: 'line', ...buildLayerSource('water'), minzoom: 6, layout: round },
      filter: ['all', isLine, kindIs(...riverKinds)] as FilterSpecification,
      paint: {
        'line-color': colours.water,
        'line-width': [
          ...(['interpolate', ['exponential', 1.4], ['zoom']] as const),
          ...[6, ['match', ['get', 'kind'], 'river', 1, 0.4]],
          ...[16, ['match', ['get', 'kind'], 'river', 9, 3]],
        ] as never,
      },
    },
    {
      ...{ id: `${source}-streets`, type: 'line', ...buildLayerSource('roads'), minzoom: 9, layout: round },
      filter: kindIs(...streetKinds) as FilterSpecification,
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
      .flatMap((kind) =>
        [false, true].map((isDisputed) => border(source, kind, isDisputed, colours, without)),
      ),
  ]
  return layers.filter((layer) => isIn(ground, layer))
}

/** Regions of other countries than the one whose regions a set draws; all of them without such a set. */
function regionsLeft(without: ReadonlySet<GroundKind>): ExpressionSpecification[] {
  return without.has('region') ? [['==', ['get', 'in_us'], false]] : []
}

function border(
  source: string,
  kind: GroundKind,
  isDisputed: boolean,
  { line }: MapColours,
  without: ReadonlySet<GroundKind>,
): LayerSpecification {
  const remaining = kind === 'region' ? regionsLeft(without) : []
  const isOne: ExpressionSpecification = ['==', ['coalesce', ['get', 'disputed'], false], isDisputed]
  const [scaleFar, close] = kind === 'country' ? [0.7, 1.8] : [0.4, 1]
  return {
    id: `${source}-${kind}-line${isDisputed ? '-disputed' : ''}`,
    ...{ type: 'line', source, 'source-layer': 'boundaries' },
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

/** Names of streets, waters, towns, regions and countries: above the data, and first to be dropped for lack of space. */
export function groundLabels(look: GroundLook): LayerSpecification[] {
  const { below, ...ground } = look.ground
  const isBeyond: ExpressionSpecification = ['!', ['within', toPolygon(ground.bounds)]]
  return [
    ...(below ? buildLabelLayers({ ...look, ground: below }, belowSource, [isBeyond]) : []),
    ...buildLabelLayers({ ...look, ground }, groundSource, []),
  ]
}

const toPolygon = ([west, south, east, north]: ArchiveFacts['bounds']): Polygon => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
})

/** `only`: conditions on all names. */
function buildLabelLayers(
  { ground, colours, font, locale, without, labelled }: GroundLook,
  source: string,
  only: ExpressionSpecification[],
): LayerSpecification[] {
  const label = (
    id: string,
    sourceLayer: string,
    filters: ExpressionSpecification[],
    [far, close]: [far: number, close: number],
    sort: ExpressionSpecification,
    more: { minzoom?: number; maxzoom?: number; opacity?: number; isAlong?: true } = {},
  ): LayerSpecification => ({
    ...{ id: `${source}-${id}-label`, type: 'symbol', source, 'source-layer': sourceLayer },
    ...(more.minzoom === undefined ? {} : { minzoom: more.minzoom }),
    ...(more.maxzoom === undefined ? {} : { maxzoom: more.maxzoom }),
    filter: ['all', ...filters, ...only] as FilterSpecification,
    layout: {
      ...{ 'text-field': nameIn(locale), 'text-font': [font] },
      'text-size': ['interpolate', ['linear'], ['zoom'], 3, far, 10, close],
      ...{ 'text-max-width': 7, 'text-padding': 6, 'symbol-sort-key': sort },
      ...(more.isAlong && { 'symbol-placement': 'line', 'symbol-spacing': 350 }),
    },
    paint: {
      ...{ 'text-color': colours.label, 'text-halo-color': colours.halo, 'text-halo-width': 1.8 },
      'text-opacity': more.opacity ?? 1,
    },
  })
  const place = (kind: string) => [kindIs(kind), isDue]
  const byZoom: ExpressionSpecification = ['coalesce', ['get', 'min_zoom'], 20]
  const byPeople: ExpressionSpecification = ['-', 0, ['coalesce', ['get', 'population'], 0]]
  const unlabelled = labelled.length > 0 ? [isUnlabelled(labelled)] : []
  const layers = [
    label('street', 'roads', [kindIs(...streetKinds), isLine], [9, 11], byZoom, {
      ...{ minzoom: 13, opacity: 0.8, isAlong: true },
    }),
    label('river', 'water', [kindIs(...riverKinds), isLine], [9, 11], byZoom, {
      ...{ minzoom: 10, opacity: 0.8, isAlong: true },
    }),
    // Lakes and seas have a point for their name besides their areas.
    label('water', 'water', [buildTypeFilter('Point'), isDue], [9.5, 12], byZoom, { opacity: 0.8 }),
    label('town', 'places', place('locality'), [10, 14], byPeople),
    label(
      'region',
      'places',
      [...place('region'), ...regionsLeft(without), ...unlabelled],
      [9.5, 13],
      byZoom,
      {
        ...{ maxzoom: 9, opacity: 0.7 },
      },
    ),
    ...(without.has('country')
      ? []
      : [label('country', 'places', place('country'), [11, 16], byZoom, { maxzoom: 8 })]),
  ]
  return layers.filter((layer) => isIn(ground, layer))
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
