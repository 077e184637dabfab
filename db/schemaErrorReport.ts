import type { Generated } from 'kysely'
import type { Time, TimeOrNull } from './schemaColumns.ts'
import type { ErrorReportStatus } from '#functions/shapes/errorReport.ts'

/** What a reader of a hub reports as wrong. Nothing is kept of who that is but an address, where they gave one. */
interface ErrorReportTable {
  id: string
  placeId: string
  sourceId: string
  /** The record it is about, as the form had it; null: the source as a whole. It need not be there. */
  datumId: string | null
  /** The insight it is about, in the same way. */
  insightId: string | null
  /** Plain text. */
  text: string
  /** Where an answer is wanted. */
  email: string | null
  /** The language of the page it was reported from. */
  locale: string
  status: Generated<ErrorReportStatus>
  /** For the people of the place. */
  note: Generated<string>
  version: Generated<number>
  /** Of the form and what was sent by it: the same sent again is the same report. */
  formHash: string
  createdAt: Time
  updatedAt: Time
  /** When an email told of it. */
  toldAt: TimeOrNull
}

/** When the people of a place were last written to about reports. */
interface ErrorReportDigestTable {
  placeId: string
  sentAt: Date
}

/** Who of a place wants no emails about reports. */
interface ErrorReportMuteTable {
  placeId: string
  userId: string
  createdAt: Time
}

export interface ErrorReportTables {
  errorReport: ErrorReportTable
  errorReportDigest: ErrorReportDigestTable
  errorReportMute: ErrorReportMuteTable
}
