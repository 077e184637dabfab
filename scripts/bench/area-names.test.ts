import { expect, test } from 'vitest'
import { areasNamed } from './area-names.ts'

test('“map” stands for all areas of maps, each measured once, and other names for themselves', () => {
  expect(areasNamed(['map'])).toEqual(['map-alone', 'map-worker', 'tiles', 'pan'])
  expect(areasNamed(['tiles', 'map', 'hub'])).toEqual(['tiles', 'map-alone', 'map-worker', 'pan', 'hub'])
  expect(areasNamed(['map-alone'])).toEqual(['map-alone'])
})
