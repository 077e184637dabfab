import type { AggregateFunction, VisualizationType } from '../analytics.ts'
import type { Plural } from '../plural.ts'
import type { FigureTexts } from './figure.ts'

/** The kind of a group value or time; each has its own preposition. */
export type WhereKind =
  | 'for'
  | 'without'
  | 'in'
  | 'quarter'
  | 'decade'
  | 'week'
  | 'day'
  | 'weekday'
  | 'moment'
  | 'clock'

/** What an answer lacks for a visualization. */
export type Need =
  | 'whole'
  | 'sums'
  | 'places'
  | 'twoNumbers'
  | 'number'
  | 'twoGroupings'
  | 'along'
  | 'compared'
  | 'counted'

/**
 * The texts of charts in one language. Values, names and places come formatted. Names are user input of
 * unknown gender and number, so sentences are built around them ("Deaths: aumento de …") where verbs would
 * have to agree with them.
 */
export interface Phrases {
  /** The texts of the tools of a live figure. */
  figure: FigureTexts
  /** Shown for an answer without values. */
  nothing: string
  /** The legend entry of regions without a value. */
  noData: string
  /** Files of pixels have fonts for few scripts. */
  undrawable: string
  yes: string
  no: string
  /** The sum of all but the largest parts or series. */
  other: string
  /** The default name of a count. */
  count: string
  /** The common name of several measures. */
  values: string
  days: string
  quarter: (quarter: number) => string
  /** A quarter followed by its formatted year. */
  quarterOfYear: (quarter: number, year: string | number) => string
  decade: (year: number) => string
  /** The title of a line chart in which only the largest lines have colours. */
  inColour: (title: string, colours: number, all: number) => string
  /** The title of points whose circles are scaled by another measure. */
  circlesBy: (title: string, size: string) => string
  tableRows: Plural
  tableColumns: Plural
  /** What was cut off a drawn table: `and 3 rows more`. */
  more: (what: string) => string
  firstPartTitle: (title: string, part: string, all: string) => string
  /** A title with the number of series drawn and of all. */
  seriesPartTitle: (title: string, part: number, all: number) => string
  /** The name of the bar or row that groups all without their own. */
  others: Plural
  /** Two alternative sentences about it: its sum, or only that it exists. */
  othersSum: (others: string, sum: string) => string
  othersAsOne: (others: string) => string
  /** A sentence: not all bars are drawn. */
  barsCut: (part: string, all: string) => string
  where: Record<WhereKind, (text: string) => string>
  both: (one: string, another: string) => string
  withOthers: (one: string, others: number) => string
  /** `turn` is '' or a text of `turned`. */
  changed: (values: {
    name: string
    isRise: boolean
    before: string
    then: string
    now: string
    when: string
    turn: string
  }) => string
  unchanged: (name: string, now: string, when: string, then: string, turn: string) => string
  /** The difference is smaller than the displayed precision. */
  alike: (name: string, now: string, when: string, then: string, turn: string) => string
  /** An extreme of a series beyond both its first and its last value. */
  turned: Record<'peak' | 'low', (value: string, when: string) => string>
  between: (name: string, least: string, leastAt: string, most: string, mostAt: string) => string
  /** Marks a period that the data cover only partly. */
  partial: string
  /** The name of the aggregation of a measure; counts and sums go by their names alone. */
  functions: Record<Exclude<AggregateFunction, 'count' | 'sum'>, string>
  /** `where` is '' or a text of `where` for the group. */
  came: (name: string, value: string, where: string) => string
  allSame: (name: string, value: string, cases: number, when: string) => string
  ranged: (name: string, most: string, mostAt: string, least: string, leastAt: string, when: string) => string
  /**
   * The name of an answer cut by a limit: `Airports, the 12 largest of 56`. `rank` is which ones are shown;
   * null if unknown.
   */
  ofCut: (name: string, part: number, total: string, rank: 'largest' | 'smallest' | null) => string
  /** A sentence of its own: part of total is shown. */
  cut: (part: string, total: string) => string
  /** An approximate number. */
  about: (count: string) => string
  rows: Plural
  points: Plural
  areas: Plural
  /** Followed by `comparing`. */
  compared: Plural
  comparing: (x: string, y: string) => string
  /** `rest` is whether the range alone has the most values, shares that with others, or is the only one. */
  bin: (values: {
    name: string
    count: number
    counted: string
    total: number
    low: string
    high: string
    rest: 'alone' | 'shared' | 'only'
  }) => string
  partWithout: (name: string) => string
  wholePart: (part: string, name: string) => string
  part: (part: string, share: string, name: string, parts: number, beside: string) => string
  besides: (name: string) => string
  besidesMany: (others: number) => string
  misfit: {
    noColumn: (alias: string) => string
    needs: (type: VisualizationType, need: Need) => string
    groupings: (type: VisualizationType, most: 1 | 2, count: number) => string
    asBars: string
    asNumber: string
    asTable: string
  }
}
