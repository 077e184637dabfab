import type { ColumnType, Generated } from 'kysely'

/** The tables of usage counts. */
export interface UsageTables {
  usageDay: UsageDayTable
  fieldUse: FieldUseTable
  hubUsageDay: HubUsageDayTable
}

/** Counted by the product, without personal data. `dataTypeId` '': the place as a whole. */
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

/** How often a field was queried, by day. Counted by the product, without people and places. */
interface FieldUseTable {
  dataTypeId: string
  /** Its key in the schema. */
  field: string
  kind: 'equality' | 'range' | 'order'
  /** yyyy-mm-dd, UTC. */
  day: ColumnType<string, string, string>
  asked: Generated<string>
}

/** The number of page loads in each bucket of a speed measure; null: none was measured. Written only by SQL. */
type Buckets = ColumnType<number[] | null, never, never>

/** Counted by the product, without personal data: a row has one dimension of a day's readers of a hub, never a combination. */
interface HubUsageDayTable {
  placeId: string
  /** yyyy-mm-dd, UTC. */
  day: ColumnType<string, string, string>
  /** The dimension of `name`; 'all': every view, with '' as `name`. */
  dimension: 'all' | 'page' | 'referrer' | 'country' | 'device' | 'locale' | 'download' | 'search'
  /** '*': all others merged. For referrers '': unknown. */
  name: Generated<string>
  /** Views; the number of downloads and searches. */
  views: Generated<string>
  visits: Generated<string>
  lcp: Buckets
  cls: Buckets
  inp: Buckets
  ttfb: Buckets
}
