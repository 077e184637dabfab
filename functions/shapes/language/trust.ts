import type { FieldType } from '../field.ts'
import type { Cadence } from '../metadata.ts'

/**
 * What pages say of where data come from, how good they are and how they are quoted, in one language. Numbers and
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
  /** The same of data that did not come by that day. */
  late: string
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
  /** Leads to whom one may ask about the data. */
  reportError: string
  reportFigure: string
  cite: CiteWords
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
  /** The list of all versions: the way to it, its heading, and what it says while it is empty. */
  all: string
  listTitle: (source: string) => string
  none: string
  missing: (version: string) => string
}
