import type { ClassMethod, MapPalette } from '#functions/shapes/analytics.ts'
import { equalBounds, exact, naturalBounds } from './breaks.ts'
import { paletteToken } from './palettes.ts'

/** A class of the legend. A value belongs to the last class whose `from` is not above it. */
export interface MapClass {
  label: string
  from: number
  to: number
  /** A CSS colour, as a custom property of the theme. */
  fill: string
  /** Only for dots: the radius of a dot for `to`, in drawing units. */
  radius?: number
}

/** How values are classified and coloured: by default blue quantiles, as many as the values fill. */
export interface ClassOptions {
  by?: ClassMethod
  /** The number of classes; for `own` one more than its bounds. */
  count?: number
  /** For `own`: the lower bounds of all classes but the first, ascending. */
  bounds?: readonly number[]
  palette?: MapPalette
}

/**
 * Classifies values, ascending: by default up to seven quantiles, their bounds rounded as far as the counts allow. Up to
 * five distinct displayed values (or the requested number of classes) get a class each. Empty classes occur only between
 * others and with requested widths or bounds. Empty without values. `step`: the smallest displayed difference. Labels
 * show displayed values and do not overlap: a value is in the class whose label contains it as displayed.
 */
export function classifyValues(
  values: number[],
  format: (value: number) => string,
  step = computeCommonStep(values),
  classing: ClassOptions = {},
): MapClass[] {
  const { by = 'quantile', palette = 'blue' } = classing
  const getFill = (index: number, count: number) => `var(${paletteToken(palette, index, count)})`
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b)
  const [least, most] = [sorted[0], sorted[sorted.length - 1]]
  if (least === undefined || most === undefined) return []
  /** The least value of each text. */
  const decimalsByText = new Map<string, number>()
  for (const value of sorted) if (!decimalsByText.has(format(value))) decimalsByText.set(format(value), value)
  if ((by === 'quantile' || by === 'natural') && decimalsByText.size <= (classing.count ?? 5)) {
    return [...decimalsByText].map(([label, from], i) => ({
      ...{ label, from, to: sorted.findLast((value) => format(value) === label) ?? from },
      fill: getFill(i, decimalsByText.size),
    }))
  }
  const roundBounds = computeBounds(sorted, classing).map((bound) => exact(Math.round(bound / step) * step))
  const isBelow = (bound: number) => bound <= least || format(bound) === format(least)
  const bounds = roundBounds.filter(
    (bound, i, all) => bound <= most && bound > (all[i - 1] ?? least) && !isBelow(bound),
  )
  const starts = [
    { bound: least, from: least },
    // Values displayed like the bound belong to its class.
    ...bounds.map((bound) => ({ bound, from: Math.min(bound, decimalsByText.get(format(bound)) ?? bound) })),
  ].filter(
    ({ from }, i, all) =>
      by === 'own' ||
      by === 'equal' ||
      sorted.some((value) => value >= from && value < (all[i + 1]?.from ?? Infinity)),
  )
  // With custom bounds a class has the same colour on every map with these bounds, even where the first or last are
  // missing.
  const [first, count] =
    by === 'own' ? [roundBounds.filter(isBelow).length, roundBounds.length + 1] : [0, starts.length]
  return starts.map(({ bound, from }, i) => {
    const next = starts[i + 1]
    const [low, high] = [format(bound), format(next ? exact(next.bound - step) : most)]
    const label = low === high ? low : `${low} – ${high}`
    return { label, from, to: next?.from ?? most, fill: getFill(first + i, count) }
  })
}

/** The lower bounds of all classes but the first, before rounding to displayed values. */
function computeBounds(sorted: number[], { by = 'quantile', count, bounds = [] }: ClassOptions): number[] {
  const [least = 0, most = 0] = [sorted[0], sorted[sorted.length - 1]]
  const classes = count ?? (sorted.length < 100 ? 5 : 7)
  if (by === 'own') return [...bounds]
  if (by === 'equal') return equalBounds(least, most, classes)
  return by === 'natural' ? naturalBounds(sorted, classes) : niceBreaks(sorted, classes)
}

/** The power of ten that all values are multiples of; at least a billionth. */
function computeCommonStep(values: number[]): number {
  for (let digits = 0; digits < 9; digits += 1) {
    const isWhole = (value: number) =>
      Math.abs(value - Number(value.toFixed(digits))) <= 1e-12 * Math.abs(value)
    if (values.every((value) => !Number.isFinite(value) || isWhole(value))) return exact(10 ** -digits)
  }
  return 1e-9
}

/** The index of a value's class, null for a missing value. */
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

/** The number of values in each class of these breaks. */
function fill(sorted: number[], breaks: number[]): number[] {
  const sizes = Array.from({ length: breaks.length + 1 }, () => 0)
  for (const value of sorted) {
    const above = breaks.findIndex((bound) => value < bound)
    const at = above === -1 ? breaks.length : above
    sizes[at] = (sizes[at] ?? 0) + 1
  }
  return sizes
}
