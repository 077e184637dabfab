import type { Plural } from '../plural.ts'
import type { IslandTexts } from './island.ts'

/**
 * The texts that the edge renders for a hub in one language, where no rendered page exists. Pages use the
 * same texts.
 */
export interface EdgeTexts extends IslandTexts {
  search: ResultTexts
  /** The table of all records of a source. */
  table: TableTexts
  /** The hub has never been published. */
  preparing: { title: string; text: string }
  /** A page that showed something withdrawn, until it is rendered again without it. */
  updating: { title: string; text: string }
  /** Storage cannot be read, and the memory cache does not have the page. */
  unreadable: { title: string; text: string }
}

/** The texts of the page of search results. `page` has {n} and {of} for the formatted numbers. */
export interface ResultTexts {
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
  /** Suggests another spelling, `{text}`. */
  meant: string
  partial: string
  /** Links to the records of a source that have the searched value. */
  records: string
  page: string
  previous: string
  next: string
}

/** The placeholders are `{name}`, `{value}`, `{from}`, `{to}`, `{total}` and `{id}`. */
export interface TableTexts {
  /** The heading; `{name}` is the name of the source. */
  title: string
  back: string
  record: string
  recordTitle: string
  search: string
  apply: string
  filters: string
  columns: string
  /** The text of a condition: in the list of conditions, and in the link that removes it. */
  is: string
  has: string
  from: string
  to: string
  between: string
  none: string
  remove: string
  removeAll: string
  noneChoice: string
  /** The labels of the inputs for the ends of a range. */
  lower: string
  upper: string
  contains: string
  /** The heading of a list of choices that has only some of them; `{n}` is how many. */
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
  /** Shown instead of the number of records, next to a message of `refused`. */
  notShown: string
  /** Same as `records`, for an estimated number. */
  about: Plural
  /** An estimated file size; has {size}. */
  aboutSize: string
  /** The label of the map of a record; {name} is the region. */
  place: string
  /**
   * The select of the column by which a chart counts records, and the texts of the chart; {name} is the
   * column.
   */
  chart: string
  chartBy: string
  noChart: string
  chartTitle: string
  counted: string
  withoutChart: string
  /**
   * The choice of an area that the records lie in. `is`: the condition, {name} the area; `any`: sets are not limited;
   * `more`: only {n} of the areas are listed; then the names of sets that everyone has, {name} a country.
   */
  within: {
    title: string
    set: string
    any: string
    area: string
    is: string
    choose: string
    more: string
    countries: string
    states: string
    counties: string
    regions: string
  }
  /** Why no records are shown: too many requests, timeout, no database, query too expensive, no such page. */
  refused: { busy: string; slow: string; away: string; costly: string; page: string }
  problems: {
    unknownColumn: string
    noNumber: string
    noDate: string
    wrongKind: string
    tooMany: string
    noSet: string
    noArea: string
  }
}
