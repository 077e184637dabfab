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
export const rampSteps = 7

/**
 * Gives up to seven classes with about as many values in each (quantiles), their bounds rounded as far as that holds.
 * Up to five different values get a class each. Least first; no class without a value; none at all for no values.
 */
export function classesOf(values: number[], format: (value: number) => string): MapClass[] {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b)
  const distinct = [...new Set(sorted)]
  const [least, most] = [distinct[0], distinct[distinct.length - 1]]
  if (least === undefined || most === undefined) return []
  if (distinct.length <= 5) {
    return distinct.map((value, i) => ({
      label: format(value),
      from: value,
      to: value,
      fill: rampFill(i, distinct.length),
    }))
  }
  const breaks = niceBreaks(sorted, sorted.length < 100 ? 5 : rampSteps)
  const bounds = [least, ...breaks, most]
  return bounds.slice(0, -1).map((from, i) => {
    const to = bounds[i + 1] ?? most
    const label = from === to ? format(from) : `${format(from)} – ${format(to)}`
    return { label, from, to, fill: rampFill(i, bounds.length - 1) }
  })
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
