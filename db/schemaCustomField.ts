import type { ColumnType, Generated } from 'kysely'
import type { TimeOrNull } from './schemaColumns.ts'
import type { CustomKind } from '#functions/shapes/customField.ts'

/** A metadata field that a place has made for its sources. One that was removed stays, with the values that it hides. */
interface CustomFieldTable {
  placeId: string
  /** What its values stand under. */
  key: string
  title: string
  notes: Generated<string>
  kind: CustomKind
  choices: Generated<string[]>
  required: Generated<boolean>
  /** False: the people of the place alone see the field and its values. */
  isPublic: Generated<boolean>
  position: number
  /** Of the list of the place: all its fields have the same. */
  version: number
  removedAt: TimeOrNull
}

/** That a person was told of a source that is late. */
interface LateNoticeTable {
  sourceId: string
  placeId: string
  userId: string
  /** The day by which data were meant to come. */
  due: ColumnType<string, string, string>
}

/** Whether a person wants emails about late data, and when the last was written. */
interface LateEmailTable {
  userId: string
  isOn: Generated<boolean>
  sentAt: TimeOrNull
}

export interface CustomFieldTables {
  customField: CustomFieldTable
  lateNotice: LateNoticeTable
  lateEmail: LateEmailTable
}
