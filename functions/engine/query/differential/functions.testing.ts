import { bucketStart, datePart, parseDuration, startLess } from './calendar.testing.ts'
import type { Cell, Kind, Position } from './cells.testing.ts'
import { compare, identity, Instant, Shape, shapeKinds } from './cells.testing.ts'
import { geodesic, lineLength, ringArea } from './earth.testing.ts'
import { doIntersect } from './plane.testing.ts'

/** The context of a query: its time, its calendar, and whether a number overflowed. */
export interface World {
  now: number
  zone: string
  yearStart: number
  outOfRange: boolean
  /** Unless 0, sums are computed in another order, and measures are slightly changed, to detect answers that depend on it. */
  nudge: number
}

/** A function of the language: the types of its arguments ('any' for all), its result type, and its implementation. */
interface Meaning {
  takes: (readonly Kind[] | 'any')[]
  gives: Kind | 'inherit' | 'item' | 'shape'
  options?: readonly string[]
  /** Of one row. */
  of?: (args: readonly Cell[], world: World) => Cell
  /** Of the values of all rows of a group that are not null. */
  aggregate?: (values: readonly Cell[], world: World) => Cell
  expands?: true
}

const N = ['number'] as const
const D = ['date'] as const
const ND = ['number', 'date'] as const
const T = ['text'] as const

export const bucketUnits =
  'second minute hour day week month quarter customQuarter year customYear decade'.split(' ')
export const extractUnits =
  'hourOfDay dayOfWeek dayOfMonth dayOfYear week month customMonth quarter customQuarter year customYear decade'.split(
    ' ',
  )

/** Double arithmetic. Infinite results, and underflow to zero, are out of range. */
function arithmetic(
  of: (a: number, b: number, world: World) => number | null,
  canVanish = false,
): Meaning['of'] {
  return (args, world) => {
    if (args.some((arg) => arg === null)) return null
    const [a, b] = args as [number, number]
    if (!Number.isFinite(a) || !Number.isFinite(b)) return NaN
    const result = of(a, b, world)
    if (result === null) return null
    if (!Number.isFinite(result) || (canVanish && result === 0 && a !== 0 && b !== 0)) world.outOfRange = true
    return result
  }
}

/** Halves go away from zero. */
function roundHalvesAway(number: number): number {
  const whole = Math.trunc(number)
  return Math.abs(number - whole) >= 0.5 ? whole + Math.sign(number) : whole
}

/**
 * A number as an integer of its last decimal place, and the number of decimals. Beyond 2^53 a number has several decimal
 * representations: which one is used is unspecified.
 */
function decimal(number: number, { nudge }: World): [bigint, number] {
  if (nudge !== 0 && Math.abs(number) > Number.MAX_SAFE_INTEGER) return [BigInt(number), 0]
  const [mantissa = '', exponent = '0'] = number.toString().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const places = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return places < 0 ? [digits * 10n ** BigInt(-places), 0] : [digits, places]
}

/** The remainder of a division in decimal notation: 0.3 by 0.1 leaves 0. The sign is that of a. */
function computeRemainder(a: number, b: number, world: World): number | null {
  if (b === 0) return null
  const [[x, xPlaces], [y, yPlaces]] = [decimal(a, world), decimal(b, world)]
  const places = Math.max(xPlaces, yPlaces)
  const left = (x * 10n ** BigInt(places - xPlaces)) % (y * 10n ** BigInt(places - yPlaces))
  const number = Number(`${left}e-${places}`)
  // Underflow of a nonzero result.
  return number === 0 && left !== 0n ? NaN : number
}

const ms = (cell: Cell) => (cell instanceof Instant ? cell.ms : (cell as number))
const comparison = (holds: (order: number) => boolean): Meaning => ({
  takes: [ND, ND],
  gives: 'boolean',
  of: ([a = null, b = null]) => (a === null || b === null ? null : holds(compare(ms(a), ms(b)))),
})

const strict =
  (of: (args: readonly NonNullable<Cell>[], world: World) => Cell): Meaning['of'] =>
  (args, world) =>
    args.some((arg) => arg === null) ? null : of(args as readonly NonNullable<Cell>[], world)

const geo = (cell: Cell | undefined) => (cell as Shape).geo
const sortCells = (values: readonly Cell[]) => [...values].sort(compare)

/** A different order for each nudge: the database may sum in any. */
function shuffled(values: readonly Cell[], { nudge }: World): readonly Cell[] {
  if (nudge === 0) return values
  const place = (i: number) => Math.imul(i + 1, 2_654_435_761 + nudge * 40_503) >>> 0
  const places = values.map((value, i) => ({ value, at: place(i) }))
  return places.sort((a, b) => a.at - b.at).map(({ value }) => value)
}

function sumValues(values: readonly Cell[], world: World): number {
  const sum = (shuffled(values, world) as readonly number[]).reduce((total, value) => total + value, 0)
  if (!Number.isFinite(sum)) world.outOfRange = true
  return sum
}

/** The database also computes squares: an average of numbers beyond 1e150 may overflow. */
function computeAverage(values: readonly Cell[], world: World): number {
  if ((values as readonly number[]).some((value) => Math.abs(value) > 1e150)) world.outOfRange = true
  return sumValues(values, world) / values.length
}

function computeMedian(values: readonly Cell[]): Cell {
  const inOrder = sortCells(values) as number[]
  const middle = (inOrder.length - 1) / 2
  const [low, high] = [inOrder[Math.floor(middle)], inOrder[Math.ceil(middle)]]
  return low === undefined || high === undefined ? null : low + (high - low) / 2
}

const createAggregation = (aggregate: Meaning['aggregate'], takes: Meaning['takes'] = [N]): Meaning => ({
  takes,
  gives: 'inherit',
  aggregate,
})
const createBinaryFunction = (of: Meaning['of'], gives: Meaning['gives'] = 'number'): Meaning => ({
  takes: [N, N],
  gives,
  of,
})

/** Areas and lengths of the same shapes are requested repeatedly. */
const measured = new Map<string, number>()
function measureOnce(what: string, shape: Cell | undefined, { nudge }: World, measure: () => number): number {
  const key = `${what} ${identity(shape as Cell)}`
  const measurement = measured.get(key) ?? measure()
  measured.set(key, measurement)
  return measurement * (1 + nudge * 1e-8)
}

const computePolygonArea = (rings: readonly (readonly Position[])[]) =>
  rings.reduce((sum, ring, i) => (i === 0 ? ringArea(ring) : sum - ringArea(ring)), 0)

/** All 31 functions. */
export const meanings: Record<string, Meaning> = {
  expand: { takes: [['array']], gives: 'item', expands: true },
  min: createAggregation((values) => sortCells(values)[0] ?? null, [ND]),
  max: createAggregation((values) => sortCells(values).at(-1) ?? null, [ND]),
  sum: createAggregation((values, world) => (values.length === 0 ? null : sumValues(values, world))),
  average: createAggregation((values, world) => (values.length === 0 ? null : computeAverage(values, world))),
  median: createAggregation(computeMedian),
  count: { takes: [], gives: 'number', aggregate: (values) => values.length },
  distinctCount: {
    takes: ['any'],
    gives: 'number',
    aggregate: (values) => new Set(values.map(identity)).size,
  },
  round: { takes: [N], gives: 'number', of: strict(([a]) => roundHalvesAway(a as number)) },
  add: createBinaryFunction(arithmetic((a, b) => a + b)),
  subtract: createBinaryFunction(arithmetic((a, b) => a - b)),
  multiply: createBinaryFunction(arithmetic((a, b) => a * b, true)),
  divide: createBinaryFunction(arithmetic((a, b) => (b === 0 ? null : a / b), true)),
  percentage: createBinaryFunction(arithmetic((a, b) => (b === 0 ? null : a / b), true)),
  remainder: createBinaryFunction(arithmetic(computeRemainder)),
  gt: comparison((order) => order > 0),
  lt: comparison((order) => order < 0),
  gte: comparison((order) => order >= 0),
  lte: comparison((order) => order <= 0),
  eq: comparison((order) => order === 0),
  now: { takes: [], gives: 'date', of: (_, { now }) => new Instant(now) },
  last: {
    takes: [T],
    gives: 'date',
    of: ([text], { now, zone }) =>
      new Instant(startLess(now, parseDuration(text as string) ?? { days: 0, ms: 0 }, zone)),
  },
  interval: { takes: [D, D], gives: 'number', of: strict(([a, b]) => ms(b as Cell) - ms(a as Cell)) },
  bucket: {
    takes: [T, D],
    gives: 'date',
    options: bucketUnits,
    of: strict(
      ([unit, at], { zone, yearStart }) =>
        new Instant(bucketStart(unit as string, ms(at as Cell), zone, yearStart)),
    ),
  },
  extract: {
    takes: [T, D],
    gives: 'number',
    options: extractUnits,
    of: strict(([unit, at], { zone, yearStart }) =>
      datePart(unit as string, ms(at as Cell), zone, yearStart),
    ),
  },
  area: {
    takes: [['polygon', 'multipolygon']],
    gives: 'number',
    of: strict(([shape], world) =>
      measureOnce('area', shape, world, () => {
        const { type, coordinates } = geo(shape)
        if (type === 'Polygon') return computePolygonArea(coordinates as Position[][])
        return (coordinates as Position[][][]).reduce((sum, rings) => sum + computePolygonArea(rings), 0)
      }),
    ),
  },
  length: {
    takes: [['line', 'multiline']],
    gives: 'number',
    of: strict(([shape], world) =>
      measureOnce('length', shape, world, () => {
        const { type, coordinates } = geo(shape)
        const lines = type === 'LineString' ? [coordinates as Position[]] : (coordinates as Position[][])
        return lines.reduce((sum, line) => sum + lineLength(line), 0)
      }),
    ),
  },
  distance: {
    takes: [shapeKinds, shapeKinds],
    gives: 'number',
    // Only for two points: the nearest position on a geodesic has no closed formula.
    of: strict(([a, b], { nudge }) => {
      const { meters } = geodesic(geo(a).coordinates as Position, geo(b).coordinates as Position)
      return meters * (1 + nudge * 1e-8)
    }),
  },
  intersects: {
    takes: [shapeKinds, shapeKinds],
    gives: 'boolean',
    of: strict(([a, b]) => doIntersect(geo(a), geo(b))),
  },
  geojson: { takes: [T], gives: 'shape', of: ([text]) => new Shape(JSON.parse(text as string)) },
  boundingBox: {
    takes: [N, N, N, N],
    gives: 'polygon',
    of: strict((corners) => {
      const [x1, y1, x2, y2] = corners as readonly number[] as [number, number, number, number]
      return new Shape({
        type: 'Polygon',
        coordinates: [
          [
            [x1, y1],
            [x1, y2],
            [x2, y2],
            [x2, y1],
            [x1, y1],
          ],
        ],
      })
    }),
  },
}
