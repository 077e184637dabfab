import { beforeAll, describe, expect, test } from 'vitest'
import { searchResults, searchUrls } from '#app/islands/search-query.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import {
  fileKey,
  pageKey,
  readManifest,
  writeManifest,
  type ManifestPage,
} from '#functions/edge/hub/manifest.ts'
import { writePlaceState } from '#functions/edge/hub/place-state.ts'
import type { SearchRows } from './index.ts'
import { answerSearch, readSearchRequest } from './search-api.ts'
import { writeIndex, type SearchDocument } from './write.ts'
import type { Snapshot } from '#functions/edge/hub/snapshot.ts'

const hubs = memoryBucket()
const snapshot: Snapshot = {
  placeId: 'oakton',
  isHub: true,
  canonicalHost: 'oakton.test',
  manifest: 1,
  sources: {},
}
const read = async (bucket: R2Bucket, key: string) => (await (await bucket.get(key))?.text()) ?? null
const source = (id: string) => ({ id, name: `Rain ${id}`, dataTypeId: 'weather' })

beforeAll(async () => {
  const documents: SearchDocument[] = [
    {
      kind: 'domain',
      title: 'Rainy weather',
      href: '/domains/weather/source/a',
      note: '',
      domain: 'weather',
    },
    ...['b', 'a', 'shut'].map((id) => {
      const href = `/domains/weather/source/${id}`
      return { kind: 'indicator' as const, title: `Rain ${id}`, href, note: '', domain: 'weather' }
    }),
    ...['told', 'gone'].map((id) => {
      const href = `/pages/storytelling/${id}/preview`
      return { kind: 'story' as const, title: `Rain ${id}`, href, note: '', domain: null }
    }),
  ]
  const file = writeIndex(documents, { domains: { weather: 'Weather' }, rows: '/f/rows.json' })
  const toRowsById = (rows: { id: string }[]) =>
    Object.fromEntries(rows.map((row) => [row.id, JSON.stringify(row)]))
  const rows: SearchRows = {
    dataTypes: toRowsById([
      { ...{ id: 'weather', name: 'Rainy weather' }, ...{ sources: ['a', 'shut'].map(source) } },
    ]),
    sources: toRowsById(['a', 'b', 'shut'].map(source)),
    pages: toRowsById(['told', 'gone'].map((id) => ({ id, title: `Rain ${id}`, type: 'storytelling' }))),
  }
  const page: ManifestPage = {
    ...{ hash: 'shell', status: 200, type: 'text/html', styles: [], tags: [] },
    files: ['index.json', 'rows.json'],
  }
  await hubs.put(pageKey('oakton', 'shell'), '<div data-search-index="/f/index.json">')
  await hubs.put(fileKey('oakton', 'index.json'), JSON.stringify(file))
  await hubs.put(fileKey('oakton', 'rows.json'), JSON.stringify(rows))
  const pages = { 'en /search': page, 'en /pages/storytelling/told/preview': page }
  await writeManifest(hubs, { placeId: 'oakton', number: 1, pages })
  expect(await readManifest(hubs, 'oakton', 1)).not.toBeNull()
  const open = { version: 1, dataType: 'weather' }
  await writePlaceState(hubs, {
    ...{ placeId: 'oakton', at: 1, timeZone: 'UTC', dataTypes: { weather: 1 }, insights: {} },
    sources: { a: open, b: open },
  })
})

const requests = (text: string, init: RequestInit = {}) =>
  searchUrls('oakton', text).map((url) => new Request(`https://oakton.test${url}`, init))

async function answers(text: string) {
  return Promise.all(
    requests(text).map(async (request) => {
      const searchRequest = readSearchRequest(request)
      const response = searchRequest && (await answerSearch(request, searchRequest, snapshot, hubs, read))
      return (await response?.json()) as { results: Record<string, unknown>[]; meta: object }
    }),
  )
}

describe('what the box asks', () => {
  test('is recognized in any spelling', () => {
    const searchRequests = requests('rain & wind').map(readSearchRequest)
    expect(searchRequests).toEqual(
      ['dataTypes', 'sources', 'pages'].map((noun) => ({ placeId: 'oakton', noun, text: 'rain & wind' })),
    )
    const json = '[{"resource":"dataType","attributes":["id","name","category"]}]'
    const other = `/v1/places/oakton/sources?includes=${encodeURIComponent(json)}&maxVisibility=public&search=x`
    expect(readSearchRequest(new Request(`https://oakton.test${other}`))).toMatchObject({ noun: 'sources' })
  })

  test('with credentials, other options or another list is not handled here', () => {
    const [, sources = ''] = searchUrls('oakton', 'rain')
    const readSearchPath = (path: string, init: RequestInit = {}) =>
      readSearchRequest(new Request(`https://oakton.test${path}`, init))
    expect(readSearchPath(sources)).not.toBeNull()
    for (const more of [
      '&limit=1',
      '&key=',
      '&visibility=place',
      '&offset=2',
      '&search=two',
      '&response=false',
    ])
      expect([more, readSearchPath(sources + more)]).toEqual([more, null])
    expect(readSearchPath(sources, { headers: { authorization: 'Bearer x' } })).toBeNull()
    expect(readSearchPath(sources, { headers: { cookie: 'a=b' } })).toBeNull()
    expect(readSearchPath(sources, { method: 'POST' })).toBeNull()
    expect(readSearchPath(sources.replace('rain', '+'))).toBeNull()
    expect(readSearchPath(sources.replace('oakton/sources', 'oakton/insights'))).toBeNull()
  })

  test('is answered like the lists, with what is public now', async () => {
    const [dataTypes, sources, pages] = await answers('rain')
    expect(dataTypes).toEqual({
      results: [{ id: 'weather', name: 'Rainy weather', sources: [source('a')] }],
      meta: { results: 1, total: 1 },
    })
    expect(sources).toEqual({ results: ['a', 'b'].map(source), meta: { results: 2, total: 2 } })
    expect(pages?.results).toEqual([{ id: 'told', title: 'Rain told', type: 'storytelling' }])
    const hits = searchResults(
      'oakton',
      '',
      (await answers('rain')).map(({ results }) => results),
    )
    expect(hits.map(({ title }) => title)).toEqual(['Rain a', 'Rain b', 'Rain told', 'Rainy weather'])
  })

  test('may have no results', async () => {
    expect(await answers('snow')).toEqual(
      Array.from({ length: 3 }, () => ({ results: [], meta: { results: 0, total: 0 } })),
    )
  })

  test('of a hub that was never published is answered live', async () => {
    const [request] = requests('rain')
    const searchRequest = request && readSearchRequest(request)
    expect(
      searchRequest && (await answerSearch(request, searchRequest, { ...snapshot, manifest: 0 }, hubs, read)),
    ).toBeNull()
  })
})
