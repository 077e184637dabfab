import { expect, test } from 'vitest'
import { indexRelated, relatedTo, type Bond, type Relatable } from './related.ts'

const source = (id: string, has: Partial<Record<Bond, string[]>> = {}): Relatable => {
  const nameKeys = (bond: Bond) => (has[bond] ?? []).map((key) => ({ key, name: key.toUpperCase() }))
  return {
    id,
    has: {
      ...{ story: nameKeys('story'), domain: nameKeys('domain'), place: nameKeys('place') },
      ...{ columns: nameKeys('columns'), topic: nameKeys('topic') },
    },
  }
}
const listRelatedSources = (sources: Relatable[], id = 'own', most = 6) =>
  relatedTo(indexRelated(sources), id, most)
const filler = Array.from({ length: 20 }, (_, i) => source(`other${i}`))

test('lists the closest first, each with the strongest reason and the names of what is shared', () => {
  const sources = [
    source('own', { story: ['s'], domain: ['rain'], columns: ['county', 'kind'], topic: ['water'] }),
    source('by-topic', { topic: ['water'] }),
    source('by-columns', { columns: ['kind', 'county', 'else'] }),
    source('same', { domain: ['rain'] }),
    source('told', { story: ['s'] }),
    ...filler,
  ]
  expect(listRelatedSources(sources)).toEqual([
    { id: 'told', bond: 'story', names: ['S'] },
    { id: 'by-columns', bond: 'columns', names: ['COUNTY', 'KIND'] },
    { id: 'same', bond: 'domain', names: ['RAIN'] },
    { id: 'by-topic', bond: 'topic', names: ['WATER'] },
  ])
  expect(listRelatedSources(sources, 'own', 2)).toHaveLength(2)
})

test('sources without anything in common are not related, nor by what nearly all have', () => {
  expect(listRelatedSources([source('own'), ...filler])).toEqual([])
  expect(listRelatedSources(filler, 'gone')).toEqual([])
  const all = Array.from({ length: 10 }, (_, i) => source(`s${i}`, { columns: ['id'], topic: ['city'] }))
  expect(listRelatedSources(all, 's0')).toEqual([])
  // Three sources with a common topic are all listed: there is no better evidence.
  expect(listRelatedSources(all.slice(0, 3), 's0').map(({ id }) => id)).toEqual(['s1', 's2'])
})

test('in a domain of thousands each source has other neighbours, in constant time', () => {
  const rows = (n: number) =>
    Array.from({ length: n }, (_, i) => source(`s${String(i).padStart(5, '0')}`, { domain: ['d'] }))
  const index = indexRelated(rows(20_000))
  const neighbourIds = new Set<string>()
  for (const id of ['s00000', 's00500', 's10000'])
    for (const each of relatedTo(index, id, 6)) neighbourIds.add(each.id)
  expect(neighbourIds.size).toBe(18)
  let readCount = 0
  const holders = new Proxy([...(index.holders.get('domain d') ?? [])], {
    get(target, name, receiver) {
      if (typeof name === 'string' && /^\d+$/.test(name)) readCount += 1
      return Reflect.get(target, name, receiver) as unknown
    },
  })
  relatedTo({ ...index, holders: new Map([['domain d', holders]]) }, 's19999', 6)
  expect(readCount).toBeGreaterThan(10)
  expect(readCount).toBeLessThan(500)
})
