import { hasNames } from '#functions/shapes/field.ts'
import type { Output, OutputField, Visualization } from '#functions/shapes/analytics.ts'

/** Which alias of an answer plays which part in a chart. A part nothing fits is undefined. */
export interface Roles {
  /** What the values are laid out along: a date, category or, for points, a number. */
  x?: string
  /** What is measured. */
  y?: string
  /** Every measure that can share y's axis when there is no series; begins with y. */
  measures: string[]
  /** What tells several lines, stacks or colours apart. */
  series?: string
  color?: string
  size?: string
  label?: string
}

type Settings = NonNullable<Visualization['settings']>

/** Numbers that are codes of something tell things apart, as texts do. */
const isNumber = (field: OutputField | undefined): boolean => field?.type === 'number' && !hasNames(field)

const rank = (field: OutputField | undefined): number =>
  field?.type === 'date' ? 0 : field?.measurement?.type === 'datePart' ? 1 : isNumber(field) ? 3 : 2

/** Aliases that lay an answer out, dates before text before numbers: its groupings, or all that is not measured. */
export function dimensionsOf(output: Output): string[] {
  const grouped = output.groupings.map((grouping) => grouping.alias).filter((alias) => alias in output.schema)
  const free = Object.keys(output.schema).filter((alias) => {
    const field = output.schema[alias]
    const type = field?.type
    return type === 'date' || type === 'text' || type === 'boolean' || (type === 'number' && !isNumber(field))
  })
  const found = grouped.length > 0 ? grouped : free
  return [...found].sort((a, b) => rank(output.schema[a]) - rank(output.schema[b]))
}

/** Aliases of the numbers an answer measures, in its own order: those that are no groupings and name nothing. */
export function measuresOf(output: Output): string[] {
  const grouped = new Set(output.groupings.map((grouping) => grouping.alias))
  return Object.entries(output.schema).flatMap(([alias, field]) =>
    isNumber(field) && field.identifier !== true && !grouped.has(alias) ? [alias] : [],
  )
}

const isSameMeasurement = (a: OutputField | undefined, b: OutputField | undefined): boolean =>
  (a?.measurement !== undefined &&
    a.measurement.type === b?.measurement?.type &&
    a.measurement.value === b.measurement.value) ||
  (a?.unit !== undefined && a.unit === b?.unit)

/**
 * The alias for each part of a chart: what the settings name, where the answer has it, and otherwise what fits best.
 * Measures without a unit share no axis unless they are asked for, since a count and a score are not comparable.
 */
export function roles(visualization: Visualization, output: Output): Roles {
  const settings = visualization.settings ?? {}
  const named = (part: keyof Settings): string | undefined => {
    const alias = settings[part]
    return typeof alias === 'string' && alias in output.schema ? alias : undefined
  }
  const taken = new Set(
    (['x', 'y', 'series', 'color', 'size'] as const).map(named).filter((alias) => alias !== undefined),
  )
  const dimensions = dimensionsOf(output).filter((alias) => !taken.has(alias))
  const measures = measuresOf(output).filter((alias) => !taken.has(alias))
  const take = (from: string[]): string | undefined => from.shift()
  const parts = { size: named('size'), label: named('label') }

  if (visualization.type === 'scatter') {
    const x = named('x') ?? take(measures)
    const y = named('y') ?? take(measures)
    const label = parts.label ?? dimensions.find((alias) => output.schema[alias]?.type === 'text')
    return { ...parts, x, y, measures: y ? [y] : [], color: named('color') ?? named('series'), label }
  }
  if (visualization.type === 'histogram') {
    const grouped = output.groupings.length > 0
    const x = named('x') ?? (grouped ? take(dimensions) : take(measures))
    const y = named('y') ?? (grouped ? take(measures) : undefined)
    return { ...parts, x, y, measures: y ? [y] : [] }
  }
  if (visualization.type === 'heatmap') {
    const x = named('x') ?? take(dimensions)
    const y = named('y') ?? take(dimensions)
    const color = named('color') ?? take(measures)
    return { ...parts, x, y, color, measures: color ? [color] : [] }
  }
  if (visualization.type === 'pie') {
    const color = named('color') ?? named('series') ?? named('x') ?? take(dimensions)
    const y = named('y') ?? take(measures)
    return { ...parts, x: color, y, color, measures: y ? [y] : [] }
  }
  const x = named('x') ?? take(dimensions)
  const y = named('y') ?? take(measures)
  const series = named('series') ?? named('color') ?? take(dimensions)
  const isAlone = series !== undefined || named('y') !== undefined || y === undefined
  const alike = isAlone
    ? []
    : measures.filter((alias) => isSameMeasurement(output.schema[y], output.schema[alias]))
  return { ...parts, x, y, series, measures: y ? [y, ...alike] : [] }
}
