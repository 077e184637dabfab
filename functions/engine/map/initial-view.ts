interface CountedPoint {
  lon: number
  lat: number
  value?: number | null
}

/** The share of records that may be outside at each side. */
const least = 0.01
/** The box of most must be narrower than that of all by this factor for outliers to be left outside. */
const worth = 0.6

/**
 * The initial view of points: the box of all, or, where a few outliers would make all others one dot, of all but 1 % at
 * each side. West, south, east, north; an east beyond 180 crosses the antimeridian, where there are points on both sides
 * of it. Null without points.
 */
export function boxOfMost(points: readonly CountedPoint[]): [number, number, number, number] | null {
  if (points.length === 0) return null
  const weighed = points.map(({ lon, lat, value }) => ({ lon, lat, weight: Number(value ?? 1) }))
  const start = computeStartLongitude(weighed.map(({ lon }) => lon))
  const lons = spread(weighed.map(({ lon, weight }) => [lon < start ? lon + 360 : lon, weight] as const))
  const lats = spread(weighed.map(({ lat, weight }) => [lat, weight] as const))
  const span = ({ all, most }: typeof lons) => (most[1] - most[0]) / Math.max(1e-9, all[1] - all[0])
  const isWorth = Math.min(span(lons), span(lats)) < worth
  const [x, y] = isWorth ? [lons.most, lats.most] : [lons.all, lats.all]
  const east = x[0] >= 180 ? -360 : 0
  return [x[0] + east, y[0], x[1] + east, y[1]]
}

type WeightedValue = readonly [at: number, weight: number]

/** The reach of all, and of all but the least share at each end. */
function spread(values: WeightedValue[]): { all: [number, number]; most: [number, number] } {
  const sorted = [...values].sort((a, b) => a[0] - b[0])
  const total = sorted.reduce((sum, [, weight]) => sum + weight, 0)
  const from = (sortedValues: WeightedValue[]) => {
    let passed = 0
    for (const [at, weight] of sortedValues) {
      passed += weight
      if (passed > least * total) return at
    }
    return 0
  }
  return {
    all: [sorted[0]?.[0] ?? 0, sorted.at(-1)?.[0] ?? 0],
    most: [from(sorted), from([...sorted].reverse())],
  }
}

/** The longitude after the widest gap, going east; -180 where the points are not on both sides of 180. */
function computeStartLongitude(lons: readonly number[]): number {
  const sorted = [...lons].sort((a, b) => a - b)
  const [first = 0, last = 0] = [sorted[0], sorted.at(-1)]
  let [widest, start] = [first + 360 - last, -180]
  sorted.forEach((lon, i) => {
    const gap = lon - (sorted[i - 1] ?? lon)
    if (gap > widest) [widest, start] = [gap, lon]
  })
  return start
}
