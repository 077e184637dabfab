import * as v from 'valibot'
import { Version, listOptions } from './options.ts'
import { Time } from './returns.ts'

/** The states of a reader's report. */
const errorReportStatuses = ['open', 'answered', 'closed', 'spam'] as const
export type ErrorReportStatus = (typeof errorReportStatuses)[number]

/** Maximum number of characters of a report, and of the note about it. */
export const maxReportLength = 4000
/** Days after which reports are deleted. */
export const errorReportDays = 180

/** A reader's report about a public source, as members see it. */
export const ErrorReportRow = v.strictObject({
  id: v.string(),
  placeId: v.string(),
  sourceId: v.string(),
  sourceName: v.string(),
  dataTypeId: v.string(),
  /** The reported record, from the reader's form; it may not exist. Null: the source as a whole. */
  datumId: v.nullable(v.string()),
  /** The reported insight, in the same way. */
  insightId: v.nullable(v.string()),
  /** The name of that insight; null if it is not public (any more). */
  insightName: v.nullable(v.string()),
  /** Plain text from an anonymous reader. */
  text: v.string(),
  /** The reader's address for a reply; null without one. */
  email: v.nullable(v.string()),
  /** The language of the page of the report. */
  locale: v.string(),
  status: v.picklist(errorReportStatuses),
  note: v.string(),
  version: v.number(),
  createdAt: Time,
  updatedAt: Time,
})

export const ErrorReportOptions = v.omit(
  listOptions({
    id: 'text',
    sourceId: 'text',
    status: 'text',
    text: 'text',
    createdAt: 'date',
    updatedAt: 'date',
  }),
  ['maxVisibility', 'visibility', 'includes'],
)
export type ErrorReportOptions = v.InferOutput<typeof ErrorReportOptions>

/** The editable members of a report: never the reader's text. */
export const ErrorReportChanges = v.strictObject({
  status: v.optional(v.picklist(errorReportStatuses, `Must be one of: ${errorReportStatuses.join(', ')}`)),
  note: v.optional(
    v.pipe(
      v.string('Must be a text.'),
      v.maxLength(maxReportLength, `Must be at most ${maxReportLength} characters.`),
    ),
  ),
  version: v.optional(Version),
})
export type ErrorReportChanges = v.InferOutput<typeof ErrorReportChanges>

/** Whether a person gets emails about new reports of a place. */
export const ErrorReportEmails = v.strictObject({ isOn: v.boolean('Must be true or false.') })
export type ErrorReportEmails = v.InferOutput<typeof ErrorReportEmails>

/** The subscription of an unsubscribe link: the place, and whether emails are still sent. */
export const ErrorReportSubscription = v.strictObject({
  placeId: v.string(),
  placeName: v.string(),
  isOn: v.boolean(),
})

/** A submitted report, validated and cleaned. */
export interface SentReport {
  placeId: string
  sourceId: string
  datumId: string | null
  insightId: string | null
  text: string
  email: string | null
  locale: string
  /** A hash of the form and its values, so that a repeated submission creates no second report. */
  formHash: string
  /** The honeypot field was filled. The report is stored, but nobody is notified. */
  isSpam: boolean
}
