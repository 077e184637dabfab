import { describe, expect, it } from 'vitest'
import {
  chooseJoinAlias,
  likelyPair,
  mentions,
  newJoin,
  toPairs,
  removeJoin,
  withPairs,
  withPartner,
  type Pair,
} from './join-model.ts'
import { parseJoinItem, targetIn, targetKey, type Join } from '#app/components/builder/join-target.ts'
import type { JsonObject } from '#app/components/builder/json.ts'
import { parseClauses, serializeClauses } from '#app/components/builder/query-model.ts'
import type { BuilderField } from '#app/components/builder/values.ts'

const field = (name: string, type = 'text', label = name): BuilderField => ({
  ...{ field: `data.${name}`, name: label, type },
})
const join = (filters?: unknown): Join => ({ alias: 'crew', sourceId: 's', ...(filters ? { filters } : {}) })
const parent = (name: string) => ({ field: `~parent.data.${name}` })
const near = {
  function: 'lte',
  arguments: [{ function: 'distance', arguments: [{ field: 'data.location' }, parent('location')] }, 250],
}
const touch = { function: 'intersects', arguments: [{ field: 'data.area' }, parent('location')] }

describe('a join', () => {
  it('is shown as a form when it names its data, under an alias', () => {
    expect(parseJoinItem(join())).toEqual(join())
    expect(parseJoinItem({ alias: 'crew', dataTypeId: 'call' })).not.toBeNull()
    for (const odd of [
      null,
      5,
      [],
      {},
      { alias: 'crew' },
      { alias: '', sourceId: 's' },
      { alias: 'a', sourceId: 5 },
    ])
      expect(parseJoinItem(odd)).toBeNull()
  })

  it('has pairs of equal fields, of proximity and of intersection', () => {
    expect(toPairs(join({ 'data.type': parent('kind') }))).toEqual([
      { by: 'same', theirs: 'data.type', ours: 'data.kind' },
    ])
    expect(toPairs(join(near))).toEqual([
      { by: 'near', theirs: 'data.location', ours: 'data.location', metres: 250 },
    ])
    expect(toPairs(join([{ 'data.type': parent('kind') }, touch]))).toEqual([
      { by: 'same', theirs: 'data.type', ours: 'data.kind' },
      { by: 'touch', theirs: 'data.area', ours: 'data.location' },
    ])
    expect(toPairs(join())).toEqual([])
  })

  it.each<[string, unknown]>([
    ['a field', { 'data.type': parent('kind') }],
    ['two fields', { 'data.type': parent('kind'), 'data.unit': parent('unit') }],
    ['an operator', { 'data.at': { $gte: parent('at') } }],
    ['a constant', { 'data.type': 'fire' }],
    ['what is near', near],
    ['a list', [{ 'data.type': parent('kind') }, near, { 'data.cost': { $gt: 5 } }]],
    [
      'a function of functions',
      { function: 'lte', arguments: [{ function: 'distance', arguments: [1] }, 5] },
    ],
    ['a negation', { $not: { 'data.type': parent('kind') } }],
    ['an own field on the right', { 'data.type': { field: 'data.unit' } }],
  ])('is serialized as it was parsed: %s', (_name, filters) => {
    const pairs = toPairs(join(filters))
    expect(pairs).not.toBeNull()
    expect(withPairs(join(), pairs ?? []).filters).toEqual(filters)
  })

  it('stays JSON when any of its conditions may match', () => {
    expect(toPairs(join({ $or: [{ 'data.type': parent('kind') }] }))).toBeNull()
    expect(toPairs(join(5))).toBeNull()
  })

  it('serializes two conditions on one field as a list', () => {
    const pairs: Pair[] = [
      { by: 'same', theirs: 'data.type', ours: 'data.kind' },
      { by: 'same', theirs: 'data.type', ours: 'data.other' },
    ]
    expect(withPairs(join(), pairs).filters).toEqual([
      { 'data.type': parent('kind') },
      { 'data.type': parent('other') },
    ])
    expect(withPairs(join({ a: 1 }), [])).toEqual(join())
  })
})

describe('proposed relations between two kinds of records', () => {
  const theirs = [field('size', 'number'), field('type'), field('location', 'point')]
  it('by the text of one key, or of one name', () => {
    expect(likelyPair(theirs, [field('note'), field('type')])).toMatchObject({
      theirs: 'data.type',
      ours: 'data.type',
    })
    expect(likelyPair([field('a', 'text', 'Station')], [field('b', 'text', 'station')])).toMatchObject({
      ours: 'data.b',
    })
  })
  it('else by position, else by similarity, else none', () => {
    expect(likelyPair(theirs, [field('note'), field('where', 'point')])).toEqual({
      ...{ by: 'near', theirs: 'data.location', ours: 'data.where', metres: 100 },
    })
    expect(likelyPair([field('size', 'number')], [field('size', 'number')])).toMatchObject({ by: 'same' })
    expect(likelyPair([field('a')], [field('b')])).toMatchObject({ theirs: 'data.a', ours: 'data.b' })
    expect(likelyPair([field('a', 'number')], [field('b', 'date')])).toBeNull()
  })
})

it('a new join has an alias and the likely pair, or none', () => {
  const createJoin = (theirs: BuilderField[], ours: BuilderField[]) =>
    newJoin({ dataTypeId: 'crew' }, 'Crew', [{ alias: 'crew' }], theirs, ours)
  expect(createJoin([field('type')], [field('type')])).toEqual({
    ...{ alias: 'crew2', dataTypeId: 'crew', filters: { 'data.type': parent('type') } },
  })
  expect(createJoin([field('type')], [])).toEqual({ alias: 'crew2', dataTypeId: 'crew' })
})

it('an alias is derived from the name and unique', () => {
  expect(chooseJoinAlias('Fire stations of the city', [])).toBe('fireStationsOf')
  expect(chooseJoinAlias('Crew', [{ alias: 'crew' }, { alias: 'crew2' }])).toBe('crew3')
  expect(chooseJoinAlias('Parent', [])).toBe('parent2')
  expect(chooseJoinAlias('降雨', [null])).toBe('joined')
  expect(chooseJoinAlias('x'.repeat(200), [])).toMatch(/^[\w-]{1,40}$/)
})

it('a target is an option of a select, whatever its id', () => {
  for (const target of [{ sourceId: 'a:b' }, { dataTypeId: 'call' }])
    expect(targetIn(targetKey(target))).toEqual(target)
  for (const key of ['', 'source:', 'other:x']) expect(targetIn(key)).toBeNull()
})

describe('a question after removing its join', () => {
  const query: JsonObject = {
    joins: [join({ 'data.type': parent('type') }), { alias: 'other', sourceId: 'o' }],
    aggregations: [
      { alias: 'type', value: { field: '~crew.data.type' } },
      { alias: 'n', value: { function: 'count' } },
      { alias: 'size', value: { function: 'sum', arguments: [{ field: '~crew.data.size' }] } },
      { alias: 'more', value: { function: 'sum', arguments: [{ field: '~other.data.size' }] } },
    ],
    groupings: [{ field: 'type' }],
    filters: { '~crew.id': { $ne: null }, 'data.cost': { $gt: 5 } },
    orderings: [{ value: { field: 'size' }, direction: 'desc' }],
  }
  it('has nothing left that refers to its fields', () => {
    const clauses = parseClauses(query)
    expect(mentions(clauses, 'crew')).toBe(true)
    const next = removeJoin(clauses, query.joins as unknown[], 0)
    expect(mentions(next, 'crew')).toBe(false)
    expect(serializeClauses(next)).toEqual({
      joins: [{ alias: 'other', sourceId: 'o' }],
      aggregations: [
        { alias: 'n', value: { function: 'count' } },
        { alias: 'more', value: { function: 'sum', arguments: [{ field: '~other.data.size' }] } },
      ],
      filters: { 'data.cost': { $gt: 5 } },
    })
  })
  it('has no joins after the last is removed, nor a filter for it alone', () => {
    const clauses = parseClauses({ joins: [join()], filters: { $not: { '~crew.id': null } } })
    expect(serializeClauses(removeJoin(clauses, [join()], 0))).toEqual({})
  })
  it('keeps its own similar names', () => {
    const clauses = parseClauses({ joins: [join()], filters: { 'data.note': 'a crew.' } })
    expect(serializeClauses(removeJoin(clauses, [join()], 0))).toEqual({
      filters: { 'data.note': 'a crew.' },
    })
  })
})

it('is restricted to records with a match by requiring one, and a condition on it', () => {
  const both = serializeClauses(
    withPartner(parseClauses({ joins: [join(), { alias: 'other', sourceId: 'o' }] }), 'crew'),
  )
  expect(both.joins).toEqual([
    { ...join(), required: true },
    { alias: 'other', sourceId: 'o' },
  ])
  const buildFilters = (filters?: unknown) =>
    serializeClauses(withPartner(parseClauses({ ...(filters ? { filters } : {}) }), 'crew')).filters
  expect(buildFilters()).toEqual({ '~crew.id': { $ne: null } })
  expect(buildFilters({ 'data.cost': 5 })).toEqual({ 'data.cost': 5, '~crew.id': { $ne: null } })
  expect(buildFilters({ $or: [{ a: 1 }, { b: 2 }] })).toEqual({
    $or: [{ a: 1 }, { b: 2 }],
    '~crew.id': { $ne: null },
  })
})
