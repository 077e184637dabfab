import type { FeatureCollection } from 'geojson'
import { placeOf, pointAlias, projectionOf } from '#app/charts/map-spec.ts'
import { formatValue, nameOfCode, unitOf } from '#app/charts/format.ts'
import type { ChartInput } from '#app/charts/frame.ts'
import { measuresOf } from '#app/charts/roles.ts'
import { phrasesOf } from '#app/charts/phrases.ts'
import { regionFinder } from '#app/maps/regions.ts'
import { staticMap, type StaticMap } from '#app/maps/static-map.ts'
import type { AnswerRow } from '#functions/shapes/analytics.ts'
import { inView, readShapes } from './shapes.ts'

/** What a map is drawn from, each row with the key it has on the map and in the list beside it. */
export interface MapKeys {
  setId: string
  shapes: FeatureCollection
  kind: 'regions' | 'points'
  nameAlias: string
  /** The column that colours regions or sizes points; null without one. */
  measureAlias: string | null
  rows: { key: string; row: AnswerRow; at?: [number, number] }[]
  /** The region that a value names. */
  regionOf(called: unknown): string | null
  /** What the thing of a row is called: its code by name where its field has one; '' without. */
  nameOf(row: AnswerRow): string
}

/** The regions of a map that names none. */
export const defaultSet = 'us-states'

type Answered = Pick<ChartInput, 'visualization' | 'output' | 'rows'>

/** Reads what a map is made of: regions named by a column, or points, with a key for each row that has a place. */
export async function mapKeys(tiles: R2Bucket, { visualization, output, rows }: Answered): Promise<MapKeys> {
  const { region, color, size, label, boundarySetId } = visualization.settings ?? {}
  const setId = boundarySetId ?? defaultSet
  const shapes = await readShapes(tiles, setId)
  const regionOf = regionFinder(shapes)
  const namer = (alias: string) => (row: AnswerRow) =>
    nameOfCode(row[alias], output.schema[alias]) ?? String(row[alias] ?? '')
  if (region) {
    const nameOf = namer(region)
    return {
      ...{ setId, shapes, regionOf, kind: 'regions', nameAlias: region, nameOf },
      measureAlias: color ?? measuresOf(output)[0] ?? null,
      rows: rows.flatMap((row) => {
        const key = regionOf(row[region]) ?? regionOf(nameOf(row))
        return key ? [{ key, row }] : []
      }),
    }
  }
  const geometry = pointAlias({ visualization, output })
  const placed = rows.flatMap((row, index) => {
    const at = placeOf(row, visualization, geometry)
    return at ? [{ key: String(index), row, at }] : []
  })
  const places = placed.map(({ at: [lon, lat] }) => ({ lon, lat }))
  const firstText = Object.keys(output.schema).find((alias) => output.schema[alias]?.type === 'text')
  const nameAlias = label ?? firstText ?? ''
  return {
    ...{ setId, regionOf, kind: 'points', rows: placed },
    shapes: setId === 'us-counties' ? inView(shapes, places) : shapes,
    ...{ nameAlias, nameOf: namer(nameAlias) },
    measureAlias: size ?? null,
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

/** How the values of a map are written, and their unit ('' without one). */
export function measureOf(
  { measureAlias }: MapKeys,
  { output, locale, timeZone }: Pick<ChartInput, 'output' | 'locale' | 'timeZone'>,
): { unit: string; format(value: number): string } {
  const measure = measureAlias === null ? undefined : output.schema[measureAlias]
  return {
    unit: unitOf(measure, locale) ?? '',
    format: (value) => formatValue(value, measure, { locale, timeZone, unit: '' }),
  }
}

/** The map of an answer as SVG with what its legend says, `id` unique in its page. */
export function drawMap(
  keys: MapKeys,
  input: ChartInput,
  names: { id: string; title: string; description: string },
  size: { width: number; height: number },
): StaticMap & { format(value: number): string } {
  const { unit, format } = measureOf(keys, input)
  const points = keys.rows.flatMap(({ row, at }) =>
    at ? [{ lon: at[0], lat: at[1], label: keys.nameOf(row) }] : [],
  )
  const drawn = staticMap({
    ...{ shapes: keys.shapes, ...names, ...size },
    ...(keys.kind === 'regions' ? { values: regionValues(keys) } : { points }),
    legend: { ...(unit ? { unit } : {}), format, noData: phrasesOf(input.locale).noData },
    projection: projectionOf(keys.setId),
  })
  return { ...drawn, format }
}
