import { expect, test } from 'vitest'
import { factsOfSet } from './set-facts.ts'

const none = { count: 0, first: [] }
const createRegions = (count: number, ...names: string[]) => ({
  count,
  first: names.map((name) => ({ code: name, name })),
})

test('says how a set differs from ISO 3166-2, and its disputed borders', () => {
  const iso = {
    missing: createRegions(4, 'A', 'B', 'C', 'D'),
    own: createRegions(1, 'E'),
    recoded: { count: 2, first: createRegions(2, 'F', 'G').first.map((region) => ({ ...region, iso: '' })) },
  }
  expect(factsOfSet({ areaCount: 9, iso, disputes: ['H is claimed by I.'] })).toBe(
    'Compared with ISO 3166-2: 4 are missing (A, B, C, …); 1 is not in it (E); 2 have another code there (F, G). H is claimed by I.',
  )
})

test('says that a set agrees, or that ISO 3166-2 has no such regions', () => {
  const agrees = { missing: none, own: none, recoded: none }
  expect(factsOfSet({ areaCount: 16, iso: agrees, disputes: [] })).toBe(
    'The regions and codes are those of ISO 3166-2.',
  )
  expect(factsOfSet({ areaCount: 1, iso: { ...agrees, own: createRegions(1, 'A') }, disputes: [] })).toBe(
    'ISO 3166-2 has none of these regions.',
  )
})

test('says nothing of sets that were not compared', () => {
  expect(factsOfSet({ areaCount: null, iso: null, disputes: [] })).toBe('')
})
