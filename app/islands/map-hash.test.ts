import { expect, test } from 'vitest'
import { mapHash, mapState } from './map-hash.ts'
import { isWithin } from './map-list.ts'

test('states round-trip', () => {
  const state = {
    bounds: [-122.5, 47.1, -121.9, 47.9] as [number, number, number, number],
    selected: 'a b&c=#',
    time: ['2012-01', '2014-06'] as [string, string],
  }
  const hash = mapHash(state)
  expect(hash).toBe('#bbox=-122.5,47.1,-121.9,47.9&sel=a+b%26c%3D%23&time=2012-01..2014-06')
  expect(mapState(hash)).toEqual(state)
  expect(mapHash({ bounds: [-1.123456, 0, 1, 2] })).toBe('#bbox=-1.1235,0,1,2')
  expect(mapHash({})).toBe('')
})

test.each([
  '',
  '#',
  '#content',
  '#bbox=1,2,3',
  '#bbox=,,,',
  '#bbox=3,0,1,1',
  '#bbox=a,b,c,d',
  '#bbox=0,-95,1,1',
  '#sel=',
  '#time=2014..2012',
  '#time=2012',
  '#time=a..b',
])('%s says no state', (hash) => {
  expect(mapState(hash)).toBeNull()
})

test('an invalid box does not affect the selection', () => {
  expect(mapState('#bbox=9,9,1,1&sel=x')).toEqual({ selected: 'x' })
})

test('points and boxes are in view inclusive of edges', () => {
  const view: [number, number, number, number] = [0, 0, 10, 10]
  expect(isWithin(view, [10, 10])).toBe(true)
  expect(isWithin(view, [10.1, 5])).toBe(false)
  expect(isWithin(view, [-5, -5, 1, 1])).toBe(true)
  expect(isWithin(view, [11, 0, 12, 1])).toBe(false)
})

test.each([
  ['across the antimeridian', [176, -21, 182, -15]],
  ['with longitudes of the west', [-184, -21, -178, -15]],
  ['a turn further', [536, -21, 542, -15]],
] as const)('a view %s shows what lies on both sides of it, and no other', (_, view) => {
  const isIn = (thing: [number, number] | [number, number, number, number]) => isWithin([...view], thing)
  // Suva, Tubou and Apia.
  expect([isIn([178.44, -18.14]), isIn([-178.81, -18.24]), isIn([-171.77, -18])]).toEqual([true, true, false])
  expect(isIn([-179.5, -17, -178.5, -16])).toBe(true)
  expect(isIn([179.5, -17, 180.5, -16])).toBe(true)
  expect(isIn([170, -17, 175, -16])).toBe(false)
  // The whole earth contains the view.
  expect(isIn([-180, -90, 180, 90])).toBe(true)
})

test('disabled switches and classes are included, and invalid names are dropped', () => {
  const state = { layers: ['layer-2', 'values'], off: [5, 0] }
  expect(mapHash(state)).toBe('#layers=layer-2,values&off=0,5')
  expect(mapState(mapHash(state))).toEqual({ layers: ['layer-2', 'values'], off: [0, 5] })
  // All switches may be off.
  expect(mapState('#layers=')).toEqual({ layers: [] })
  expect(mapState('#off=a,-1,9,77')).toBeNull()
  expect(mapState('#off=2,2,x')).toEqual({ off: [2] })
})

test('other parts of the fragment stay, such as the state of a figure in its embed', () => {
  const before = '#figure=crime&view=map&bbox=1,2,3,4&off=2'
  expect(mapHash({ bounds: [-94, 41.5, -93, 42.2] }, before)).toBe(
    '#figure=crime&view=map&bbox=-94,41.5,-93,42.2',
  )
  expect(mapHash({}, before)).toBe('#figure=crime&view=map')
  expect(mapHash({}, '#bbox=1,2,3,4')).toBe('')
  expect(mapHash({ off: [1] }, '#content')).toBe('#off=1')
})
