import type { ColumnType, Generated, JSONColumnType } from 'kysely'

/** What the columns of the tables are made of, as they are read, inserted and updated. */

export type Time = ColumnType<Date, Date | string | undefined, Date | string>
export type TimeOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
export type Json<T> = JSONColumnType<T & object, string, string>
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
