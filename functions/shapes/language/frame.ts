import type { Plural } from '../plural.ts'

/** What stands around the pages of a hub: its footer, its statements, what is said of an address that leads nowhere. */
export interface FrameWords {
  /** Above the pages whose address is nearly the one that was asked for. */
  nearest: string
  /** Before a search for what an address that leads nowhere may have meant. */
  searchInstead: string
  /** A host that is nobody's. `{host}` is what was asked for. */
  unknownHost: { title: string; text: string; advice: string }
  /** The page of a host whose organization was closed. */
  closedHost: { title: string; text: string; advice: string }
  /** What programs that add the hub's search call it; `{name}` is the place. At most 16 characters of the name are theirs. */
  openSearch: string
  footer: { contact: string; licences: string; feeds: string; api: string }
  /** What the list of data says of itself, below its heading. */
  byTopic: string
  publisher: string
  licences: {
    /** Sources that have a licence, by its name; then how many have none. */
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
  /** Before the facts: which is tested how. */
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
  /** No fault was found. */
  noFaults: string
  /** No result is on record. */
  noResult: string
  limits: string
  report: string
  /** Where no contact is named. */
  noContact: string
}

interface PrivacyWords {
  title: string
  /** The heading above what the organization wrote; `{name}` is the place. */
  ofPlace: string
  /** What the hub itself does with a visit, each a sentence or two. */
  ofHub: string
  facts: string[]
}
