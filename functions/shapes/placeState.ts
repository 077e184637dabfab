/** What is public of a place, with the versions that answers about it are made of. */
export interface PlaceState {
  placeId: string
  /** When it was read, by the database's clock, in microseconds: of two, the later one counts. */
  at: number
  timeZone: string
  /** The place is closed: nothing of it is public, its files neither. */
  isClosed?: true
  /** Versions of the data types of its public sources, by id. */
  dataTypes: Record<string, number>
  /** Its public sources by id: the version of their data, and what they are of. */
  sources: Record<string, { version: number; dataType: string }>
  /** Its public insights by id; `source` null: of all public sources of the data type. */
  insights: Record<string, { version: number; dataType: string; source: string | null }>
}
