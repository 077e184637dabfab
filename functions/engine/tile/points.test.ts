import { expect, test } from 'vitest'
import { interleave, keyLevel, prefix } from './morton.ts'
import { gatherDense } from './points.ts'

/** Records at positions within a cell of zoom 6 (level 9), which is 2^17 key cells wide. */
function recordsIn(cell: { x: number; y: number }, count: number, first: number) {
  const side = 2 ** 17
  return Array.from({ length: count }, (_, i) => ({
    id: String(first + i),
    key: interleave({ x: cell.x * side + ((i * 977) % side), y: cell.y * side + ((i * 3571) % side) }),
    values: [],
  }))
}
const sparse = recordsIn({ x: 300, y: 200 }, 24, 0)
const dense = recordsIn({ x: 301, y: 200 }, 25, 100)

test('a cell whose dots would cover each other is one circle at the mean of its records', () => {
  const { groups, singles, level } = gatherDense([...dense, ...sparse], 6)
  expect(level).toBe(9)
  expect(singles.map(({ id }) => id)).toEqual(sparse.map(({ id }) => id))
  expect(groups).toHaveLength(1)
  const [group] = groups
  expect(group).toMatchObject({ cell: interleave({ x: 301, y: 200 }), n: 25 })
  const computeMean = (step: number) => dense.reduce((sum, _, i) => sum + ((i * step) % 2 ** 17), 0) / 25
  expect((group?.x ?? 0) / 25).toBeCloseTo(301 * 2 ** 17 + computeMean(977), 3)
  expect((group?.y ?? 0) / 25).toBeCloseTo(200 * 2 ** 17 + computeMean(3571), 3)
})

test('no record is lost or shown twice at any zoom, and close by each is shown', () => {
  const all = [...dense, ...sparse, ...recordsIn({ x: 12, y: 500 }, 900, 1000)]
  for (let zoom = 0; zoom <= 22; zoom += 1) {
    const { groups, singles, level } = gatherDense(all, zoom)
    const inGroups = new Set(groups.map(({ cell }) => cell))
    const groupedRecords = all.filter(({ key }) => inGroups.has(prefix(key, keyLevel - level)))
    expect(singles.length + groupedRecords.length).toBe(all.length)
    expect(groups.reduce((sum, { n }) => sum + n, 0)).toBe(groupedRecords.length)
    if (zoom > 14) expect(groups).toEqual([])
    else for (const { n } of groups) expect(n).toBeGreaterThan(24)
  }
})

test('records at one place are a circle until the map is close', () => {
  const stack = Array.from({ length: 40 }, (_, i) => ({ id: String(i), key: 123_456_789, values: [] }))
  expect(gatherDense(stack, 14)).toMatchObject({ groups: [{ n: 40 }], singles: [] })
  expect(gatherDense(stack, 15).singles).toHaveLength(40)
})
