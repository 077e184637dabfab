/** The hub search without DOM: requests to the API, and results from its responses. */

import type { IslandTexts } from '#functions/shapes/language/island.ts'
import { plural } from '#functions/shapes/plural.ts'
import { clientKey } from '#functions/shapes/client-key.ts'

type Kind = 'domain' | 'indicator' | 'story'

export interface SearchHit {
  kind: Kind
  title: string
  href: string
  note?: string
}

const searchRetries = 3

interface NamedRow {
  id: string
  name: string
}
interface DataTypeFound extends NamedRow {
  sources?: NamedRow[]
}
interface SourceFound extends NamedRow {
  dataTypeId?: string
  dataType?: NamedRow & { category?: string }
}
interface PageFound {
  id: string
  title: string
  type: string
}

/** The URLs of a search's three requests: public data types, sources and pages of the place. */
export function searchUrls(placeId: string, text: string): [string, string, string] {
  const base = `/v1/places/${encodeURIComponent(placeId)}`
  const url = (noun: string, options: [string, string][]) =>
    `${base}/${noun}?${new URLSearchParams([['search', text], ...options, ['key', clientKey]]).toString()}`
  return [
    url('dataTypes', [
      ['maxVisibility', 'public'],
      ['includes[0][resource]', 'sources'],
      ['includes[0][attributes][0]', 'id'],
      ['includes[0][attributes][1]', 'name'],
      ['includes[0][filters][0][placeId]', placeId],
      ['includes[0][filters][0][visibility]', 'public'],
    ]),
    url('sources', [
      ['maxVisibility', 'public'],
      ['includes[0][resource]', 'dataType'],
      ['includes[0][attributes][0]', 'id'],
      ['includes[0][attributes][1]', 'name'],
      ['includes[0][attributes][2]', 'category'],
    ]),
    url('pages', [
      ['visibility', 'public'],
      ['filters[0][publish]', 'published'],
      ['filters[1][type][$in][0]', 'blank'],
      ['filters[1][type][$in][1]', 'storytelling'],
    ]),
  ]
}

function sourcePath(dataTypeId: string, sourceId: string) {
  return `/domains/${encodeURIComponent(dataTypeId)}/source/${encodeURIComponent(sourceId)}`
}

const byTitle = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true })

/**
 * The results of the three responses, sorted by name or title, with links; a domain without a source links to /domains. `base`: the
 * language prefix of the hub's paths.
 */
export function searchResults(placeId: string, base: string, answers: readonly unknown[][]): SearchHit[] {
  const [dataTypes = [], sources = [], pages = []] = answers
  const hits: SearchHit[] = [
    ...(dataTypes as DataTypeFound[])
      .filter(({ id }) => isShown(placeId, id))
      .map((dataType): SearchHit => {
        const [first] = [...(dataType.sources ?? [])].sort((a, b) => byTitle.compare(a.name, b.name))
        const path = first ? sourcePath(dataType.id, first.id) : '/domains'
        return { kind: 'domain', title: dataType.name, href: base + path }
      }),
    ...(sources as SourceFound[]).flatMap((source): SearchHit[] => {
      const dataTypeId = source.dataTypeId ?? source.dataType?.id
      // A source of a hidden data type has no page.
      if (dataTypeId && !isShown(placeId, dataTypeId)) return []
      const path = dataTypeId ? sourcePath(dataTypeId, source.id) : '/domains'
      return [{ kind: 'indicator', title: source.name, href: base + path, note: source.dataType?.name }]
    }),
    ...(pages as PageFound[]).map((page): SearchHit => {
      const path = `/pages/${encodeURIComponent(page.type)}/${encodeURIComponent(page.id)}/preview`
      return { kind: 'story', title: page.title, href: base + path }
    }),
  ]
  return hits.sort((a, b) => byTitle.compare(a.title, b.title))
}

interface SearchOutcome {
  resultCount: number
  /** Number of requests that failed. */
  failureCount: number
  /** The language for numbers, as a BCP 47 tag. */
  tag: string
}

/** The sentence above the results of a search; it never says that there are none if a request failed. */
export function searchStatus(
  words: Pick<IslandTexts, 'results' | 'none' | 'searchFailed' | 'searchIncomplete'>,
  { resultCount, failureCount, tag }: SearchOutcome,
): string {
  if (resultCount === 0) return failureCount ? words.searchFailed : words.none
  const results = plural(words.results, resultCount, tag)
  return failureCount ? `${results}. ${words.searchIncomplete}` : results
}

/** "For place id "nyc-ny", data types with id issue or tree are removed." */
function isShown(placeId: string, dataTypeId: string): boolean {
  return placeId !== 'nyc-ny' || !['issue', 'tree'].includes(dataTypeId)
}

const worthRetrying = new Set([408, 413, 429, 500, 502, 503, 504])

interface FetchServices {
  fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Waits that many milliseconds. */
  wait: (ms: number) => Promise<void>
  signal: AbortSignal
}

/**
 * The `results` of a list response; retries up to three times after network and server errors. Throws the last error, and at once if
 * aborted or the request is invalid.
 */
export async function fetchResults(url: string, { fetch, wait, signal }: FetchServices): Promise<unknown[]> {
  for (let tries = 0; ; tries++) {
    let failure: unknown
    try {
      const response = await fetch(url, { signal, headers: { accept: 'application/json' } })
      if (response.ok) {
        const body = (await response.json()) as { results?: unknown }
        return Array.isArray(body.results) ? body.results : []
      }
      failure = new Error(`${response.status} ${url}`)
      if (!worthRetrying.has(response.status)) throw new FinalFailure(failure)
    } catch (error) {
      if (error instanceof FinalFailure) throw error.cause
      failure = error
    }
    if (signal.aborted || tries >= searchRetries) throw failure
    await wait(300 * 2 ** tries)
  }
}

class FinalFailure extends Error {
  constructor(cause: unknown) {
    super('not worth another try', { cause })
  }
}
