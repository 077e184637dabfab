import { describe, expect, test } from 'vitest'
import {
  computeLayout,
  listChangedItems,
  columns,
  sortByReadingOrder,
  isSame,
  settleItems,
  stepItem,
  type Item,
} from './layout.ts'

const item = (id: string, x: number, y: number, w: number, h: number): Item => ({ id, x, y, w, h })
const findBox = (items: readonly Item[] | null, id: string) => {
  const match = items?.find((each) => each.id === id)
  return match && [match.x, match.y, match.w, match.h]
}
const block = (id: string, settings: Record<string, unknown> = {}, kind = 'insight') => ({
  id,
  kind,
  settings,
})

function expectWhole(items: readonly Item[]) {
  for (const a of items) {
    expect(a.x >= 0 && a.y >= 0 && a.x + a.w <= columns && a.w >= 1 && a.h >= 1).toBe(true)
    for (const b of items)
      if (a.id < b.id)
        expect([
          a.id,
          b.id,
          a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h,
        ]).toEqual([a.id, b.id, false])
  }
}

describe('the layout of blocks', () => {
  test('without positions: two figures side by side, the third below', () => {
    const board = computeLayout([block('a'), block('b'), block('c')])
    expect(board.map(({ x, y }) => [x, y])).toEqual([
      [0, 0],
      [6, 0],
      [0, 4],
    ])
  })

  test('blocks with a position keep it, the others follow', () => {
    const board = computeLayout([block('new'), block('old', { x: 6, y: 0, w: 6, h: 4 })])
    expect(findBox(board, 'old')).toEqual([6, 0, 6, 4])
    expect(findBox(board, 'new')).toEqual([0, 0, 6, 4])
  })

  test.each([
    [{ x: 11, y: 0, w: 6, h: 4 }],
    [{ x: -3, y: -1, w: 0, h: 0 }],
    [{ x: 0, y: 0, w: 99, h: 999 }],
    [{ x: NaN, y: Infinity, w: '4', h: null }],
  ])('any settings give a valid layout: %j', (settings) => {
    expectWhole(computeLayout([block('a', settings), block('b', settings), block('c')]))
  })

  test('hundreds of items at one position give a valid layout', () => {
    expectWhole(
      computeLayout(Array.from({ length: 200 }, (_, i) => block(`b${i}`, { x: 0, y: 0, w: 5, h: 2 }))),
    )
  })
})

describe('moves', () => {
  const board = [item('a', 0, 0, 6, 4), item('b', 6, 0, 6, 4), item('c', 0, 4, 12, 3)]

  test('down swaps with the neighbour below, up moves back', () => {
    const down = stepItem(board, 'a', 'down') as Item[]
    expectWhole(down)
    expect((findBox(down, 'a')?.[1] ?? 0) > (findBox(down, 'c')?.[1] ?? 0)).toBe(true)
    const up = stepItem(down, 'a', 'up') as Item[]
    expect((findBox(up, 'a')?.[1] ?? 9) < (findBox(up, 'c')?.[1] ?? 0)).toBe(true)
  })

  test('a wide item moves above both that were above it', () => {
    const up = stepItem(board, 'c', 'up') as Item[]
    expectWhole(up)
    expect(findBox(up, 'c')).toEqual([0, 0, 12, 3])
    expect(findBox(up, 'a')).toEqual([0, 3, 6, 4])
  })

  test('sideways pushes others down and keeps the row', () => {
    const right = stepItem(board, 'a', 'right') as Item[]
    expectWhole(right)
    expect(findBox(right, 'a')).toEqual([1, 0, 6, 4])
    expect(findBox(right, 'b')).toEqual([6, 4, 6, 4])
  })

  test('grows and shrinks within the layout', () => {
    expect(findBox(stepItem(board, 'b', 'wider'), 'b')).toEqual([5, 0, 7, 4])
    expect(stepItem(board, 'c', 'wider')).toBeNull()
    expect(findBox(stepItem(board, 'c', 'shorter'), 'c')).toEqual([0, 4, 12, 2])
    expect(stepItem([item('a', 0, 0, 1, 1)], 'a', 'narrower')).toBeNull()
  })

  test('there is no move beyond the ends', () => {
    expect(stepItem(board, 'a', 'left')).toBeNull()
    expect(stepItem(board, 'a', 'up')).toBeNull()
    expect(stepItem(board, 'c', 'down')).toBeNull()
    expect(stepItem(board, 'none', 'up')).toBeNull()
  })

  test('any sequence of moves gives a valid layout', () => {
    const steps = ['up', 'down', 'left', 'right', 'wider', 'narrower', 'taller', 'shorter'] as const
    let now: Item[] = board
    for (let i = 0; i < 400; i += 1) {
      const id = 'abc'[(i * 7) % 3] ?? 'a'
      const step = steps[(i * 5 + (i >> 3)) % steps.length] ?? 'up'
      now = stepItem(now, id, step) ?? now
      expectWhole(now)
    }
  })
})

test('an item falls up until another holds it, and never passes one', () => {
  const board = settleItems([item('a', 0, 2, 12, 1), item('b', 0, 9, 4, 2)])
  expect(board.map(({ y }) => y)).toEqual([0, 1])
})

test('reports the changed items, and the reading order', () => {
  const before = [item('a', 0, 0, 6, 4), item('b', 6, 0, 6, 4)]
  const after = [item('a', 0, 0, 6, 4), item('b', 6, 0, 6, 5)]
  expect(listChangedItems(before, after).map(({ id }) => id)).toEqual(['b'])
  expect(isSame(before, before)).toBe(true)
  expect(sortByReadingOrder([item('z', 0, 4, 1, 1), ...before]).map(({ id }) => id)).toEqual(['a', 'b', 'z'])
})
