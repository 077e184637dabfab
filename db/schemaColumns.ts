import type { ColumnType, Generated } from 'kysely'

/** What the columns of the tables are made of, as they are read, inserted and updated. */

export type Time = ColumnType<Date, Date | string | undefined, Date | string>
export type TimeOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
/** JSON in the shape `T`: read as it is, written as text. Whatever writes it has checked it by that shape. */
export type Json<T extends object> = ColumnType<T, string, string>
export type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>

/** Who may see a row: everyone, the people of its place, its maker and admins. */
export type Visibility = 'public' | 'place' | 'private'

/** What every row of a place carries: optimistic locking, who made it, soft delete. */
export interface RowColumns {
  version: Generated<number>
  createdBy: string | null
  createdAt: Time
  updatedAt: Time
  deletedAt: TimeOrNull
}
