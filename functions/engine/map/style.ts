import type { LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl'
import {
  groundLabels,
  groundLayers,
  groundSources,
  type GroundArchive,
  type GroundKind,
} from './ground-layers.ts'
import { toLocale } from '#functions/shapes/locale.ts'
import { hatchImageName } from './hatch.ts'
import { choroplethLayer, nameLayer, noDataLayer, pointsSource, setSource } from './layer-names.ts'
import {
  boundaryLayers,
  recordLayers,
  recordSources,
  type BoundaryAt,
  type RecordLayer,
} from './place-layers.ts'
import { pointLayers, pointSource, type Points } from './point-layers.ts'

/** The properties of a tile archive; an entry of the manifest has them all. */
export interface MapSet {
  name: string
  hash: string
  /** An uploaded set: its archive is below its name, and its outer borders are no coasts. */
  isOwn?: true
  bounds: [number, number, number, number]
  minZoom: number
  maxZoom: number
  attribution: string
  layers: string[]
  /** The names of its regions, where they are few: the base map does not label its own regions of these names. */
  names?: string[]
}

/** Colours as the page's theme has them now: WebGL cannot read custom properties. */
export interface MapColours {
  water: string
  land: string
  line: string
  label: string
  /** Behind letters: the colour of the page. */
  halo: string
  /** Dots of data, and the figure in them. */
  data: string
  onData: string
}

export interface MapStyleOptions {
  sets: MapSet[]
  /** Scheme and host of the tiles, without a trailing slash. */
  origin: string
  dark: boolean
  colours: MapColours
  /** The CSS font family of labels, e.g. 'Public Sans'; it must be loaded before. */
  font: string
  /** The archive of the ground under everything: land, water, borders and, over the data, names. */
  ground?: GroundArchive
  /** The language of names on the base map and of built-in regions; English by default. */
  locale?: string
  /** The set whose areas are the land without a base map. */
  basemap?: string
  /** Colours the areas of a level by the feature state `value`, ascending: all classes but the first begin at their `from`. */
  choropleth?: { set: string; level: string; classes: { from: number; colour: string }[] }
  /** Points drawn as dots, clustered where they are dense. */
  points?: Points
  /** The borders and names to draw: of this level and the levels above it. Null: none. By default those of all sets. */
  borders?: { set: string; level: string } | null
  /** A highlighted area, in its own colour. */
  boundary?: BoundaryAt
  /** False: neither the base map nor regions are labelled. */
  isNamed?: boolean
  /** Records of several sources, each in its own colour. */
  records?: RecordLayer[]
}

/**
 * A MapLibre style without requests to other hosts: tiles by `pmtiles://` (register the protocol first), labels in fonts
 * of the page (so no glyphs, no sprite). Areas are identified by `gid`; sources have their attribution.
 */
export function mapStyle(options: MapStyleOptions): StyleSpecification {
  const { sets, colours, dark, choropleth, points, basemap, boundary, ground, records = [] } = options
  const { isNamed = true } = options
  const sources: Record<string, SourceSpecification> = {}
  for (const set of sets) sources[setSource(set.name)] = tileSource(set, options.origin)
  if (ground) Object.assign(sources, groundSources(ground, options.origin))
  if (points) sources[pointsSource] = pointSource(points)
  Object.assign(sources, recordSources(records))
  const base = sets.find((set) => set.name === basemap)
  const allPointLayers = [
    ...(points ? pointLayers(points, options) : []),
    ...records.flatMap((each, at) => recordLayers(each, options, { at, of: records.length })),
  ]
  const look = ground && {
    ...{ ground, colours, font: options.font, locale: options.locale ?? 'en' },
    without: collectDrawnKinds(options),
    labelled: sets.flatMap((set) =>
      getBorderLevels(set, options.borders).length > 0 ? (set.names ?? []) : [],
    ),
  }
  const isFigure = ({ type }: LayerSpecification) => type === 'symbol'
  const layers: LayerSpecification[] = [
    { id: 'water', type: 'background', paint: { 'background-color': colours.water } },
    ...(look ? groundLayers(look) : base ? landLayers(base, colours) : []),
    ...(choropleth ? choroplethFills(choropleth, colours) : []),
    ...sets.flatMap((set) => lineLayers(set, options)),
    ...(boundary ? boundaryLayers(boundary) : []),
    ...allPointLayers.filter((each) => !isFigure(each)),
    ...(look && isNamed ? groundLabels(look) : []),
    ...(isNamed ? sets.flatMap((set) => labelLayers(set, options)) : []),
    // Above all circles, and above names: MapLibre places labels from the top down, so a name gives way to a figure.
    ...allPointLayers.filter(isFigure),
  ]
  return { version: 8, name: dark ? 'Dark' : 'Light', sources, layers }
}

function tileSource(set: MapSet, origin: string): SourceSpecification {
  const promoteId: Record<string, string> = {}
  for (const level of getSetLevels(set)) promoteId[level] = 'gid'
  return {
    type: 'vector',
    url: `pmtiles://${origin}/a/${set.isOwn ? `sets/${set.name}/` : ''}${set.hash}.pmtiles`,
    bounds: set.bounds,
    minzoom: set.minZoom,
    maxzoom: set.maxZoom,
    attribution: set.attribution,
    promoteId,
  }
}

/** Largest level first, as in the manifest. */
function getSetLevels(set: MapSet): string[] {
  return set.layers.filter((layer) => set.layers.includes(`${layer}_label`))
}

/** The levels of a set whose borders and names are drawn. */
function getBorderLevels(set: MapSet, borders: MapStyleOptions['borders']): string[] {
  const levels = getSetLevels(set)
  if (borders === undefined) return levels
  return borders?.set === set.name ? levels.slice(0, levels.indexOf(borders.level) + 1) : []
}

/** What of the ground the sets draw themselves. */
function collectDrawnKinds({ sets, borders }: MapStyleOptions): Set<GroundKind> {
  const kinds: Record<string, GroundKind> = { state: 'region', country: 'country' }
  return new Set(sets.flatMap((set) => getBorderLevels(set, borders).flatMap((level) => kinds[level] ?? [])))
}

function landLayers(set: MapSet, { land }: MapColours): LayerSpecification[] {
  return getSetLevels(set).map((level) => ({
    id: `${set.name}-${level}`,
    type: 'fill',
    source: setSource(set.name),
    'source-layer': level,
    // edges of neighbours meet exactly; smoothing them would show the water between
    paint: { 'fill-color': land, 'fill-antialias': false },
  }))
}

/** Whether a region has a value: set as its state when the map is there. */
const hasValue = ['==', ['typeof', ['feature-state', 'value']], 'number']

/** The colours of regions, and the hatching of those without a value. */
function choroplethFills(
  { set, level, classes }: NonNullable<MapStyleOptions['choropleth']>,
  { land }: MapColours,
): LayerSpecification[] {
  const value = ['to-number', ['feature-state', 'value']]
  const [first = { colour: land }, ...others] = classes
  const steps = others.flatMap(({ from, colour }) => [from, colour])
  const fill = steps.length > 0 ? ['step', value, first.colour, ...steps] : first.colour
  const at = { type: 'fill' as const, source: setSource(set), 'source-layer': level }
  return [
    {
      id: choroplethLayer,
      ...at,
      paint: {
        'fill-color': ['case', hasValue, fill, land] as never,
        'fill-antialias': false,
      },
    },
    {
      id: noDataLayer,
      ...at,
      paint: {
        'fill-pattern': hatchImageName,
        'fill-antialias': false,
        'fill-opacity': ['case', hasValue, 0, 1] as never,
      },
    },
  ]
}

/** Borders of a set. Over a choropleth only its own level and the levels above it are drawn. */
function lineLayers(
  set: MapSet,
  { colours, choropleth, basemap, ground, borders }: MapStyleOptions,
): LayerSpecification[] {
  const isOverData = choropleth?.set === set.name
  const deepest = isOverData ? getSetLevels(set).indexOf(choropleth.level) : Infinity
  return getBorderLevels(set, borders).flatMap((level, depth) => {
    if (depth > deepest) return []
    return [
      {
        id: `${set.name}-${level}-line`,
        type: 'line' as const,
        source: setSource(set.name),
        'source-layer': `${level}_line`,
        // land and water show the coast; two sets would draw it twice, in different detail
        ...((basemap || ground) && !set.isOwn ? { filter: ['==', ['get', 'kind'], 'inner'] as never } : {}),
        layout: { 'line-join': 'round' as const },
        paint: {
          'line-color': isOverData ? colours.halo : colours.line,
          'line-width': [
            'interpolate',
            ['linear'],
            ['zoom'],
            2,
            depth === 0 ? 0.6 : 0.3,
            8,
            depth === 0 ? 1.6 : 0.8,
          ] as never,
        },
      },
    ]
  })
}

/** The names of regions in the reader's language: sets that everyone has carry those that differ from the name. */
function labelLayers(
  set: MapSet,
  { colours, font, borders, locale = 'en' }: MapStyleOptions,
): LayerSpecification[] {
  const levels = getBorderLevels(set, borders)
  return levels.map((level, depth) => ({
    id: nameLayer(set.name, level),
    type: 'symbol',
    source: setSource(set.name),
    'source-layer': `${level}_label`,
    // close up, the names of the level below are enough
    ...(depth < levels.length - 1 ? { maxzoom: 6.5 } : {}),
    layout: {
      'text-field': ['coalesce', ['get', `name:${toLocale(locale)}`], ['get', 'name'], ''],
      'text-font': [font],
      'text-size': ['interpolate', ['linear'], ['zoom'], 2, depth === 0 ? 11 : 10, 8, depth === 0 ? 15 : 12],
      'text-max-width': 7,
      'text-padding': 4,
      'symbol-sort-key': ['get', 'rank'],
    },
    paint: { 'text-color': colours.label, 'text-halo-color': colours.halo, 'text-halo-width': 2 },
  }))
}
