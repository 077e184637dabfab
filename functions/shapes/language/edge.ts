import type { Plural } from '../plural.ts'

/** What the edge itself says of a hub in a language, where no page was made to say it. Pages use the same words. */
export interface EdgeWords {
  results: Plural
  none: string
  kinds: { domain: string; indicator: string; story: string; map: string }
  /** The choices on a page of results. `page` has {n} and {of} for the formatted numbers. */
  search: { all: string; byKind: string; byDomain: string; page: string; previous: string; next: string }
  /** The hub was never published. */
  preparing: { title: string; text: string }
  /** A page that shows what was withdrawn, until it is made again without it. */
  updating: { title: string; text: string }
  /** The storage cannot be read, and memory has nothing. */
  unreadable: { title: string; text: string }
}
