import type { Position } from 'geojson'
import { expect, test } from 'vitest'
import { areaFinder } from '#functions/engine/region/inside.ts'
import { findAnchor } from './anchors.ts'

const closeRing = (...ring: Position[]) => [...ring, ring[0] as Position]

/** A closed arc of so many corners, as thick as this in relation to its radius. */
function arc(thickness: number): Position[] {
  const outer = Array.from({ length: 31 }, (_, i): Position => {
    const angle = 0.3 + 0.15 * i
    return [Math.cos(angle), Math.sin(angle)]
  })
  const inner = outer.map(([x = 0, y = 0]): Position => [x * (1 - thickness), y * (1 - thickness)])
  return closeRing(...outer, ...inner.toReversed())
}

test('an anchor is inside: of a ring around a hole, of an arc, of the largest part', () => {
  const square = closeRing([0, 0], [4, 0], [4, 4], [0, 4])
  const hole = closeRing([0.5, 0.5], [0.5, 3.5], [3.5, 3.5], [3.5, 0.5])
  for (const coordinates of [[square, hole], [arc(0.2)], [arc(0.01)]]) {
    const at = findAnchor({ type: 'Polygon', coordinates }) ?? [NaN, NaN]
    expect(areaFinder([{ key: 'in', rings: coordinates }])(at[0], at[1])).toEqual(['in'])
  }
  const far = closeRing([9, 9], [9.1, 9], [9.1, 9.1], [9, 9.1])
  expect(findAnchor({ type: 'MultiPolygon', coordinates: [[far], [square]] })).toEqual([2, 2])
})

test('what is as thin as a line has none, and takes no time', () => {
  const start = process.cpuUsage()
  expect(findAnchor({ type: 'Polygon', coordinates: [closeRing([0, 0], [1, 1], [2, 2])] })).toBeNull()
  for (const thickness of [1e-5, 1e-7, 1e-9])
    expect(findAnchor({ type: 'Polygon', coordinates: [arc(thickness)] })).toBeNull()
  const thread = closeRing([0, 0], [1, 0], [1, 0.0001], [0, 0.0001])
  expect(findAnchor({ type: 'Polygon', coordinates: [thread] })).toBeNull()
  expect(findAnchor({ type: 'Point', coordinates: [0, 0] })).toBeNull()
  expect(process.cpuUsage(start).user).toBeLessThan(1_000_000)
})
