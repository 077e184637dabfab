import type { ClassMethod, MapPalette } from '#functions/shapes/analytics.ts'
import { equalBounds, exact, naturalBounds } from './breaks.ts'
import { paletteToken } from './palettes.ts'

/** One step of a legend. A value belongs to the last class whose `from` is not above it. */
export interface MapClass {
  label: string
  from: number
  to: number
  /** A CSS colour, as a custom property of the theme. */
  fill: string
  /** Only for dots: the radius, in the units of the drawing, of a dot that stands for `to`. */
  radius?: number
}

/** How values are divided and coloured: quantiles in blue where nothing is said, as many as the values fill. */
export interface Classing {
  by?: ClassMethod
  /** How many classes; those of `own` are one more than their bounds. */
  count?: number
  /** Of `own`: where all classes but the first begin, least first. */
  bounds?: readonly number[]
  palette?: MapPalette
}

/**
 * Gives classes of values, least first: by themselves up to seven with about as many values in each (quantiles), their bounds rounded as
 * far as that holds. Up to five values (or as many as classes are asked for) that are written differently get a class each. No class
 * without a value, but between others where widths or bounds are asked for: then a class has its colour wherever the values lie.
 * None at all for no values. `step`: how far apart two values are at least that are written differently. Labels are of what is
 * written, and do not overlap: a value is in the class whose label it can be read in, also where it is written larger than it is.
 */
export function classesOf(
  values: number[],
  format: (value: number) => string,
  step = stepOf(values),
  classing: Classing = {},
): MapClass[] {
  const { by = 'quantile', palette = 'blue' } = classing
  const fillOf = (index: number, count: number) => `var(${paletteToken(palette, index, count)})`
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b)
  const [least, most] = [sorted[0], sorted[sorted.length - 1]]
  if (least === undefined || most === undefined) return []
  /** The least value of each text. */
  const decimalsByText = new Map<string, number>()
  for (const value of sorted) if (!decimalsByText.has(format(value))) decimalsByText.set(format(value), value)
  if ((by === 'quantile' || by === 'natural') && decimalsByText.size <= (classing.count ?? 5)) {
    return [...decimalsByText].map(([label, from], i) => ({
      ...{ label, from, to: sorted.findLast((value) => format(value) === label) ?? from },
      fill: fillOf(i, decimalsByText.size),
    }))
  }
  const roundBounds = boundsOf(sorted, classing).map((bound) => exact(Math.round(bound / step) * step))
  const isBelow = (bound: number) => bound <= least || format(bound) === format(least)
  const bounds = roundBounds.filter(
    (bound, i, all) => bound <= most && bound > (all[i - 1] ?? least) && !isBelow(bound),
  )
  const starts = [
    { bound: least, from: least },
    // What is written as the bound is of its class.
    ...bounds.map((bound) => ({ bound, from: Math.min(bound, decimalsByText.get(format(bound)) ?? bound) })),
  ].filter(
    ({ from }, i, all) =>
      by === 'own' ||
      by === 'equal' ||
      sorted.some((value) => value >= from && value < (all[i + 1]?.from ?? Infinity)),
  )
  // With bounds of its author a class has the same colour on each map of these bounds, also where the least or most are not there.
  const [first, count] =
    by === 'own' ? [roundBounds.filter(isBelow).length, roundBounds.length + 1] : [0, starts.length]
  return starts.map(({ bound, from }, i) => {
    const next = starts[i + 1]
    const [low, high] = [format(bound), format(next ? exact(next.bound - step) : most)]
    const label = low === high ? low : `${low} – ${high}`
    return { label, from, to: next?.from ?? most, fill: fillOf(first + i, count) }
  })
}

/** Where all classes but the first begin, before they are rounded to what is written. */
function boundsOf(sorted: number[], { by = 'quantile', count, bounds = [] }: Classing): number[] {
  const [least = 0, most = 0] = [sorted[0], sorted[sorted.length - 1]]
  const classes = count ?? (sorted.length < 100 ? 5 : 7)
  if (by === 'own') return [...bounds]
  if (by === 'equal') return equalBounds(least, most, classes)
  return by === 'natural' ? naturalBounds(sorted, classes) : niceBreaks(sorted, classes)
}

/** The power of ten that all values are whole multiples of; a billionth at least. */
function stepOf(values: number[]): number {
  for (let digits = 0; digits < 9; digits += 1) {
    const isWhole = (value: number) =>
      Math.abs(value - Number(value.toFixed(digits))) <= 1e-12 * Math.abs(value)
    if (values.every((value) => !Number.isFinite(value) || isWhole(value))) return exact(10 ** -digits)
  }
  return 1e-9
}

/** Gives the place of the class a value belongs to, null for a missing value. */
export function classIndex(classes: MapClass[], value: number | null | undefined): number | null {
  if (value === null || value === undefined || !Number.isFinite(value) || classes.length === 0) return null
  const above = classes.findIndex((entry) => value < entry.from)
  return above === -1 ? classes.length - 1 : Math.max(0, above - 1)
}

function niceBreaks(sorted: number[], count: number): number[] {
  const quantiles = [...Array(count - 1).keys()].map(
    (i) => sorted[Math.floor(((i + 1) * sorted.length) / count)] ?? 0,
  )
  const usable = (breaks: number[]) => [...new Set(breaks)].filter((value) => value > (sorted[0] ?? 0))
  const bounds = usable(quantiles)
  const least = sorted.length / count / 2
  for (let digits = 1; digits <= 6; digits++) {
    const rounded = usable(bounds.map((value) => Number(value.toPrecision(digits))))
    if (rounded.length === bounds.length && fill(sorted, rounded).every((size) => size >= least))
      return rounded
  }
  return bounds
}

/** How many values lie in each class that these breaks make. */
function fill(sorted: number[], breaks: number[]): number[] {
  const sizes = Array.from({ length: breaks.length + 1 }, () => 0)
  for (const value of sorted) {
    const above = breaks.findIndex((bound) => value < bound)
    const at = above === -1 ? breaks.length : above
    sizes[at] = (sizes[at] ?? 0) + 1
  }
  return sizes
}
