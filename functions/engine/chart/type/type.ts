import type { Output, OutputField, Visualization } from '#functions/shapes/analytics.ts'
import type { Need } from '#functions/shapes/language/phrases.ts'

export type Setting = keyof NonNullable<Visualization['settings']>

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

/** The columns of an answer that a type of chart may give parts to. */
interface Columns {
  output: Output
  /** Gives the column that a setting names; undefined where the answer has none of that name. */
  getSetting: (part: Setting) => string | undefined
  /** Columns that lay the answer out and that no setting names, dates before texts before numbers. Those taken are removed. */
  dimensions: string[]
  /** Columns that are measured and that no setting names. Those taken are removed. */
  measures: string[]
}

/** An answer that is looked at for what a type needs: its columns, never its rows. */
export interface AnswerColumns {
  visualization: Visualization
  output: Output
  /** What `assign` gave. */
  parts: Roles
}

/** A type of chart, without what draws it. */
export interface ChartType {
  /** What it is called in the builder. */
  name: string
  /** What it is made of: marks on axes or around a centre, a map, a table, one number, or a sentence. */
  kind: 'marks' | 'map' | 'table' | 'number' | 'sentence'
  /** The settings that name its columns, in the order of the builder's form. */
  columns: readonly Setting[]
  /** Whether people may name the unit of what is measured. */
  takesUnit: boolean
  /** Whether its series may be stacked. */
  isStackable: boolean
  /** Whether two groupings lie across each other in it, so that sentences name a value by both as one place. */
  isGrid: boolean
  /** For how many groupings it has a place; null: it says whatever groupings there are. */
  mostGroupings: 1 | 2 | null
  /** Gives each part its column: what the settings name, otherwise what fits best. `size` and `label` are given if named. */
  assign: (columns: Columns) => Omit<Roles, 'size' | 'label'> & { label?: string }
  /** Gives what it lacks in an answer; null: nothing. */
  findLack: (answer: AnswerColumns) => Need | null
}

/** Gives the type of a column; undefined where there is none, or it is not known. */
export function typeOf(
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
 * Gives parts to a chart that lays measures out along a column, told apart by another. Measures without a unit share no axis
 * unless they are asked for, since a count and a score are not comparable.
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

/** Gives what a chart lacks that compares a measure between groups. */
export function findLackOfComparison(answer: AnswerColumns): Need | null {
  const { parts } = answer
  if (typeOf(answer, parts.y) !== 'number') return 'number'
  return parts.x === undefined ? 'compared' : null
}

/** Gives what a chart lacks whose measure runs along dates or numbers. */
export function findLackOfCourse(answer: AnswerColumns): Need | null {
  const { parts } = answer
  if (typeOf(answer, parts.y) !== 'number') return 'number'
  const across = typeOf(answer, parts.x)
  return across === 'date' || across === 'number' ? null : 'along'
}
