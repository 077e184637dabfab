import type { FeatureCollection } from 'geojson'
import { formatValue, unitOf } from '#app/charts/format.ts'
import { regionFinder } from '#app/maps/regions.ts'
import { staticMap } from '#app/maps/static-map.ts'
import type { ProjectionName } from '#app/maps/projection.ts'
import type { Context } from '#functions/context.ts'
import type { AnswerRow } from '#functions/shapes/analytics.ts'
import type { Answered } from './answered.server.ts'
import type { Reading } from './figure.server.ts'
import { liveMap } from './live-map.server.ts'
import { inView, readShapes } from './shapes.server.ts'

/** What a map insight draws, each row with the key it has on the map and in the list beside it. */
export interface MapKeys {
  setId: string
  shapes: FeatureCollection
  kind: 'regions' | 'points'
  nameAlias: string
  /** The column that colours regions or sizes points; null without one. */
  measureAlias: string | null
  rows: { key: string; row: AnswerRow; at?: [number, number] }[]
}

const size = { width: 640, height: 420 }
const defaultSet = 'us-states'

/** The map of an insight as SVG with its legend, and the file that makes it live. */
export async function mapFigure(ctx: Context, insight: Answered, reading: Reading) {
  const keys = await mapKeys(ctx, insight)
  const measure = keys.measureAlias === null ? undefined : insight.output.schema[keys.measureAlias]
  const unit = unitOf(measure)
  const format = (value: number) => formatValue(value, measure, { ...reading, unit: '' })
  const { svg, legend } = staticMap({
    shapes: keys.shapes,
    ...(keys.kind === 'regions' ? { values: regionValues(keys) } : { points: pointsOf(keys) }),
    ...size,
    id: insight.id,
    title: insight.name,
    description: insight.notes || insight.name,
    legend: { ...(unit ? { unit } : {}), format },
    projection: projectionOf(keys.setId),
  })
  const breaks = legend.classes.slice(1).map(({ from }) => from)
  const live = await liveMap(ctx, keys, breaks, format)
  return {
    svg,
    legend,
    ...(live ? { mapHref: await ctx.attach('application/json', JSON.stringify(live)) } : {}),
  }
}

/** Reads what a map insight is made of: regions named by a column, or points, with a key for each row. */
export async function mapKeys(ctx: Context, { visualization, output, rows }: Answered): Promise<MapKeys> {
  const { region, color, size: sizeBy, geometry, label, boundarySetId } = visualization.settings ?? {}
  const setId = boundarySetId ?? defaultSet
  const shapes = await readShapes(ctx, setId)
  const firstOf = (type: string) =>
    Object.keys(output.schema).find((key) => output.schema[key]?.type === type)
  if (region) {
    const gidOf = regionFinder(shapes)
    const named = rows.flatMap((row) => {
      const key = gidOf(row[region])
      return key ? [{ key, row }] : []
    })
    return {
      setId,
      shapes,
      kind: 'regions',
      nameAlias: region,
      measureAlias: color ?? firstOf('number') ?? null,
      rows: named,
    }
  }
  const alias = geometry ?? firstOf('point') ?? ''
  const placed = rows.flatMap((row, i) => {
    const at = (row[alias] as { coordinates?: [number, number] } | null)?.coordinates
    return at ? [{ key: String(i), row, at: [at[0], at[1]] as [number, number] }] : []
  })
  const seen =
    setId === 'us-counties'
      ? inView(
          shapes,
          placed.map(({ at: [lon, lat] }) => ({ lon, lat })),
        )
      : shapes
  return {
    setId,
    shapes: seen,
    kind: 'points',
    nameAlias: label ?? firstOf('text') ?? '',
    measureAlias: sizeBy ?? null,
    rows: placed,
  }
}

/** The measure of each region by its gid; null where the row has no number. */
export function regionValues({ rows, measureAlias }: MapKeys): Map<string, number | null> {
  return new Map(
    rows.map(({ key, row }) => {
      const value = measureAlias === null ? null : row[measureAlias]
      return [key, typeof value === 'number' ? value : null]
    }),
  )
}

export function pointsOf({ rows, nameAlias }: MapKeys) {
  return rows.flatMap(({ row, at }) =>
    at ? [{ lon: at[0], lat: at[1], label: String(row[nameAlias] ?? '') }] : [],
  )
}

export function projectionOf(setId: string): ProjectionName {
  if (setId === 'us-counties') return 'mercator'
  return setId.startsWith('us-') ? 'albersUsa' : 'equalEarth'
}
