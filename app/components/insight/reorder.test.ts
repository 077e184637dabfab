import { describe, expect, it } from 'vitest'
import { reorderItems, droppedAt, stepId, type PlacedItem } from './reorder.ts'

const things = (...positions: number[]): PlacedItem[] =>
  positions.map((position, i) => ({ id: 'abcdefgh'[i] ?? '', position }))
const applyChanges = (before: PlacedItem[], changes: PlacedItem[]) =>
  before
    .map((thing) => changes.find(({ id }) => id === thing.id) ?? thing)
    .sort((a, b) => a.position - b.position)
    .map(({ id }) => id)
    .join('')

describe('an order', () => {
  it('changes one position where there is a gap', () => {
    const items = things(1024, 2048, 3072, 4096)
    const changes = reorderItems(items, ['d', 'a', 'b', 'c'])
    expect(changes).toEqual([{ id: 'd', position: 511 }])
    expect(reorderItems(items, ['a', 'c', 'b', 'd'])).toHaveLength(1)
    expect(reorderItems(items, ['a', 'b', 'c', 'd'])).toEqual([])
  })

  it('renumbers all where there is no gap', () => {
    const items = things(0, 1, 2, 3)
    const changes = reorderItems(items, ['d', 'a', 'b', 'c'])
    expect(changes.map(({ position }) => position)).toEqual([1024, 2048, 3072, 4096])
    expect(applyChanges(items, changes)).toBe('dabc')
  })

  it('is the requested one, whatever it was before', () => {
    const letters = ['a', 'b', 'c', 'd', 'e', 'f']
    let seed = 7
    const random = (n: number) => (seed = (seed * 16807) % 2147483647) % n
    for (let round = 0; round < 500; round++) {
      const items = things(...letters.map(() => random(40))).sort((a, b) => a.position - b.position)
      const newOrder = letters
        .map((id) => [random(1000), id] as const)
        .sort((a, b) => a[0] - b[0])
        .map(([, id]) => id)
      const changes = reorderItems(items, newOrder)
      expect(applyChanges(items, changes)).toBe(newOrder.join(''))
      for (const { position } of changes) expect(position).toBeGreaterThanOrEqual(0)
    }
  })

  it('ignores unknown ids and keeps items that it does not name', () => {
    expect(applyChanges(things(10, 20, 30), reorderItems(things(10, 20, 30), ['c', 'x', 'c']))).toBe('cab')
  })
})

it('moves by a step', () => {
  expect(stepId(['a', 'b', 'c'], 'b', 'up')).toEqual(['b', 'a', 'c'])
  expect(stepId(['a', 'b', 'c'], 'b', 'down')).toEqual(['a', 'c', 'b'])
  expect(stepId(['a', 'b'], 'b', 'down')).toEqual(['a', 'b'])
  expect(stepId(['a', 'b'], 'x', 'down')).toEqual(['a', 'b'])
})

it('moves to where it is dropped', () => {
  expect(droppedAt(['a', 'b', 'c'], new Set(['c']), { id: 'a', where: 'before' })).toEqual(['c', 'a', 'b'])
  expect(droppedAt(['a', 'b', 'c'], new Set(['a']), { id: 'b', where: 'after' })).toEqual(['b', 'a', 'c'])
  expect(droppedAt(['a', 'b'], new Set(['a']), { id: 'a', where: 'after' })).toEqual(['a', 'b'])
})
