import type { Plural } from '../plural.ts'

/** The texts around the pages of a hub: footer, statements, and pages of addresses that were not found. */
export interface FrameTexts {
  /** The heading of pages whose address is similar to the requested one. */
  nearest: string
  /** Above a search for what an address that was not found may have meant. */
  searchInstead: string
  /** The page of a host without an organization. `{host}` is the requested host. */
  unknownHost: { title: string; text: string; advice: string }
  /** The page of a host whose organization was closed. */
  closedHost: { title: string; text: string; advice: string }
  /** The description of the hub's search for browsers (OpenSearch); `{name}` is the place. */
  openSearch: string
  footer: { contact: string; licences: string; feeds: string; api: string }
  /** The text below the heading of the list of data. */
  byTopic: string
  publisher: string
  licences: {
    /** Introduces the list of licences with their sources; `none` counts the sources without one. */
    text: string
    none: Plural
    empty: string
  }
  feeds: { text: string; changes: string; stories: string; catalogues: string }
  noContact: string
  accessibility: AccessibilityWords
  privacy: PrivacyWords
}

interface AccessibilityWords {
  title: string
  /** `{name}` is the place. */
  intro: string
  results: string
  /** Above the facts: what is tested and how. */
  method: string
  date: string
  tool: string
  rules: string
  pages: string
  languages: string
  themes: string
  light: string
  dark: string
  widths: string
  checks: string
  found: string
  faults: Plural
  /** The test found no fault. */
  noFaults: string
  /** There is no test result. */
  noResult: string
  limits: string
  report: string
  /** Shown if the organization has no contact. */
  noContact: string
}

interface PrivacyWords {
  title: string
  /** The heading above the text of the organization; `{name}` is the place. */
  ofPlace: string
  /** What the hub itself does with data of a visit, one or two sentences each. */
  ofHub: string
  facts: string[]
}
