import { canonical } from '#functions/engine/http/canonical.ts'
import { parseQuery } from '#functions/engine/http/querystring.ts'
import { clientKey } from '#functions/shapes/client-key.ts'
import { sourceInPath } from '#functions/shapes/hub-picture.ts'
import { languagesIn, pageKey, pageName, readManifest } from '#functions/edge/hub/manifest.ts'
import { readLastPlaceState } from '#functions/edge/hub/place-state.ts'
import { toSearchQuestion, find, searchNouns, type SearchKind, type SearchNoun } from './index.ts'
import { indexIn, resultsPage, rowsIn, type EmptySearchCallback } from './search-serve.ts'
import type { Snapshot } from '#functions/edge/hub/snapshot.ts'
import { isAboutPublic } from '#functions/edge/hub/withdrawn.ts'

/** One of the three requests of a hub's search box. */
interface SearchRequest {
  placeId: string
  noun: SearchNoun
  text: string
}

/** Maximum number of rows: the maximum limit of the list itself. */
const maxRows = 1000

const kinds: Record<SearchNoun, SearchKind> = { dataTypes: 'domain', sources: 'indicator', pages: 'story' }

/** The options of the search box besides `search`. */
const optionsByNoun: Record<SearchNoun, (placeId: string) => object> = {
  dataTypes: (placeId) => ({
    maxVisibility: 'public',
    includes: [
      { resource: 'sources', attributes: ['id', 'name'], filters: [{ placeId, visibility: 'public' }] },
    ],
  }),
  sources: () => ({
    maxVisibility: 'public',
    includes: [{ resource: 'dataType', attributes: ['id', 'name', 'category'] }],
  }),
  pages: () => ({
    visibility: 'public',
    filters: [{ publish: 'published' }, { type: { $in: ['blank', 'storytelling'] } }],
  }),
}

const address = /^\/v1\/places\/([a-z0-9][a-z0-9-]{0,62})\/(dataTypes|sources|pages)\/?$/

/**
 * Parses a request of the search box; null for any other. Only an anonymous GET with exactly the options of the box: other requests
 * are answered by the list itself.
 */
export function readSearchRequest({ method, headers, url }: Request): SearchRequest | null {
  const isRead = method === 'GET' || method === 'HEAD'
  if (!isRead || headers.has('cookie') || headers.has('authorization')) return null
  const { pathname, search } = new URL(url)
  const [, placeId, name] = address.exec(pathname) ?? []
  const noun = searchNouns.find((each) => each === name)
  if (placeId === undefined || noun === undefined || search.length > 4000) return null
  const { search: text, key, ...rest } = optionsIn(search)
  // Another key may have more permissions.
  if (key !== undefined && key !== clientKey) return null
  if (typeof text !== 'string' || text.trim() === '' || text.length > 200) return null
  return canonical(rest) === canonical(optionsByNoun[noun](placeId))
    ? { placeId, noun, text: text.trim() }
    : null
}

function optionsIn(search: string): Record<string, unknown> {
  try {
    return parseQuery(search)
  } catch {
    // The list reports the error.
    return {}
  }
}

/**
 * Answers a search box from the hub's index, without the database: rows as in the list, sorted by name or title, at most 1,000. Null
 * if the hub has no index. The box sends the same text three times: `onEmptySearch` is called only once for them.
 */
export async function answerSearch(
  request: Request,
  { placeId, noun, text }: SearchRequest,
  snapshot: Snapshot,
  hubs: R2Bucket,
  read: (hubs: R2Bucket, key: string) => Promise<string | null>,
  onEmptySearch?: EmptySearchCallback,
): Promise<Response | null> {
  const manifest = await readManifest(hubs, placeId, snapshot.manifest)
  const page = manifest && resultsPage(manifest, languagesIn(manifest)[0])
  const shell = page ? await read(hubs, pageKey(placeId, page.hash)) : null
  if (!manifest || !page || shell === null) return null
  const [own] = languagesIn(manifest)
  const hub = { hubs, placeId, manifest, read: (key: string) => read(hubs, key) }
  const index = await indexIn(hub, page, shell)
  const [rows, state] = await Promise.all([
    index && rowsIn(hub, page, index),
    readLastPlaceState(hubs, placeId),
  ])
  if (!index || !rows || !state) return null
  const isPublic = (source: string) => Object.hasOwn(state.sources, source)
  const options = { locale: own, sort: 'name', isStrict: true } as const
  const { results } = find(index, { ...toSearchQuestion(text), kind: kinds[noun] }, options)
  const matches = results.flatMap(({ href, domain }) => {
    const id =
      noun === 'dataTypes' ? domain : noun === 'sources' ? sourceInPath(href) : (href.split('/')[3] ?? null)
    const row = id !== null && Object.hasOwn(rows[noun], id) ? rows[noun][id] : undefined
    if (id === null || row === undefined) return []
    if (noun === 'sources') return isPublic(id) ? [row] : []
    if (noun === 'dataTypes') return filterPublicSources(row, isPublic)
    const isThere = Object.hasOwn(manifest.pages, pageName(own, href))
    return isThere && isAboutPublic(snapshot, href) ? [row] : []
  })
  const isEmpty = () => find(index, toSearchQuestion(text), options).results.length === 0
  if (noun === 'sources' && matches.length === 0 && isEmpty()) onEmptySearch?.(text)
  const firstMatches = matches.slice(0, maxRows)
  const body = `{"results":[${firstMatches.join(',')}],"meta":{"results":${firstMatches.length},"total":${matches.length}}}`
  return new Response(request.method === 'HEAD' ? null : body, {
    headers: {
      'content-type': 'application/json',
      'cache-control': 'private, no-cache',
      'access-control-allow-origin': '*',
      'server-timing': 'cache;desc="hit-index"',
      'x-request-id': crypto.randomUUID(),
      'x-content-type-options': 'nosniff',
    },
  })
}

/** A data type's row with its public sources only; empty without any. */
function filterPublicSources(json: string, isPublic: (source: string) => boolean): string[] {
  const row = JSON.parse(json) as { sources?: { id: string }[] }
  const sources = (row.sources ?? []).filter(({ id }) => isPublic(id))
  return sources.length > 0 ? [JSON.stringify({ ...row, sources })] : []
}
