import type { HubLanguages } from './locale.ts'

/** `topic`: its own, else that of its data type; null if neither has one. */
interface HubSource {
  id: string
  dataTypeId: string
  dataVersion: number
  topic: string | null
  isPublic: boolean
}

/** What the edge must know about a place, read with system permissions. */
export interface HubState {
  placeId: string
  isHub: boolean
  /** Verified domains, the canonical one first. */
  domains: string[]
  /** When each of them was connected, in seconds since 1970. */
  since: Record<string, number>
  /** Released domains, which must not be served any more. */
  released: string[]
  manifest: number
  /** The languages of its pages, the default first. */
  languages: HubLanguages
  sources: HubSource[]
  /** When this was read, by the database's clock, in microseconds: no later than its contents. */
  at: number
  /** Ids of public insights. */
  insights: string[]
  /** Published public pages that visitors can open. */
  pages: { id: string; type: 'blank' | 'dashboard' | 'storytelling' }[]
  /** The public insights on those pages, ordered by page and id: each has an embed page. */
  figures: { pageId: string; insightId: string }[]
  hasMap: boolean
  /** The database was restored to an earlier state: the edge may know later withdrawals. */
  isRestored: boolean
}
