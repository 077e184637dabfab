/** The public state of a place, with the versions that answers depend on. */
export interface PlaceState {
  placeId: string
  /** When it was read, by the database's clock, in microseconds; the later of two wins. */
  at: number
  timeZone: string
  /** The place is closed: nothing of it is public, including its files. */
  isClosed?: true
  /** Versions of the data types of its public sources, by id. */
  dataTypes: Record<string, number>
  /** Its public sources by id: data version and data type. */
  sources: Record<string, { version: number; dataType: string }>
  /** Its public insights by id; `source` null: all public sources of the data type. */
  insights: Record<string, { version: number; dataType: string; source: string | null }>
  /** Its public boundary sets by name, at most 50; absent in older buckets. */
  boundarySets?: { id: string; name: string; edition: number }[]
  /** The shared sets that its own boundary is in, or is made of, the closest first; absent in older buckets. */
  nearSets?: string[]
}
