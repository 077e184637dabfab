import type { ColumnType, Generated } from 'kysely'

/** The building blocks of table types: columns as they are read, inserted and updated. */

export type Time = ColumnType<Date, Date | string | undefined, Date | string>
export type TimeOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
/** JSON of type `T`: read as a value, written as text. Writers must have validated it. */
export type Json<T extends object> = ColumnType<T, string, string>
export type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>

/** Who may see a row: everyone, members of its place, or its author and admins. */
export type Visibility = 'public' | 'place' | 'private'

/** Columns of every row of a place: version for optimistic locking, author, soft delete. */
export interface RowColumns {
  version: Generated<number>
  createdBy: string | null
  createdAt: Time
  updatedAt: Time
  deletedAt: TimeOrNull
}
