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
import { readLastPlaceState } from '#functions/edge/hub/place-state.ts'
import {
  facetNames,
  find,
  parseIndex,
  type SearchEntry,
  type SearchFile,
  type SearchIndex,
  type SearchRows,
} from './index.ts'
import { suggest } from './suggest.ts'
import { findAttribute, fillResults, indexAttribute, type SearchShown } from './search-page.ts'

/** Cached indexes with the rows they have loaded, evicting the least recently used, by their stored size in bytes. */
const indexes = new ImmutableCache<KeptIndex>({ cost: 12_000_000, estimateCost: ({ bytes }) => bytes })

interface KeptIndex extends SearchIndex {
  /** Its stored size. */
  bytes: number
  /** Rows of the `/v1` lists as JSON, by noun and id; null until they are needed. */
  listRows: SearchRows | null
}

/** A hub as currently served. */
interface ServedHub {
  hubs: R2Bucket
  placeId: string
  manifest: Manifest
  /** Reads a stored body; null if it does not exist. */
  read(key: string): Promise<string | null>
  /** Whether the subject of a path is public now. */
  isPublic?: (href: string) => boolean
  /** Called for searches without results. */
  onEmptySearch?: EmptySearchCallback | undefined
}

/** Called with the text of a search without results. */
export type EmptySearchCallback = (text: string) => void

/**
 * The results page: the stored page of a language filled from the hub's index, without the database and without scripts. Null if it
 * was never rendered. Entries that are no longer public are left out, even if the index still has them.
 */
export async function renderSearchPage(
  hub: ServedHub,
  page: ManifestPage,
  query: SearchShown,
): Promise<string | null> {
  const shell = await hub.read(pageKey(hub.placeId, page.hash))
  const index = shell === null ? null : await indexIn(hub, page, shell)
  if (shell === null || !index) return null
  const { locale, sort } = query
  const match = find(index, query, { locale, sort, isShown: await createVisibilityFilter(hub) })
  const isNarrowed = facetNames.some((name) => query[name] !== null)
  if (match.results.length === 0 && !isNarrowed && query.text !== '') hub.onEmptySearch?.(query.text)
  return fillResults(shell, query, match)
}

/** Suggestions for a partial text: words and titles of the hub. Null if it has no index. */
export async function findSuggestions(
  hub: ServedHub,
  page: ManifestPage,
  { text, locale }: Pick<SearchShown, 'text' | 'locale'>,
): Promise<string[] | null> {
  const shell = await hub.read(pageKey(hub.placeId, page.hash))
  const index = shell === null ? null : await indexIn(hub, page, shell)
  return index && suggest(index, text, { locale, isShown: await createVisibilityFilter(hub) })
}

/** The index that a stored results page refers to; null without one. */
export async function indexIn(hub: ServedHub, page: ManifestPage, shell: string): Promise<KeptIndex | null> {
  const address = findAttribute(shell, indexAttribute)
  const key = address === null ? null : findFileKey(hub.placeId, page, address)
  if (key === null) return null
  return indexes.read(key, async () => {
    const file = await hub.hubs.get(key)
    return file && { ...parseIndex(await file.json<SearchFile>()), bytes: file.size, listRows: null }
  })
}

/** The rows of an index; null if they no longer exist. */
export async function rowsIn(
  hub: ServedHub,
  page: ManifestPage,
  index: KeptIndex,
): Promise<SearchRows | null> {
  if (index.listRows) return index.listRows
  const key = findFileKey(hub.placeId, page, index.rows)
  const file = key === null ? null : await hub.hubs.get(key)
  index.listRows = file ? await file.json<SearchRows>() : null
  return index.listRows
}

/** The key of a stored page's file by its URL; null for a file of another page. */
function findFileKey(placeId: string, { files }: ManifestPage, address: string): string | null {
  const name = address.slice('/f/'.length)
  return files.includes(name) ? fileKey(placeId, name) : null
}

/** A filter of what is public now, as an index is updated a little later than a source becomes private. */
async function createVisibilityFilter({
  hubs,
  placeId,
  manifest,
  isPublic,
}: ServedHub): Promise<(entry: SearchEntry) => boolean> {
  const state = await readLastPlaceState(hubs, placeId)
  const [own] = languagesIn(manifest)
  return ({ href }) => {
    if (!Object.hasOwn(manifest.pages, pageName(own, href))) return false
    if (isPublic?.(href) === false) return false
    const source = sourceInPath(href)
    return source === null || !state || Object.hasOwn(state.sources, source)
  }
}

/** The stored results page of a language, if there is one. */
export const resultsPage = ({ pages }: Manifest, locale: Locale): ManifestPage | undefined =>
  pages[pageName(locale, searchPath)]
