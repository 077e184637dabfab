import type { Output, OutputField, Visualization } from '#functions/shapes/analytics.ts'
import type { Need } from '#functions/shapes/language/phrases.ts'

export type Setting = keyof NonNullable<Visualization['settings']>

/** The alias of an answer for each part of a chart. Undefined without a match. */
export interface Roles {
  /** The column along the axis: a date, category or, for points, a number. */
  x?: string
  /** The measure. */
  y?: string
  /** Every measure that can share y's axis when there is no series; begins with y. */
  measures: string[]
  /** The column that distinguishes lines, stacks or colours. */
  series?: string
  color?: string
  size?: string
  label?: string
}

/** The columns of an answer that a chart type may assign. */
interface Columns {
  output: Output
  /** Returns the configured column; undefined where the answer does not have it. */
  getSetting: (part: Setting) => string | undefined
  /** Dimensions without a setting, dates before texts before numbers. Assigned ones are removed. */
  dimensions: string[]
  /** Measures without a setting. Assigned ones are removed. */
  measures: string[]
}

/** An answer as far as chart types depend on it: its columns, never its rows. */
export interface AnswerColumns {
  visualization: Visualization
  output: Output
  /** The result of `assign`. */
  parts: Roles
}

/** A chart type, without its rendering. */
export interface ChartType {
  /** Its name in the builder. */
  name: string
  /** Its kind: marks on axes or around a centre, a map, a table, one number, or a sentence. */
  kind: 'marks' | 'map' | 'table' | 'number' | 'sentence'
  /** The settings that name its columns, in the order of the builder's form. */
  columns: readonly Setting[]
  /** Whether the unit of the measure can be configured. */
  takesUnit: boolean
  /** Whether its series may be stacked. */
  isStackable: boolean
  /** Whether two groupings form a grid, so that sentences name a value by both. */
  isGrid: boolean
  /**
   * Whether a reader may choose times and series of it. Not where marks depend on each other: parts of a pie would be of
   * another whole, parts of a histogram have other bins.
   */
  hasIndependentMarks: boolean
  /** Whether groups without room are merged or left out (`buildBarSeries`), which a note then says. */
  leavesOutGroups: boolean
  /** The number of groupings it can show; null: any. */
  mostGroupings: 1 | 2 | null
  /** Assigns columns to parts: the configured ones, otherwise the best match. `size` and `label` only if configured. */
  assign: (columns: Columns) => Omit<Roles, 'size' | 'label'> & { label?: string }
  /** Returns what an answer lacks for this type; null: nothing. */
  findLack: (answer: AnswerColumns) => Need | null
}

/** The type of a column; undefined where there is none, or it is unknown. */
export function findColumnType(
  { output }: Pick<AnswerColumns, 'output'>,
  alias: string | undefined,
): OutputField['type'] {
  return alias === undefined ? undefined : output.schema[alias]?.type
}

const isSameMeasurement = (a: OutputField | undefined, b: OutputField | undefined): boolean =>
  (a?.measurement !== undefined &&
    a.measurement.type === b?.measurement?.type &&
    a.measurement.value === b.measurement.value) ||
  (a?.unit !== undefined && a.unit === b?.unit)

/**
 * Assigns the parts of a chart with measures along a column, distinguished by another. Measures without a unit share an
 * axis only if configured, since a count and a score are not comparable.
 */
export function assignAlong({ output, getSetting, dimensions, measures }: Columns): Roles {
  const x = getSetting('x') ?? dimensions.shift()
  const y = getSetting('y') ?? measures.shift()
  const series = getSetting('series') ?? getSetting('color') ?? dimensions.shift()
  const isAlone = series !== undefined || getSetting('y') !== undefined || y === undefined
  const alike = isAlone
    ? []
    : measures.filter((alias) => isSameMeasurement(output.schema[y], output.schema[alias]))
  return { x, y, series, measures: y ? [y, ...alike] : [] }
}

/** What an answer lacks for comparing a measure between groups. */
export function findLackOfComparison(answer: AnswerColumns): Need | null {
  const { parts } = answer
  if (findColumnType(answer, parts.y) !== 'number') return 'number'
  return parts.x === undefined ? 'compared' : null
}

/** What an answer lacks for a measure along dates or numbers. */
export function findLackOfCourse(answer: AnswerColumns): Need | null {
  const { parts } = answer
  if (findColumnType(answer, parts.y) !== 'number') return 'number'
  const across = findColumnType(answer, parts.x)
  return across === 'date' || across === 'number' ? null : 'along'
}
