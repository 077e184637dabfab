import type { AggregateFunction, VisualizationType } from '../analytics.ts'
import type { Plural } from '../plural.ts'
import type { FigureWords } from './figure.ts'

/** What a value stands for or when it was; each is told with its own small word. */
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

/** What a visualization lacks in an answer. */
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
 * What charts say in one language. Every text of a value, a name or a place comes in ready; names come from people and
 * have no known gender or number, so sentences are built around them ("Deaths: aumento de …") where verbs would have to
 * agree with them.
 */
export interface Phrases {
  /** What the tools of a live figure say. */
  figure: FigureWords
  /** Said of an answer without values. */
  nothing: string
  /** The sign of regions without a value. */
  noData: string
  yes: string
  no: string
  /** What lies beyond the largest parts or series, added up. */
  other: string
  /** The heading of counted values. */
  count: string
  /** Several measures told as one. */
  values: string
  days: string
  quarter: (quarter: number) => string
  /** A quarter of a year that is written already. */
  quarterOfYear: (quarter: number, year: string | number) => string
  decade: (year: number) => string
  /** The heading of lines of which only the largest have colours. */
  inColour: (title: string, colours: number, all: number) => string
  /** The heading of points whose circles are as large as something else. */
  circlesBy: (title: string, size: string) => string
  tableRows: Plural
  tableColumns: Plural
  /** What a drawn table has no room for: `and 3 rows more`. */
  more: (what: string) => string
  firstOf: (title: string, part: string, all: string) => string
  /** A heading with how many series are drawn of how many there are. */
  seriesOf: (title: string, part: number, all: number) => string
  /** The name of the bar or row of all that have none of their own. */
  others: Plural
  /** Two sentences about it: what it comes to, and only that there is one. */
  othersSum: (others: string, sum: string) => string
  othersAsOne: (others: string) => string
  /** A sentence: that not all bars are drawn. */
  barsCut: (part: string, all: string) => string
  where: Record<WhereKind, (text: string) => string>
  both: (one: string, another: string) => string
  withOthers: (one: string, others: number) => string
  /** `turn` is '' or has the words of `turned`. */
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
  /** The difference is less than is shown. */
  alike: (name: string, now: string, when: string, then: string, turn: string) => string
  /** How far a series went beyond both of its ends. */
  turned: Record<'peak' | 'low', (value: string, when: string) => string>
  between: (name: string, least: string, leastAt: string, most: string, mostAt: string) => string
  /** Of a span of time that the data do not cover. */
  partial: string
  /** Which one of the values of a group is meant; counts and sums are what they are called. */
  functions: Record<Exclude<AggregateFunction, 'count' | 'sum'>, string>
  /** `where` is '' or has the words for where it stands. */
  came: (name: string, value: string, where: string) => string
  allSame: (name: string, value: string, cases: number, when: string) => string
  ranged: (name: string, most: string, mostAt: string, least: string, leastAt: string, when: string) => string
  /**
   * What an answer is of that a limit cut, in the place of its name: `Airports, the 12 largest of 56`. `rank`: which ones are shown;
   * null: no one can say.
   */
  ofCut: (name: string, part: number, total: string, rank: 'largest' | 'smallest' | null) => string
  /** A sentence of its own: so many of so many are shown. */
  cut: (part: string, total: string) => string
  /** A number that is not exact. */
  about: (count: string) => string
  rows: Plural
  points: Plural
  areas: Plural
  /** Followed by `comparing`. */
  compared: Plural
  comparing: (x: string, y: string) => string
  /** `rest`: whether the range is the fullest alone, with others, or the only one. */
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
