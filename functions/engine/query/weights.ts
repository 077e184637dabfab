import type { Call, Filter, Value } from './types.ts'

/**
 * What values and conditions take of each row, in steps: one is about what comparing one number of one row takes (some tens of
 * nanoseconds of a database's core). The weights were measured on a million rows of Postgres and on 42,000 of the embedded database;
 * `npm run test:full -- cost cost-embedded` prints cost and time side by side.
 */

/** Comparing one value with one other. */
export const perComparison = 1
/** Looking up a value in a list of any length: Postgres hashes the list. */
const perLookup = 3
const perPattern = 4
const perRegexp = 24
/** Reading a key of a JSON map: the whole map is parsed. */
const perDeeper = 8

/** The cost of a function call, without its arguments: by key, otherwise by category. */
const perCall: Record<string, number> = {
  ...{ Math: 1, Comparison: 1, Array: 4, Aggregation: 2, 'Date/Time': 12, Geospatial: 80 },
  ...{ now: 0, last: 0, interval: 0, boundingBox: 8, count: 0, median: 8, distinctCount: 16 },
  // A constant of the query, which is parsed once and not for each row.
  ...{ geojson: 0, intersects: 24, distance: 96 },
}

/** The additional cost per vertex of a constant shape in a call that compares rows with it. */
const perCorner: Record<string, number> = { intersects: 1 / 12, distance: 0.6 }
/** A distance to a line or area, which searches the nearest edge. */
const perNearest = 120

const regexps: ReadonlySet<string> = new Set(['$regexp', '$notRegexp', '$iRegexp', '$notIRegexp'])
/** Operators that compare with a list item by item. */
const unhashed: ReadonlySet<string> = new Set(['$all'])

/** The cost of a value per row, in steps. */
export function estimateValueCost(value: Value): number {
  if (value.kind === 'constant') return 0
  if (value.kind === 'field') return value.deeper.length > 0 ? perDeeper : 0
  const { key, category } = value.function
  const own = (perCall[key] ?? perCall[category] ?? 1) + estimateShapeCost(value)
  return value.arguments.reduce((sum, each) => sum + estimateValueCost(each), own)
}

function estimateShapeCost({ function: { key }, arguments: values }: Call): number {
  const each = perCorner[key]
  if (each === undefined) return 0
  const corners = values.reduce((sum, value) => sum + countCorners(value), 0)
  return each * corners + (key === 'distance' && corners > 1 ? perNearest : 0)
}

/** The number of vertices of the shapes in a query, by the pairs of numbers in their text. */
function countCorners(value: Value): number {
  if (value.kind !== 'call' || value.function.key !== 'geojson') return 0
  const [text] = value.arguments
  const positions = text?.kind === 'constant' ? String(text.literal).match(/\[\s*-?\d/g) : null
  return positions?.length ?? 0
}

/** The cost of a condition per row, in steps. */
export function estimateFilterCost(filter: Filter): number {
  if (filter.kind === 'condition') return perComparison + estimateValueCost(filter.value)
  if (filter.kind === 'not') return estimateFilterCost(filter.of)
  if (filter.kind !== 'comparison') return filter.of.reduce((sum, each) => sum + estimateFilterCost(each), 0)
  const { left, operator, right } = filter
  const values = right.reduce((sum, each) => sum + estimateValueCost(each), estimateValueCost(left))
  const { takes, key } = operator
  if (regexps.has(key)) return values + perRegexp * right.length
  if (takes === 'pattern' || takes === 'patterns') return values + perPattern * right.length
  if (takes === 'list' && !unhashed.has(key)) return values + Math.min(perLookup, right.length)
  return values + perComparison * Math.max(1, right.length)
}
