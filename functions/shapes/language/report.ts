import type { Plural } from '../plural.ts'

/** The page where readers report an error in a source. `{n}`, `{most}` and `{days}` are formatted numbers. */
export interface ReportTexts {
  title: (source: string) => string
  intro: string
  /** What within the source the report is about. */
  aboutRecord: (id: string) => string
  aboutFigure: (title: string) => string
  text: string
  textHint: string
  email: string
  emailHint: string
  /** The heading of how a report is processed. */
  keptTitle: string
  kept: (days: string) => string[]
  send: string
  /** The label of the honeypot field, which is hidden from people. */
  empty: string
  done: string
  doneText: string
  doneAnswer: string
  back: string
  /** Links to a new form after a report was sent. */
  again: string
  /** The heading of errors, where the form is shown again. */
  refused: string
  problems: {
    required: string
    long: (n: string, most: string) => string
    email: string
    expired: string
    quick: string
    foreign: string
    noForm: string
    large: string
    tooMany: Plural
    unavailable: string
    gone: string
  }
  /** For the privacy statement; `days` as in `kept`. */
  privacy: (days: string) => string
}
