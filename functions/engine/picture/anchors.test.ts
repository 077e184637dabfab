import type { Position } from 'geojson'
import { expect, test } from 'vitest'
import { areaFinder } from '#functions/engine/region/inside.ts'
import { anchorOf } from './anchors.ts'

const closed = (...ring: Position[]) => [...ring, ring[0] as Position]

test('an anchor is inside: of a ring around a hole, of a horseshoe, of the largest part, of a sliver', () => {
  const square = closed([0, 0], [4, 0], [4, 4], [0, 4])
  const hole = closed([0.5, 0.5], [0.5, 3.5], [3.5, 3.5], [3.5, 0.5])
  const horseshoe = closed([0, 0], [4, 0], [4, 4], [3.8, 4], [3.8, 0.2], [0.2, 0.2], [0.2, 4], [0, 4])
  // Much narrower than a hundredth of its length, so that the usual precision finds a corner of its box.
  const sliver = closed([0, 0], [1, 1], [1, 1.0006])
  const polygons = [[square, hole], [horseshoe], [sliver]]
  for (const coordinates of polygons) {
    const at = anchorOf({ type: 'Polygon', coordinates }) ?? [NaN, NaN]
    expect(areaFinder([{ key: 'in', rings: coordinates }])(at[0], at[1])).toEqual(['in'])
  }
  const far = closed([9, 9], [9.1, 9], [9.1, 9.1], [9, 9.1])
  expect(anchorOf({ type: 'MultiPolygon', coordinates: [[far], [square]] })).toEqual([2, 2])
})

test('a line without width, and one that is 100,000 times as long as wide, have none', () => {
  expect(anchorOf({ type: 'Polygon', coordinates: [closed([0, 0], [1, 1], [2, 2])] })).toBeNull()
  const thread = closed([0, 0], [1, 0], [1, 0.00001], [0, 0.00001])
  expect(anchorOf({ type: 'Polygon', coordinates: [thread] })).toBeNull()
  expect(anchorOf({ type: 'Point', coordinates: [0, 0] })).toBeNull()
})
