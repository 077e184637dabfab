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

/** Steps of the sequential ramp, `--seq-1` (least) to `--seq-7` (most). */
const rampSteps = 7

/**
 * Gives up to seven classes with about as many values in each (quantiles), their bounds rounded as far as that holds.
 * Up to five values that are written differently get a class each. Least first; no class without a value; none at all for no
 * values. `step`: how far apart two values are at least that are written differently. Labels are of what is written, and do not
 * overlap: a value is in the class whose label it can be read in, also where it is written larger than it is.
 */
export function classesOf(
  values: number[],
  format: (value: number) => string,
  step = stepOf(values),
): MapClass[] {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b)
  const [least, most] = [sorted[0], sorted[sorted.length - 1]]
  if (least === undefined || most === undefined) return []
  /** The least value of each text. */
  const written = new Map<string, number>()
  for (const value of sorted) if (!written.has(format(value))) written.set(format(value), value)
  if (written.size <= 5) {
    return [...written].map(([label, from], i) => ({
      ...{ label, from, to: sorted.findLast((value) => format(value) === label) ?? from },
      fill: rampFill(i, written.size),
    }))
  }
  const bounds = niceBreaks(sorted, sorted.length < 100 ? 5 : rampSteps)
    .map((bound) => exact(Math.round(bound / step) * step))
    .filter(
      (bound, i, all) => bound <= most && bound > (all[i - 1] ?? least) && format(bound) !== format(least),
    )
  const starts = [
    { bound: least, from: least },
    // What is written as the bound is of its class.
    ...bounds.map((bound) => ({ bound, from: Math.min(bound, written.get(format(bound)) ?? bound) })),
  ].filter(({ from }, i, all) =>
    sorted.some((value) => value >= from && value < (all[i + 1]?.from ?? Infinity)),
  )
  return starts.map(({ bound, from }, i) => {
    const next = starts[i + 1]
    const [low, high] = [format(bound), format(next ? exact(next.bound - step) : most)]
    const label = low === high ? low : `${low} – ${high}`
    return { label, from, to: next?.from ?? most, fill: rampFill(i, starts.length) }
  })
}

/** A decimal number without the noise of binary ones. */
const exact = (value: number) => Number(value.toPrecision(12))

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

function rampFill(index: number, count: number): string {
  return `var(--seq-${rampStep(index, count)})`
}

/** Gives the step of the ramp for a class, 1 to 7: fewer classes are spread over the whole ramp. */
export function rampStep(index: number, count: number): number {
  return count < 2 ? 4 : Math.round(1 + (index * (rampSteps - 1)) / (count - 1))
}

function niceBreaks(sorted: number[], count: number): number[] {
  const exact = [...Array(count - 1).keys()].map(
    (i) => sorted[Math.floor(((i + 1) * sorted.length) / count)] ?? 0,
  )
  const usable = (breaks: number[]) => [...new Set(breaks)].filter((value) => value > (sorted[0] ?? 0))
  const wanted = usable(exact)
  const least = sorted.length / count / 2
  for (let digits = 1; digits <= 6; digits++) {
    const rounded = usable(wanted.map((value) => Number(value.toPrecision(digits))))
    if (rounded.length === wanted.length && fill(sorted, rounded).every((size) => size >= least))
      return rounded
  }
  return wanted
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
