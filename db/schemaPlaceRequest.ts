import type { ColumnType, Generated } from 'kysely'
import type { Time, TimeOrNull } from './schemaColumns.ts'
import type { PlaceRequestStatus } from '#functions/shapes/placeRequest.ts'

/** What someone asks for who has no organization: that one be made, or to be let into one that exists. */
export interface PlaceRequestTable {
  id: string
  kind: 'new' | 'join'
  userId: string
  /** Of `join` the organization; null of `new`. */
  placeId: string | null
  /** Of `new` the id it is to have; null of `join`, as the next two. */
  wantedId: string | null
  name: string | null
  /** Null also where nobody said. */
  timeZone: string | null
  /** What the person says of themselves. Plain text. */
  note: Generated<string>
  status: Generated<PlaceRequestStatus>
  /** What they were answered. Plain text. */
  reply: Generated<string>
  /** Null: nobody has, or they are gone. */
  answeredBy: string | null
  answeredAt: TimeOrNull
  createdAt: Time
  updatedAt: Time
}

/** A place that was closed: hidden while `reopenedAt` is null, and gone for good from `purgedAt` on. Its row stays. */
export interface ClosedPlaceTable {
  placeId: string
  closedAt: Time
  closedBy: string | null
  /** The hosts that it had, without www, its own beside that of its id. */
  hosts: ColumnType<string[], string[], string[]>
  reopenedAt: TimeOrNull
  purgedAt: TimeOrNull
}
