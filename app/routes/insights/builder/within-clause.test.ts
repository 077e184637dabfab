import { expect, test } from 'vitest'
import { parseClauses, serializeClauses } from '#app/components/builder/query-model.ts'
import { areasIn, narrowed } from './within-clause.tsx'

test('areas of a set are parsed as one code or many; a box is none', () => {
  expect(areasIn({ boundarySetId: 'wards', area: 3 })).toEqual({ boundarySetId: 'wards', area: ['3'] })
  expect(areasIn({ boundarySetId: 'wards', area: ['a', 'b'] })?.area).toEqual(['a', 'b'])
  expect(areasIn({ xmin: 0, ymin: 0, xmax: 1, ymax: 1 })).toBeNull()
  expect(areasIn(undefined)).toBeNull()
})

test('a question is narrowed, narrowed otherwise and widened, and the rest of it stays', () => {
  const query = { filters: { 'data.kind': 'Tree' }, search: 'oak', limit: 5 }
  const one = narrowed(parseClauses(query), { boundarySetId: 'wards', area: ['a'] })
  expect(serializeClauses(one)).toEqual({ ...query, within: { boundarySetId: 'wards', area: ['a'] } })
  const two = narrowed(one, { boundarySetId: 'wards', area: ['a', 'b'] })
  expect(serializeClauses(two)).toMatchObject({ within: { area: ['a', 'b'] } })
  expect(serializeClauses(narrowed(two, { boundarySetId: 'wards', area: [] }))).toEqual(query)
})
