import { wordsPath } from '#functions/engine/address/urls.ts'
import { staleHeaders } from '#functions/engine/http/stale-headers.ts'
import { questionIn, type SearchShown } from '#functions/edge/search/search-page.ts'
import {
  resultsPage,
  renderSearchPage,
  findSuggestions,
  type EmptySearchCallback,
} from '#functions/edge/search/search-serve.ts'
import { languagesIn, type Manifest, type ManifestPage } from './manifest.ts'
import { pageSecurity } from './page-headers.ts'
import { readBody, type PageServing } from './served-pages.ts'
import { unavailablePage } from './unavailable.ts'
import { isAboutPublic } from './withdrawn.ts'

/**
 * Serves search results (`/search`) or the suggestions of the search box (`/search/words`); null for a hub
 * without a results page.
 */
export async function serveSearch(
  request: Request,
  { hubs, snapshot, manifest, locale, dataTime }: PageServing,
  path: string,
  onEmptySearch?: EmptySearchCallback,
): Promise<Response | null> {
  const shell = resultsPage(manifest, locale)
  if (!shell) return null
  const isPublic = (href: string) => isAboutPublic(snapshot, href)
  const { searchParams } = new URL(request.url)
  const question = { ...questionIn(searchParams), locale, languages: languagesIn(manifest) }
  const serve = path === wordsPath ? serveSuggestions : serveResults
  return serve(request, hubs, { manifest, shell, dataTime }, question, isPublic, onEmptySearch)
}

/**
 * Serves search results: the stored results page, filled from the hub's search index, without scripts and
 * without the database.
 */
async function serveResults(
  request: Request,
  hubs: R2Bucket,
  {
    manifest,
    shell: page,
    dataTime,
  }: { manifest: Manifest; shell: ManifestPage; dataTime: number | undefined },
  query: SearchShown,
  isPublic: (href: string) => boolean,
  onEmptySearch?: EmptySearchCallback,
) {
  const { placeId } = manifest
  const read = (key: string) => readBody(hubs, key)
  const body = await renderSearchPage({ hubs, placeId, manifest, read, isPublic, onEmptySearch }, page, query)
  if (body === null) return unavailablePage(query.locale, 'unreadable', request.method === 'HEAD')
  const old = dataTime === undefined ? {} : staleHeaders(dataTime)
  const headers = {
    'content-type': page.type,
    'cache-control': 'no-store',
    ...pageSecurity(page.styles),
    ...old,
  }
  return new Response(request.method === 'HEAD' ? null : body, { headers })
}

/** Serves suggestions for the search box while someone types. */
async function serveSuggestions(
  request: Request,
  hubs: R2Bucket,
  { manifest, shell }: { manifest: Manifest; shell: ManifestPage },
  query: SearchShown,
  isPublic: (href: string) => boolean,
) {
  const { placeId } = manifest
  const read = (key: string) => readBody(hubs, key)
  const words = await findSuggestions({ hubs, placeId, manifest, read, isPublic }, shell, query)
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  return new Response(request.method === 'HEAD' ? null : JSON.stringify(words ?? []), { headers })
}
