import { expect, it } from 'vitest'
import { samples } from './samples.testing.ts'
import { assignRoles } from './roles.ts'
import { buildSeries, spread } from './series.ts'

it('orders series by size, and points by x', () => {
  const input = { ...samples.series, rows: [...samples.series.rows].reverse() }
  const { series, along } = buildSeries(input, assignRoles(input.visualization, input.output))
  expect(series.map((one) => one.name)).toEqual(['Earthquake', 'Flood', 'Landslide'])
  expect(series[1]?.points.map((point) => point.y)).toEqual([4002, 4713, 648])
  expect(along.kind).toBe('time')
})

it('leaves out rows without a value', () => {
  const input = {
    ...samples.line,
    rows: [...samples.line.rows, { month: null, t: 1 }, { month: '2012-09-01', t: null }],
  }
  const { series } = buildSeries(input, assignRoles(input.visualization, input.output))
  expect(series[0]?.points).toHaveLength(4)
})

it('moves overlapping labels apart and keeps them inside', () => {
  expect(spread([10, 12, 100], 15, 120)).toEqual([10, 25, 100])
  expect(spread([118, 119, 120], 15, 120)).toEqual([90, 105, 120])
  expect(spread([5, 1], 10, 120)).toEqual([11, 1])
  const crowded = spread(
    Array.from({ length: 20 }, () => 50),
    15,
    100,
  )
  expect(Math.min(...crowded)).toBeGreaterThanOrEqual(-1e-9)
  expect(Math.max(...crowded)).toBeLessThanOrEqual(100)
})
