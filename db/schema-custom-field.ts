import type { ColumnType, Generated } from 'kysely'
import type { TimeOrNull } from './schema-columns.ts'
import type { CustomKind } from '#functions/shapes/custom-field.ts'

/** A metadata field that a place has defined for its sources. A removed one stays, with its hidden values. */
interface CustomFieldTable {
  placeId: string
  /** The key of its values. */
  key: string
  title: string
  notes: Generated<string>
  kind: CustomKind
  choices: Generated<string[]>
  required: Generated<boolean>
  /** False: only members of the place see the field and its values. */
  isPublic: Generated<boolean>
  position: number
  /** The version of the place's whole list: all its fields have the same. */
  version: number
  removedAt: TimeOrNull
}

/** A person was notified of an overdue source. */
interface LateNoticeTable {
  sourceId: string
  placeId: string
  userId: string
  /** The day by which data were expected. */
  due: ColumnType<string, string, string>
}

/** Whether a person wants emails about overdue data, and when the last one was sent. */
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
