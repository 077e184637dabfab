import { expect, test } from 'vitest'
import { toBoundaryValue, buildMissingBoundary, toAreaValue, readBoundaryValue } from './boundary-value.ts'

test('a boundary survives a round trip through a form, whatever characters the code of an area has', () => {
  const choices = [
    { boundaryId: null, ownBoundary: null },
    { boundaryId: 'us-states-WA', ownBoundary: null },
    { boundaryId: null, ownBoundary: { boundarySetId: 'wards', area: null } },
    { boundaryId: null, ownBoundary: { boundarySetId: 'wards', area: '7' } },
    { boundaryId: null, ownBoundary: { boundarySetId: 'wards', area: 'N/E 1' } },
    { boundaryId: null, ownBoundary: { boundarySetId: 'wards', area: '' } },
  ]
  for (const each of choices) expect(readBoundaryValue(toBoundaryValue(each))).toEqual(each)
  // All areas of a set, and the one whose code is empty, are two choices.
  expect(toAreaValue('wards', null)).not.toBe(toAreaValue('wards', ''))
})

test('a boundary that its set has no more stays chosen, with the set that lacks it', () => {
  const place = { boundaryId: null, ownBoundary: { boundarySetId: 'regions-de', area: 'DE-XX' } }
  const missingBoundary = buildMissingBoundary(toBoundaryValue(place) ?? '', place)
  expect(missingBoundary).toMatchObject({ name: 'DE-XX', outline: null, goneFrom: 'Regions of Germany' })
  expect(readBoundaryValue(missingBoundary.id)).toEqual(place)
})
