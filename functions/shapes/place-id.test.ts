import { expect, test } from 'vitest'
import { idOfName, isLookAlike, isReserved } from './place-id.ts'

test.each([
  ['seattle', 'seattle', true],
  ['oak10n', 'oaklon', true],
  ['bum', 'burn', true],
  ['vvest', 'west', true],
  ['clear', 'dear', true],
  ['c1ear', 'dear', true],
  ['5ea', 'sea', true],
  ['seattle-wa', 'seatt1e-wa', true],
  // One character more, less or another, of six and more.
  ['seattle', 'seattles', true],
  ['seattle', 'seatle', true],
  ['seattle', 'seattla', true],
  ['eseattle', 'seattle', true],
  ['seattle', 'seatte', true],
  ['sunken-city', 'sunken-c1ty', true],
  ['cornwall', 'com-wall', true],
  // Two are enough to tell them apart, and so is one of a short id.
  ['seattle', 'seattel', false],
  ['seattle', 'seatteles', false],
  ['parks', 'marks', false],
  ['oakton', 'elmsford', false],
  // Different numbers at the end tell sister organizations apart, but not a letter that looks like one, or a zero before it.
  ['ward-1', 'ward-2', false],
  ['region-7', 'region-8', false],
  ['region-1', 'region-10', false],
  ['budget-2024', 'budget-2025', false],
  ['region-1', 'region-l', true],
  ['region-10', 'region-1o', true],
  ['district-5', 'district-s', true],
  ['region-7', 'region-07', true],
  ['region-7', 'regiom-7', true],
  ['seattle', 'seattle2', true],
])('whether %s and %s look alike: %s', (one, other, isAlike) => {
  expect(isLookAlike(one, other)).toBe(isAlike)
  expect(isLookAlike(other, one)).toBe(isAlike)
})

test('ids that look like reserved words are reserved', () => {
  for (const id of ['admin', 'adrnin', '1ogin', 'supp0rt', 'clocs', 'vvww', 'hub5'])
    expect(isReserved(id)).toBe(true)
  for (const id of ['admins', 'oakton']) expect(isReserved(id)).toBe(false)
})

test('derives an id from a name', () => {
  expect(idOfName('Ciudad de México')).toBe('ciudad-de-mexico')
  expect(idOfName('  St. John’s County (FL) ')).toBe('st-johns-county-fl')
  expect(idOfName('東京都')).toBe('')
  expect(idOfName(`${'a'.repeat(39)} b`)).toBe('a'.repeat(39))
})
