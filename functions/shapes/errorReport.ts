import * as v from 'valibot'
import { Version, listOptions } from './options.ts'
import { Time } from './returns.ts'

/** How far the people of a place are with a report of a reader. */
export const errorReportStatuses = ['open', 'answered', 'closed', 'spam'] as const
export type ErrorReportStatus = (typeof errorReportStatuses)[number]

/** The most characters of a report, and of what the people of the place note about it. */
export const mostReportText = 4000
/** For so many days a report is kept. */
export const errorReportDays = 180

/** A report of a reader about a public source, as those see it who look after the data. */
export const ErrorReportRow = v.strictObject({
  id: v.string(),
  placeId: v.string(),
  sourceId: v.string(),
  sourceName: v.string(),
  dataTypeId: v.string(),
  /** The record it is about, as the reader's form had it; it need not be there. Null: the source as a whole. */
  datumId: v.nullable(v.string()),
  /** The insight it is about, in the same way. */
  insightId: v.nullable(v.string()),
  /** How that insight is called; null where readers see none of this id (any more). */
  insightName: v.nullable(v.string()),
  /** Plain text of a stranger. */
  text: v.string(),
  /** Where the reader wants an answer; null: nowhere. */
  email: v.nullable(v.string()),
  /** The language of the page it was reported from. */
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

/** What may be changed of a report: never what the reader wrote. */
export const ErrorReportChanges = v.strictObject({
  status: v.optional(v.picklist(errorReportStatuses, `Must be one of: ${errorReportStatuses.join(', ')}`)),
  note: v.optional(
    v.pipe(
      v.string('Must be a text.'),
      v.maxLength(mostReportText, `Must be at most ${mostReportText} characters.`),
    ),
  ),
  version: v.optional(Version),
})
export type ErrorReportChanges = v.InferOutput<typeof ErrorReportChanges>

/** Whether a person is written to about new reports of a place. */
export const ErrorReportEmails = v.strictObject({ isOn: v.boolean('Must be true or false.') })
export type ErrorReportEmails = v.InferOutput<typeof ErrorReportEmails>

/** What the link of such an email is about: the place, and whether its holder is still written to. */
export const ErrorReportSubscription = v.strictObject({
  placeId: v.string(),
  placeName: v.string(),
  isOn: v.boolean(),
})

/** What a reader sent by the form of a source, checked and cleaned. */
export interface SentReport {
  placeId: string
  sourceId: string
  datumId: string | null
  insightId: string | null
  text: string
  email: string | null
  locale: string
  /** Of the form and all that was sent by it: a form that is sent again makes no second report. */
  formHash: string
  /** A field was filled that people do not see. It is kept, and nobody is written to about it. */
  isSpam: boolean
}
