import type { TopLevelSpec } from 'vega-lite'
import { formatValue } from './format.ts'
import { chartWidths } from './frame.ts'
import type { ChartInput } from './frame.ts'
import { formatOptions, measureTitle, toNumber, formatMeasure } from './measure.ts'
import { tokenColour, type ChartToken } from './palette.ts'
import { getPhrases } from './phrases.ts'
import { getMeasures } from './roles.ts'

/** Where the regions of a boundary set are, as GeoJSON. */
const boundaries = (setId: string) => `/a/boundaries/${setId}.geojson`

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** The point column of an answer: the configured one, otherwise the first; undefined without one. */
export function pointAlias({
  visualization,
  output,
}: Pick<ChartInput, 'visualization' | 'output'>): string | undefined {
  const geometryColumn = visualization.settings?.geometry
  if (geometryColumn !== undefined && geometryColumn in output.schema) return geometryColumn
  return Object.keys(output.schema).find((alias) => output.schema[alias]?.type === 'point')
}

/** Longitude and latitude of a row, from its point or from two numeric columns; null without a location. */
export function findPosition(
  row: Record<string, unknown>,
  visualization: ChartInput['visualization'],
  geometry: string | undefined,
): [number, number] | null {
  const { latitude, longitude } = visualization.settings ?? {}
  const value =
    latitude !== undefined && longitude !== undefined
      ? [row[longitude], row[latitude]]
      : (row[geometry ?? ''] as { coordinates?: unknown[] } | null | undefined)?.coordinates
  const [lon, lat] = Array.isArray(value) ? value.map(toNumber) : []
  if (lon === null || lat === null || lon === undefined || lat === undefined) return null
  return Math.abs(lon) <= 180 && Math.abs(lat) <= 90 ? [lon, lat] : null
}

/** How a boundary set is laid flat. */
export function getProjectionType(setId: string): 'mercator' | 'albersUsa' | 'equalEarth' {
  if (setId === 'us-states') return 'albersUsa'
  return setId === 'world-countries' ? 'equalEarth' : 'mercator'
}

/**
 * The spec of a map, for programs: points as circles, or regions coloured by the classes of a measure, which need `regions`; over the
 * regions of a boundary set, which the spec names by address. Pages draw maps themselves (see `functions/engine/map`).
 */
export function mapSpec(input: ChartInput): TopLevelSpec | null {
  const { region, boundarySetId = 'us-states' } = input.visualization.settings ?? {}
  const layer =
    region && input.regions ? regionLayer(input, input.regions, region, boundarySetId) : pointsLayer(input)
  if (!layer) return null
  const width = input.width ?? chartWidths.wide
  const land = {
    data: { url: boundaries(boundarySetId), format: { type: 'json', property: 'features' } },
    mark: {
      type: 'geoshape',
      fill: tokenColour('--chart-grid'),
      stroke: tokenColour('--chart-surface'),
      aria: false,
    },
  }
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    description: input.title,
    width,
    height: input.height ?? Math.round(width * 0.65),
    background: 'transparent',
    projection: { type: getProjectionType(boundarySetId) },
    layer: [land, layer],
    config: { font: 'inherit', view: { stroke: null } },
  } as TopLevelSpec
}

function pointsLayer(input: ChartInput): object | null {
  const { label, size } = input.visualization.settings ?? {}
  const { schema } = input.output
  const geometry = pointAlias(input)
  const name = label ?? Object.keys(schema).find((alias) => schema[alias]?.type === 'text')
  const values = input.rows.flatMap((row) => {
    const place = findPosition(row, input.visualization, geometry)
    if (!place) return []
    const tip = name === undefined ? '' : formatValue(row[name], schema[name], formatOptions(input))
    const area = size === undefined ? {} : { size: toNumber(row[size]) ?? 0 }
    return [{ longitude: place[0], latitude: place[1], tip, ...area }]
  })
  if (values.length === 0) return null
  return {
    data: { values },
    mark: { type: 'circle', fill: tokenColour('--cat-1'), opacity: 0.7, aria: false },
    encoding: {
      longitude: { field: 'longitude', type: 'quantitative' },
      latitude: { field: 'latitude', type: 'quantitative' },
      tooltip: { field: 'tip', type: 'nominal' },
      ...(size === undefined ? {} : { size: { field: 'size', type: 'quantitative', legend: null } }),
    },
  }
}

function regionLayer(
  input: ChartInput,
  { keys, classes, missing }: NonNullable<ChartInput['regions']>,
  region: string,
  setId: string,
): object | null {
  const { schema } = input.output
  const alias = input.visualization.settings?.color ?? getMeasures(input.output)[0]
  const field = alias === undefined ? undefined : schema[alias]
  const gids = new Set<string>()
  const values = input.rows.flatMap((row, at) => {
    const gid = keys[at]
    // For several rows of a region every drawing uses the first.
    if (!isText(gid) || gids.has(gid)) return []
    gids.add(gid)
    const value = alias === undefined ? null : toNumber(row[alias])
    const match = value === null ? undefined : classes.findLast(({ from }) => from <= value)
    if (value === null || !match) return []
    const name = formatValue(row[region], schema[region], formatOptions(input))
    return [{ gid, value, class: match.label, tip: `${name}: ${formatMeasure(value, field, input)}` }]
  })
  if (values.length === 0) return null
  const steps = [
    ...classes.map(({ label, fill }) => ({ label, color: toSpecColour(fill) })),
    ...(missing > 0 ? [{ label: getPhrases(input.locale).noData, color: tokenColour('--chart-grid') }] : []),
  ]
  return {
    data: { values },
    transform: [
      {
        lookup: 'gid',
        from: {
          data: { url: boundaries(setId), format: { type: 'json', property: 'features' } },
          key: 'properties.gid',
        },
        as: 'geo',
      },
    ],
    mark: { type: 'geoshape', stroke: tokenColour('--chart-surface'), aria: false },
    encoding: {
      shape: { field: 'geo', type: 'geojson' },
      fill: {
        field: 'class',
        type: 'ordinal',
        scale: { domain: steps.map(({ label }) => label), range: steps.map(({ color }) => color) },
        legend: { title: measureTitle(field, input) },
      },
      tooltip: { field: 'tip', type: 'nominal' },
    },
  }
}

/** The colour of a specification for `var(--seq-3)`. */
const toSpecColour = (fill: string) => tokenColour(fill.replace(/^var\((.*)\)$/, '$1') as ChartToken)
