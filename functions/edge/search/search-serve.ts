import { searchPath } from '#functions/engine/address/urls.ts'
import { ImmutableCache } from '#functions/platform/cache/immutable.ts'
import { sourceInPath } from '#functions/shapes/hub-picture.ts'
import type { Locale } from '#functions/engine/address/locales.ts'
import {
  fileKey,
  languagesIn,
  pageKey,
  pageName,
  type Manifest,
  type ManifestPage,
} from '#functions/edge/hub/manifest.ts'
import { lastPlaceState } from '#functions/edge/hub/place-state.ts'
import {
  facetNames,
  find,
  indexOf,
  type Findable,
  type SearchFile,
  type SearchIndex,
  type SearchRows,
} from './index.ts'
import { suggest } from './suggest.ts'
import { attributeOf, fillResults, indexAttribute, type SearchShown } from './search-page.ts'

/** Indexes in the isolate with the rows they have read, least lately used first; together at most so many bytes as they are stored. */
const indexes = new ImmutableCache<KeptIndex>({ cost: 12_000_000, costOf: ({ bytes }) => bytes })

interface KeptIndex extends SearchIndex {
  /** How large it is as it is stored. */
  bytes: number
  /** Rows of the lists of `/v1` as JSON, by noun and id; null until someone asked for them. */
  held: SearchRows | null
}

/** A hub as it is served now. */
interface Served {
  hubs: R2Bucket
  placeId: string
  manifest: Manifest
  /** Reads a stored body; null for one that is gone. */
  read(key: string): Promise<string | null>
  /** Whether what a path is about is public now. */
  isPublic?: (href: string) => boolean
  /** Told of words that nothing of the hub has. */
  inVain?: InVain | undefined
}

/** Where the search box asks what someone may be typing. */
export const wordsPath = '/search/words'

/** Is told the words of a search that found nothing. */
export type InVain = (text: string) => void

/**
 * The page of a search: the stored page of results of a language, filled from the hub's own index, without the database
 * and without scripts. Null when it was never made. What is no longer public is not found, though the index still has it.
 */
export async function searchPageOf(
  hub: Served,
  page: ManifestPage,
  query: SearchShown,
): Promise<string | null> {
  const shell = await hub.read(pageKey(hub.placeId, page.hash))
  const index = shell === null ? null : await indexIn(hub, page, shell)
  if (shell === null || !index) return null
  const { locale, sort } = query
  const match = find(index, query, { locale, sort, isShown: await shownIn(hub) })
  const isNarrowed = facetNames.some((name) => query[name] !== null)
  if (match.results.length === 0 && !isNarrowed && query.text !== '') hub.inVain?.(query.text)
  return fillResults(shell, query, match)
}

/** What someone may be typing: words and titles of the hub. Null where it has no index. */
export async function suggestionsOf(
  hub: Served,
  page: ManifestPage,
  { text, locale }: Pick<SearchShown, 'text' | 'locale'>,
): Promise<string[] | null> {
  const shell = await hub.read(pageKey(hub.placeId, page.hash))
  const index = shell === null ? null : await indexIn(hub, page, shell)
  return index && suggest(index, text, { locale, isShown: await shownIn(hub) })
}

/** The index that a stored page of results names; null where there is none. */
export async function indexIn(hub: Served, page: ManifestPage, shell: string): Promise<KeptIndex | null> {
  const address = attributeOf(shell, indexAttribute)
  const key = address === null ? null : keyOf(hub.placeId, page, address)
  if (key === null) return null
  return indexes.read(key, async () => {
    const file = await hub.hubs.get(key)
    return file && { ...indexOf(await file.json<SearchFile>()), bytes: file.size, held: null }
  })
}

/** The rows of an index; null where they are gone. */
export async function rowsIn(hub: Served, page: ManifestPage, index: KeptIndex): Promise<SearchRows | null> {
  if (index.held) return index.held
  const key = keyOf(hub.placeId, page, index.rows)
  const file = key === null ? null : await hub.hubs.get(key)
  index.held = file ? await file.json<SearchRows>() : null
  return index.held
}

/** Where a file of a stored page lies, by its address; null for a file that is not the page's. */
function keyOf(placeId: string, { files }: ManifestPage, address: string): string | null {
  const name = address.slice('/f/'.length)
  return files.includes(name) ? fileKey(placeId, name) : null
}

/** What may be found now: an index is made again a little later than a source is closed. */
async function shownIn({ hubs, placeId, manifest, isPublic }: Served): Promise<(entry: Findable) => boolean> {
  const state = await lastPlaceState(hubs, placeId)
  const [own] = languagesIn(manifest)
  return ({ href }) => {
    if (!Object.hasOwn(manifest.pages, pageName(own, href))) return false
    if (isPublic?.(href) === false) return false
    const source = sourceInPath(href)
    return source === null || !state || Object.hasOwn(state.sources, source)
  }
}

/** The stored page of results of a language, if there is one. */
export const resultsPage = ({ pages }: Manifest, locale: Locale): ManifestPage | undefined =>
  pages[pageName(locale, searchPath)]
