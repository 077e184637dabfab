import type { Plural } from '../plural.ts'
import type { IslandWords } from './island.ts'

/** What the edge itself says of a hub in a language, where no page was made to say it. Pages use the same words. */
export interface EdgeWords extends IslandWords {
  search: ResultWords
  /** The table of all records of a source. */
  table: TableWords
  /** The hub was never published. */
  preparing: { title: string; text: string }
  /** A page that shows what was withdrawn, until it is made again without it. */
  updating: { title: string; text: string }
  /** The storage cannot be read, and memory has nothing. */
  unreadable: { title: string; text: string }
}

/** What a page of results says. `page` has {n} and {of} for the formatted numbers. */
export interface ResultWords {
  all: string
  byKind: string
  byTopic: string
  byDomain: string
  byFormat: string
  byPlace: string
  byPeriod: string
  byCadence: string
  narrow: string
  sort: string
  relevance: string
  name: string
  updated: string
  mostRecords: string
  /** Offers another spelling, `{text}`. */
  meant: string
  partial: string
  /** Leads to the records of a source that have the value that was looked for. */
  records: string
  page: string
  previous: string
  next: string
}

/** `{name}`, `{value}`, `{from}`, `{to}`, `{total}`, `{id}` stand for what is put in. */
export interface TableWords {
  /** The heading; `{name}` is the source. */
  title: string
  back: string
  record: string
  recordOf: string
  search: string
  apply: string
  filters: string
  columns: string
  /** What a condition says: in the list of them, and in its link that removes it. */
  is: string
  has: string
  from: string
  to: string
  between: string
  none: string
  remove: string
  removeAll: string
  noneChoice: string
  /** The fields for the ends of a range. */
  lower: string
  upper: string
  contains: string
  /** Above a list of choices that has not all of them: `{n}`. */
  frequent: string
  sortUp: string
  sortDown: string
  unsorted: string
  range: string
  records: Plural
  noRecord: string
  missing: string
  download: string
  api: string
  first: string
  pages: string
  /** Instead of the number of records, where a sentence of `refused` stands. */
  notShown: string
  /** As `records`, where the number is an estimate. */
  about: Plural
  /** The size of a file, as far as it is known; has {size}. */
  aboutSize: string
  /** What the map of a record shows; {name} is the region. */
  place: string
  /** The choice of a column by which records are counted in a chart, and what the chart says of itself; {name} is the column. */
  chart: string
  chartBy: string
  noChart: string
  chartTitle: string
  counted: string
  withoutChart: string
  /** Why no records are shown: too many ask, it takes too long, no database, too much to ask, no such page. */
  refused: { busy: string; slow: string; away: string; costly: string; page: string }
  problems: {
    unknownColumn: string
    noNumber: string
    noDate: string
    wrongKind: string
    tooMany: string
  }
}
