import type { ColumnType, Generated } from 'kysely'

/** The tables of what is counted. */
export interface UsageTables {
  usageDay: UsageDayTable
  fieldUse: FieldUseTable
  hubUsageDay: HubUsageDayTable
}

/** Counted by the product itself, of no person. `dataTypeId` '': of the place as a whole. */
interface UsageDayTable {
  placeId: string
  dataTypeId: Generated<string>
  /** yyyy-mm-dd, UTC. */
  day: ColumnType<string, string, string>
  requests: Generated<string>
  exports: Generated<string>
  records: string | null
  storageBytes: string | null
}

/** How often a field was asked for, by day. Counted by the product itself; of no person and no place. */
interface FieldUseTable {
  dataTypeId: string
  /** Its key in the schema. */
  field: string
  kind: 'equality' | 'range' | 'order'
  /** yyyy-mm-dd, UTC. */
  day: ColumnType<string, string, string>
  asked: Generated<string>
}

/** How many loads fell into each bucket of a measure of speed; null: none was measured. Written only by SQL. */
type Buckets = ColumnType<number[] | null, never, never>

/** Counted by the product itself, of no person: a row says one thing of a day's readers of a hub, never two of the same. */
interface HubUsageDayTable {
  placeId: string
  /** yyyy-mm-dd, UTC. */
  day: ColumnType<string, string, string>
  /** What `name` is of; 'all': of every view, and `name` is ''. */
  dimension: 'all' | 'page' | 'referrer' | 'country' | 'device' | 'locale' | 'download' | 'search'
  /** '*': all the others together. Of referrers '': none was said. */
  name: Generated<string>
  /** Views; of downloads and searches how often. */
  views: Generated<string>
  visits: Generated<string>
  lcp: Buckets
  cls: Buckets
  inp: Buckets
  ttfb: Buckets
}
