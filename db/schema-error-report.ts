import type { Generated } from 'kysely'
import type { Time, TimeOrNull } from './schema-columns.ts'
import type { ErrorReportStatus } from '#functions/shapes/error-report.ts'

/** An error report of a reader of a hub. Nothing identifies the reader but an address, if they gave one. */
interface ErrorReportTable {
  id: string
  placeId: string
  sourceId: string
  /** The record it is about, as the form sent it; null: the source as a whole. It need not exist. */
  datumId: string | null
  /** The insight it is about, in the same way. */
  insightId: string | null
  /** Plain text. */
  text: string
  /** The address for a reply. */
  email: string | null
  /** The language of the page it was reported from. */
  locale: string
  status: Generated<ErrorReportStatus>
  /** An internal note of the place. */
  note: Generated<string>
  version: Generated<number>
  /** A hash of the submitted form: a repeated submission is the same report. */
  formHash: string
  createdAt: Time
  updatedAt: Time
  /** When an email mentioned it. */
  toldAt: TimeOrNull
}

/** When the last digest of reports was sent to a place. */
interface ErrorReportDigestTable {
  placeId: string
  sentAt: Date
}

/** People of a place who have unsubscribed from emails about reports. */
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
