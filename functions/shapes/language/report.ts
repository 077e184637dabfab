import type { Plural } from '../plural.ts'

/** The page by which a reader reports an error in a source. `{n}`, `{most}` and `{days}` are numbers as the language writes them. */
export interface ReportWords {
  title: (source: string) => string
  intro: string
  /** What the report is about within the source. */
  aboutRecord: (id: string) => string
  aboutFigure: (title: string) => string
  text: string
  textHint: string
  email: string
  emailHint: string
  /** Above what is done with a report. */
  keptTitle: string
  kept: (days: string) => string[]
  send: string
  /** A field that people do not see. */
  empty: string
  done: string
  doneText: string
  doneAnswer: string
  back: string
  /** The form again, with what was typed. */
  again: string
  /** Above what is wrong, where the form is shown again. */
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
  /** For the statement on privacy; `days` as in `kept`. */
  privacy: (days: string) => string
}
