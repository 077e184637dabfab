import type { FieldType } from '../field.ts'
import type { Cadence } from '../metadata.ts'

/**
 * What pages say of where data come from, how good they are, how they are quoted and how an error is reported, in one language. Numbers and
 * dates come formatted; they stand behind a colon, so that no word has to agree with them.
 */
export interface TrustWords {
  /** How often new data comes. */
  cadence: string
  cadences: Record<Cadence, string>
  topic: string
  tags: string
  coverage: string
  /** By when the cadence says that data come. */
  nextUpdate: string
  publisher: string
  contact: string
  version: string
  versionOf: (version: string, date: string) => string
  firstVersion: string
  sinceVersion: (version: string) => string
  created: (count: string) => string
  updated: (count: string) => string
  removed: (count: string) => string
  fieldsChanged: string
  quality: string
  /** Rows of the file that were not taken. */
  refused: (count: string) => string
  noneRefused: string
  missing: (percent: string) => string
  noneMissing: string
  mostMissing: (field: string, percent: string) => string
  fields: FieldWords
  cite: CiteWords
  report: ReportWords
}

/** The page that describes the fields. */
interface FieldWords {
  link: string
  title: (source: string) => string
  key: string
  type: string
  types: Record<FieldType, string>
  unit: string
  missing: string
  missingOf: (percent: string, count: string) => string
  noneMissing: string
  different: string
  about: (count: string) => string
  range: string
  rangeOf: (from: string, to: string) => string
  top: string
  others: (count: string) => string
  tooLow: (count: string) => string
  emptyText: string
  spread: (bars: string, most: string) => string
  codes: string
  noValue: string
  identifier: string
  primary: string
  pending: string
  noRecords: string
  notShown: (count: string) => string
}

interface CiteWords {
  title: string
  dataSet: string
  text: string
  permanent: string
  /** What of a version stays for how long. */
  kept: string
  versions: string
  pageTitle: (source: string, version: string) => string
  published: string
  records: string
  checksum: string
  noChecksum: string
  rows: string
  rowsGone: string
  isNewest: string
  toNewest: string
  /** How the source was described then. */
  description: string
  missing: (version: string) => string
}

interface ReportWords {
  link: string
  title: (source: string) => string
  intro: (place: string) => string
  text: string
  textHint: string
  where: string
  whereHint: string
  email: string
  emailHint: string
  /** Never seen by people: what programs fill in. */
  leaveEmpty: string
  keptFor: (days: string) => string
  send: string
  sentTitle: string
  sent: (place: string) => string
  back: string
  refusedTitle: string
  noText: string
  tooLong: (most: string) => string
  badEmail: string
  tooMany: string
  notNow: string
}
