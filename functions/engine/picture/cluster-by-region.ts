import type { ChartInput } from '#functions/engine/chart/frame.ts'
import { regionFinder } from '#functions/engine/map/regions.ts'
import { getRegionColumnNames } from '#functions/engine/map/words.ts'
import { areaFinder } from '#functions/engine/region/inside.ts'
import type { AnswerRow, Output } from '#functions/shapes/analytics.ts'
import { listPolygons } from '#functions/shapes/fields/geometry.ts'
import { divideByRegion } from './divide.ts'
import { mapKeys, type MapKeys, type ReadOwn } from './map.ts'

type MapInput = Pick<ChartInput, 'visualization' | 'output' | 'rows'>

/** More circles cannot be distinguished; a map with more regions keeps its points. */
const maxCircles = 500

/**
 * The answer that a map shows: points counted by region, or a measure normalised by region, where configured; otherwise
 * unchanged. All texts about the map are derived from it. `readOwn` as in `mapKeys`.
 */
export async function mapAnswer<Answer extends MapInput>(
  tiles: R2Bucket,
  answer: Answer,
  locale: string,
  readOwn?: ReadOwn,
): Promise<Answer> {
  const clusters = await clusterByRegion(tiles, answer, locale, readOwn)
  return divideByRegion(tiles, clusters, locale, readOwn)
}

/**
 * The number of points in each region of the map's set, the most first; points outside of all, and rows without a
 * location, form a row without a region. A column calculated by the set gives the region of a row, otherwise the
 * outlines do. Unchanged where a limit truncated the rows, since counts would be partial, and where there are too many
 * regions for circles.
 */
async function clusterByRegion<Answer extends MapInput>(
  tiles: R2Bucket,
  answer: Answer,
  locale: string,
  readOwn?: ReadOwn,
): Promise<Answer> {
  const { visualization, output, rows } = answer
  const { clusterByRegion: isEnabled, boundarySetId, region, zoom, labels } = visualization.settings ?? {}
  if (visualization.type !== 'map' || isEnabled !== true || boundarySetId === undefined) return answer
  if (region !== undefined || (output.total ?? 0) > rows.length) return answer
  const keys = await mapKeys(tiles, answer, readOwn)
  const findRegion = buildRegionFinder(keys, output)
  const placements = new Map(keys.rows.map(({ row, at }) => [row, at]))
  const counts = new Map<string | null, number>()
  for (const row of rows) {
    const gid = findRegion(row, placements.get(row))
    counts.set(gid, (counts.get(gid) ?? 0) + 1)
  }
  const countedRegions = keys.shapes.features.flatMap(({ properties }) => {
    const { gid, code, name } = (properties ?? {}) as { gid?: string; code?: string; name?: string }
    const count = gid === undefined ? undefined : counts.get(gid)
    return gid === undefined || count === undefined ? [] : [{ value: code ?? gid, name: name ?? gid, count }]
  })
  if (countedRegions.length === 0 || countedRegions.length > maxCircles) return answer
  const words = getRegionColumnNames(locale)
  const withoutRegion = counts.get(null) ?? 0
  const schema: Output['schema'] = {
    region: {
      ...{ name: words.region, type: 'text' },
      values: countedRegions.map(({ value, name }) => ({ value, name })),
    },
    points: { name: words.points, type: 'number' },
  }
  const byCount = countedRegions.toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
  return {
    ...answer,
    visualization: {
      type: 'map',
      settings: {
        ...{ region: 'region', color: 'points', boundarySetId, clusterByRegion: true, sizeByValue: true },
        ...(zoom && { zoom }),
        ...(labels === undefined ? {} : { labels }),
      },
    },
    output: {
      aggregations: [{ alias: 'points', name: words.points, function: 'count' }],
      groupings: [{ alias: 'region' }],
      orderings: [{ alias: 'points', direction: 'desc' }],
      schema,
    },
    rows: [
      ...byCount.map(({ value, count }): AnswerRow => ({ region: value, points: count })),
      ...(withoutRegion > 0 ? [{ region: null, points: withoutRegion }] : []),
    ],
  }
}

/** Finds the region of a row: by a column calculated by the set, otherwise by the location of its point; null for none. */
function buildRegionFinder({ setId, shapes }: MapKeys, { schema }: Output) {
  const alias = Object.keys(schema).find((each) => schema[each]?.regionOf?.boundarySetId === setId)
  if (alias !== undefined) {
    const find = regionFinder(shapes)
    return (row: AnswerRow) => find(row[alias])
  }
  const find = areaFinder(
    shapes.features.map((feature) => ({
      key: String(feature.properties?.['gid']),
      rings: listPolygons(feature.geometry).flat(),
    })),
  )
  return (_row: AnswerRow, at: [number, number] | undefined) => (at ? (find(at[0], at[1])[0] ?? null) : null)
}
