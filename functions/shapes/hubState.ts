import type { HubLanguages } from './locale.ts'

/** `topic`: its own, else that of its data type; null where neither has one. */
interface HubSource {
  id: string
  dataTypeId: string
  dataVersion: number
  topic: string | null
  isPublic: boolean
}

/** What the edge must know about a place, read as the product itself. */
export interface HubState {
  placeId: string
  isHub: boolean
  /** Verified domains, the canonical one first. */
  domains: string[]
  /** When each of them was connected, in seconds of the epoch. */
  since: Record<string, number>
  /** Domains it gave up: nothing answers there any more. */
  released: string[]
  manifest: number
  /** What its pages are in, its own language first. */
  languages: HubLanguages
  sources: HubSource[]
  /** When this was read, by the database's clock, in microseconds: no later than what is in it. */
  at: number
  /** Public insights, by id. */
  insights: string[]
  /** Published public pages that visitors can open. */
  pages: { id: string; type: 'blank' | 'dashboard' | 'storytelling' }[]
  /** The public insights that those pages draw, in the order of pages and ids: each has a frame of its own. */
  figures: { pageId: string; insightId: string }[]
  hasMap: boolean
  /** The database was brought back to an earlier moment: the edge may know better what was withdrawn since. */
  isRestored: boolean
}
