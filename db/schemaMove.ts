import type { Generated } from 'kysely'
import type { DataTypeChanges } from '#functions/shapes/dataType.ts'
import type { SchemaChange } from '#functions/shapes/dataTypeSchema.ts'
import type { JsonOrNull, Time, TimeOrNull } from './schemaColumns.ts'

/** What the owner of a data type asked for that waits until sources of other places have moved to types of their own. */
export interface DataTypeChangeTable {
  id: string
  dataTypeId: string
  /** The owner. */
  placeId: string
  /** 'document': a change of the data type as `updateById` takes it. 'schema': one with its records, as `changeSchema` does. */
  kind: 'delete' | 'document' | 'schema'
  data: JsonOrNull<DataTypeChanges | SchemaChange>
  askedBy: string | null
  /** withdrawn: the owner has brought the data type back. */
  status: Generated<'moving' | 'succeeded' | 'failed' | 'withdrawn'>
  error: string | null
  attempts: Generated<number>
  dueAt: Time
  createdAt: Time
  finishedAt: TimeOrNull
}

/** The move of one place's sources from another's data type to its own. */
export interface DataTypeMoveTable {
  id: string
  changeId: string
  /** Whose sources move. */
  placeId: string
  fromTypeId: string
  toTypeId: string
  /** copying: they are still read where they were. clearing: they have moved, what they left behind goes. */
  status: Generated<'copying' | 'clearing' | 'done'>
  copied: Generated<string>
  cleared: Generated<string>
  /** Who holds an older one can commit nothing. */
  fence: Generated<number>
  leaseUntil: TimeOrNull
  dueAt: Time
  attempts: Generated<number>
  error: string | null
  createdAt: Time
  movedAt: TimeOrNull
  finishedAt: TimeOrNull
}

/** How far the copy of a source's records is. */
export interface DataTypeMoveSourceTable {
  moveId: string
  sourceId: string
  placeId: string
  /** The copy is of this version of the data or of a later one. */
  version: number
  /** The version that it is being brought up to; null: none. */
  target: number | null
  /** The last record that was copied; null: all were. */
  afterId: string | null
  /** The last record that was brought up to date. */
  afterExternal: Generated<string>
}
