import { describe, expect, it } from 'vitest'
import { fetchResults, searchResults, searchStatus, searchUrls } from './search-query.ts'
import { island as german } from '#functions/shapes/language/de/island.ts'
import { island as english } from '#functions/shapes/language/en/island.ts'

const options = (url: string) => [...new URL(url, 'http://hub').searchParams]

describe('the hub search', () => {
  it('asks for public data types, sources and pages of the place', () => {
    const [dataTypes, sources, pages] = searchUrls('seattle-wa', 'rain & wind')
    expect(dataTypes).toMatch(
      /^\/v1\/places\/seattle-wa\/dataTypes\?search=rain\+%26\+wind&maxVisibility=public/,
    )
    expect(options(dataTypes)).toContainEqual(['includes[0][resource]', 'sources'])
    expect(options(sources)).toEqual([
      ['search', 'rain & wind'],
      ['maxVisibility', 'public'],
      ['includes[0][resource]', 'dataType'],
      ['includes[0][attributes][0]', 'id'],
      ['includes[0][attributes][1]', 'name'],
      ['includes[0][attributes][2]', 'category'],
      ['key', 'cpw_app'],
    ])
    expect(options(pages)).toEqual([
      ['search', 'rain & wind'],
      ['visibility', 'public'],
      ['filters[0][publish]', 'published'],
      ['filters[1][type][$in][0]', 'blank'],
      ['filters[1][type][$in][1]', 'storytelling'],
      ['key', 'cpw_app'],
    ])
  })

  it('sorts by name or title and links each kind to its page', () => {
    const results = searchResults('seattle-wa', '/es', [
      [
        {
          id: 'weather',
          name: 'Weather',
          sources: [
            { id: 's2', name: 'Wind' },
            { id: 's1', name: 'Rain' },
          ],
        },
        { id: 'trees', name: 'Trees' },
      ],
      [
        {
          id: 's1',
          name: 'rain, daily',
          dataTypeId: 'weather',
          dataType: { id: 'weather', name: 'Weather' },
        },
      ],
      [{ id: 'p1', title: 'A wet year', type: 'storytelling' }],
    ])
    expect(results).toEqual([
      { kind: 'story', title: 'A wet year', href: '/es/pages/storytelling/p1/preview' },
      { kind: 'indicator', title: 'rain, daily', href: '/es/domains/weather/source/s1', note: 'Weather' },
      { kind: 'domain', title: 'Trees', href: '/es/domains' },
      { kind: 'domain', title: 'Weather', href: '/es/domains/weather/source/s1' },
    ])
  })

  it('leaves out issue and tree, and their sources, in nyc-ny only', () => {
    const answers = [
      [
        { id: 'issue', name: 'Issues' },
        { id: 'tree', name: 'Trees' },
        { id: 'bus', name: 'Buses' },
      ],
      [
        { id: 's1', name: 'Potholes', dataTypeId: 'issue' },
        { id: 's2', name: 'Street trees', dataType: { id: 'tree', name: 'Trees' } },
        { id: 's3', name: 'Stops', dataTypeId: 'bus' },
      ],
    ]
    expect(searchResults('nyc-ny', '', answers).map((r) => r.title)).toEqual(['Buses', 'Stops'])
    expect(searchResults('seattle-wa', '', answers)).toHaveLength(6)
  })
})

describe('the sentence above the results', () => {
  const describeStatus = (resultCount: number, failureCount: number, words = english, tag = 'en') =>
    searchStatus(words, { resultCount, failureCount, tag })

  it('counts the results, or says that there are none', () => {
    expect([describeStatus(3, 0), describeStatus(0, 0)]).toEqual(['3 search results', 'No results!'])
  })

  it('says that the search failed instead of no results, and that some are missing', () => {
    expect(describeStatus(0, 1)).toBe('The search did not work.')
    expect(describeStatus(0, 3, german, 'de')).toBe('Die Suche hat nicht funktioniert.')
    expect(describeStatus(3, 1)).toBe('3 search results. Some results are missing.')
  })
})

describe('asking', () => {
  const using = (responses: (Response | Error)[], signal = new AbortController().signal) => {
    const waits: number[] = []
    let requestCount = 0
    return {
      waits,
      count: () => requestCount,
      fetch: async () => {
        const next = responses[requestCount++]
        if (!next || next instanceof Error) throw next ?? new Error('asked too often')
        return next
      },
      wait: async (ms: number) => void waits.push(ms),
      signal,
    }
  }
  const createErrorResponse = (status: number) => new Response('', { status })

  it('retries three times with growing delays', async () => {
    const u = using([
      createErrorResponse(500),
      new Error('offline'),
      createErrorResponse(503),
      Response.json({ results: [1] }),
    ])
    expect(await fetchResults('/v1/x', u)).toEqual([1])
    expect(u.waits).toEqual([300, 600, 1200])
  })

  it('gives up after the third', async () => {
    const u = using([
      createErrorResponse(500),
      createErrorResponse(500),
      createErrorResponse(500),
      createErrorResponse(502),
      Response.json({ results: [] }),
    ])
    await expect(fetchResults('/v1/x', u)).rejects.toThrow('502')
    expect(u.count()).toBe(4)
  })

  it('does not retry an invalid or aborted request', async () => {
    const bad = using([createErrorResponse(400), Response.json({ results: [1] })])
    await expect(fetchResults('/v1/x', bad)).rejects.toThrow('400')
    expect(bad.count()).toBe(1)
    const abortedServices = using([new Error('aborted')], AbortSignal.abort())
    await expect(fetchResults('/v1/x', abortedServices)).rejects.toThrow('aborted')
    expect(abortedServices.waits).toEqual([])
  })

  it('treats a response without a list as empty', async () => {
    expect(await fetchResults('/v1/x', using([Response.json({})]))).toEqual([])
  })
})
