import type { ColumnType, Generated } from 'kysely'
import type { Time, TimeOrNull } from './schema-columns.ts'
import type { PlaceRequestStatus } from '#functions/shapes/place-request.ts'

/** A request for a new organization, or to join an existing one. */
export interface PlaceRequestTable {
  id: string
  kind: 'new' | 'join'
  userId: string
  /** Of `join` the organization; null of `new`. */
  placeId: string | null
  /** Of `new` the id it is to have; null of `join`, as the next two. */
  wantedId: string | null
  name: string | null
  /** Null also where none was stated. */
  timeZone: string | null
  /** A note of the person. Plain text. */
  note: Generated<string>
  status: Generated<PlaceRequestStatus>
  /** The reply. Plain text. */
  reply: Generated<string>
  /** Null: not answered, or by a deleted account. */
  answeredBy: string | null
  answeredAt: TimeOrNull
  /** When those who answer were told by email; null: not yet. */
  toldAt: TimeOrNull
  createdAt: Time
  updatedAt: Time
}

/** A closed place: hidden while `reopenedAt` is null, and purged at `purgedAt`. Its row remains. */
export interface ClosedPlaceTable {
  placeId: string
  closedAt: Time
  closedBy: string | null
  /** Its custom hosts, without www; not the one of its id. */
  hosts: ColumnType<string[], string[], string[]>
  reopenedAt: TimeOrNull
  purgedAt: TimeOrNull
}
