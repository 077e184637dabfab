import { describe, expect, test } from 'vitest'
import { callTable } from './examples/fields.ts'
import { analytics, present } from './index.ts'

const answer = (value: unknown, row: unknown) => {
  const { output } = analytics({ aggregations: [{ alias: 'a', value }], groupings: [value] }, callTable.env)
  return present([{ c1: row }], output)[0]?.a
}

describe('present', () => {
  test.each([
    [{ field: 'id' }, '12', 12],
    [{ field: 'id' }, 12n, 12],
    [{ field: 'data.cost' }, Number.POSITIVE_INFINITY, null],
    [{ field: 'data.cost' }, null, null],
    [{ field: 'data.type' }, '12', '12'],
    [{ field: 'createdAt' }, new Date(0), '1970-01-01T00:00:00.000Z'],
    [{ field: 'createdAt' }, '1970-01-01 01:00:00+01', '1970-01-01T00:00:00.000Z'],
    [{ field: 'createdAt' }, Number.POSITIVE_INFINITY, null],
    [{ field: 'data.scores' }, ['1.5', null], [1.5, null]],
    [{ field: 'data.meta' }, { unit: 'E1' }, { unit: 'E1' }],
    [{ function: 'boundingBox', arguments: [0, 0, 1, 1] }, '{"type":"Polygon"}', { type: 'Polygon' }],
  ])('%j of %s', (value, row, expected) => expect(answer(value, row)).toEqual(expected))
})
