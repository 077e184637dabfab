import { describe, expect, test } from 'vitest'
import { filtersWithNames, valueWithNames, withNames } from './references.ts'

const swap = (key: string) => ({ a: 'b', b: 'a' })[key] ?? key

describe('names of fields in stored questions', () => {
  test('are renamed wherever a field occurs, both at once, and nowhere else', () => {
    const query = {
      filters: {
        'data.a': { $gt: { field: 'data.b' }, $in: ['data.a'] },
        data: { b: 'data.b', $or: [{ a: 1 }, { 'b.deep': 'x' }] },
        $not: { $and: [{ 'data.b.path.a': 2 }] },
        createdAt: { $gte: { function: 'last', arguments: ['P1W'] } },
      },
      where: [{ function: 'gte', arguments: [{ field: 'data.a' }, 'data.a'] }],
      aggregations: [
        {
          alias: 'a',
          name: 'data.a',
          value: { function: 'sum', arguments: [{ field: 'data.a' }] },
          filters: { 'data.b': 1 },
        },
      ],
      groupings: [{ field: 'a' }, { field: 'data.b' }],
      orderings: [{ value: { field: 'data.a.x' }, direction: 'asc' }],
      exclusions: ['data.a', 'id'],
      limit: 5,
    }
    expect(withNames(query, swap)).toEqual({
      filters: {
        'data.b': { $gt: { field: 'data.a' }, $in: ['data.a'] },
        data: { a: 'data.b', $or: [{ b: 1 }, { 'a.deep': 'x' }] },
        $not: { $and: [{ 'data.a.path.a': 2 }] },
        createdAt: { $gte: { function: 'last', arguments: ['P1W'] } },
      },
      where: [{ function: 'gte', arguments: [{ field: 'data.b' }, 'data.a'] }],
      aggregations: [
        {
          alias: 'a',
          name: 'data.a',
          value: { function: 'sum', arguments: [{ field: 'data.b' }] },
          filters: { 'data.a': 1 },
        },
      ],
      groupings: [{ field: 'a' }, { field: 'data.a' }],
      orderings: [{ value: { field: 'data.b.x' }, direction: 'asc' }],
      exclusions: ['data.b', 'id'],
      limit: 5,
    })
    expect(withNames(withNames(query, swap), swap)).toEqual(query)
    expect(withNames({ exclusions: 'data.a, id' }, swap)).toEqual({ exclusions: 'data.b,id' })
  })

  test('of a join belong to its own data type', () => {
    const query = {
      joins: [
        { alias: 'trees', dataTypeId: 'tree', filters: { 'data.a': { field: '~parent.data.a' } } },
        { alias: 'others' },
      ],
      groupings: [{ field: '~trees.data.a' }, { field: '~others.data.a' }, { field: 'data.a' }],
    }
    const findTreeVisitor = (entry: Record<string, unknown>) => (entry.dataTypeId === 'tree' ? swap : null)
    expect(withNames(query, null, findTreeVisitor)).toEqual({
      joins: [
        { alias: 'trees', dataTypeId: 'tree', filters: { 'data.b': { field: '~parent.data.a' } } },
        { alias: 'others' },
      ],
      groupings: [{ field: '~trees.data.b' }, { field: '~others.data.a' }, { field: 'data.a' }],
    })
    expect(withNames(query, swap).joins).toEqual([
      { alias: 'trees', dataTypeId: 'tree', filters: { 'data.a': { field: '~parent.data.b' } } },
      { alias: 'others' },
    ])
  })

  test('of observers: filters and a value', () => {
    expect(filtersWithNames({ 'data.a': 1 }, swap)).toEqual({ 'data.b': 1 })
    expect(filtersWithNames(null, swap)).toBeNull()
    expect(valueWithNames({ function: 'max', arguments: [{ field: 'data.a' }] }, swap)).toEqual({
      function: 'max',
      arguments: [{ field: 'data.b' }],
    })
  })
})
