import type { Generated } from 'kysely'
import type { DataTypeChanges } from '#functions/shapes/data-type.ts'
import type { SchemaChange } from '#functions/shapes/data-type-schema.ts'
import type { JsonOrNull, Time, TimeOrNull } from './schema-columns.ts'

/** A change requested by the owner of a data type that waits until sources of other places have moved to types of their own. */
export interface DataTypeChangeTable {
  id: string
  dataTypeId: string
  /** The owner. */
  placeId: string
  /** 'document': a change by `updateById`. 'schema': one that converts records, by `changeSchema`. */
  kind: 'delete' | 'document' | 'schema'
  data: JsonOrNull<DataTypeChanges | SchemaChange>
  askedBy: string | null
  /** withdrawn: the owner has restored the data type. */
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
  /** The place whose sources move. */
  placeId: string
  fromTypeId: string
  toTypeId: string
  /**
   * copying: records are still read from the old table. clearing: the sources have moved, and the old records are being
   * deleted.
   */
  status: Generated<'copying' | 'clearing' | 'done'>
  copied: Generated<string>
  cleared: Generated<string>
  /** The fencing token: holders of an older one cannot commit. */
  fence: Generated<number>
  leaseUntil: TimeOrNull
  dueAt: Time
  attempts: Generated<number>
  error: string | null
  createdAt: Time
  movedAt: TimeOrNull
  finishedAt: TimeOrNull
}

/** The progress of copying a source's records. */
export interface DataTypeMoveSourceTable {
  moveId: string
  sourceId: string
  placeId: string
  /** The copy is of this version of the data or of a later one. */
  version: number
  /** The version that it is being updated to; null: none. */
  target: number | null
  /** The last record that was copied; null: all were. */
  afterId: string | null
  /** The last updated record. */
  afterExternal: Generated<string>
}
