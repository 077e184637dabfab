import type { FieldType } from '../field.ts'
import type { Cadence } from '../metadata.ts'

/**
 * The texts about provenance, quality and citation of data in one language. Numbers and dates come formatted
 * and follow a colon, so that no word has to agree with them.
 */
export interface TrustTexts {
  /** The update frequency. */
  cadence: string
  cadences: Record<Cadence, string>
  topic: string
  tags: string
  coverage: string
  /** The date of the next update according to the cadence. */
  nextUpdate: string
  /** The same for data that were not updated by that date. */
  late: string
  publisher: string
  contact: string
  version: string
  versionText: (version: string, date: string) => string
  firstVersion: string
  sinceVersion: (version: string) => string
  created: (count: string) => string
  updated: (count: string) => string
  removed: (count: string) => string
  fieldsChanged: string
  quality: string
  /** Rejected rows of the file. */
  refused: (count: string) => string
  noneRefused: string
  missing: (percent: string) => string
  noneMissing: string
  mostMissing: (field: string, percent: string) => string
  fields: FieldWords
  /** Links to the contact for questions about the data. */
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
  missingText: (percent: string, count: string) => string
  noneMissing: string
  different: string
  about: (count: string) => string
  range: string
  rangeText: (from: string, to: string) => string
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
  /** How long which parts of a version are stored. */
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
  /** The description of the source at that time. */
  description: string
  /** The list of all versions: link, heading and empty state. */
  all: string
  listTitle: (source: string) => string
  none: string
  missing: (version: string) => string
}
