import { expect, test } from 'vitest'
import type { OfferedSet } from './areas.ts'
import { profiler, propose } from './index.ts'
import { withPlaces, type PlacesKnown } from './places.ts'

const buildAreaSet = (id: string, title: string, ...areas: [code: string, name: string][]): OfferedSet => ({
  ...{ id, title, words: [title, 'NAME', 'CODE'] },
  areas: areas.map(([code, name]) => ({ code, names: [name] })),
})
const wards = buildAreaSet(
  'wards',
  'Wards 2024',
  ['01', 'Harbour'],
  ['02', 'Hill'],
  ['03', 'Mill'],
  ['04', 'Mill'],
)

/** The proposal for rows with these columns. */
function proposed(columns: Record<string, unknown[]>, sets: OfferedSet[], find: PlacesKnown['find'] = null) {
  const count = Math.max(...Object.values(columns).map((values) => values.length))
  const rows = Array.from({ length: count }, (_, i) => ({
    at: { row: i + 1 },
    value: Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[i]])),
  }))
  const profile = profiler()
  profile.add(rows)
  const { mapping, fields } = withPlaces(propose(profile.result(), { name: '' }), rows, { find, sets })
  return { value: mapping['location'], evidence: fields.find(({ key }) => key === 'location') }
}
const callFindArea = (field: string, setId: string) => ({
  transform: 'findArea',
  arguments: [{ field }, setId],
})

test('a column with names of areas becomes a point, from eight known ones of ten on, five of them of one area', () => {
  const proposeAreaField = (names: string[]) => proposed({ Where: names }, [wards])
  const ten = ['hill', 'Harbour', 'HILL', 'Hill', 'Harbour', 'Mill', 'Mill', 'Mill']
  const { value, evidence } = proposeAreaField([...ten, 'Oz', 'Narnia'])
  expect(value).toEqual(callFindArea('Where', 'wards'))
  expect(evidence).toMatchObject({ values: 10, parsed: 5, paths: ['Where'] })
  expect(evidence?.reason).toBe(
    'The column “Where” names areas of “Wards 2024”: of the first 10 names 5 lead to a point, 3 are of several places, 2 are not known.',
  )
  expect(evidence?.notes[0]).toContain('inside the areas of the boundary set “Wards 2024”')
  expect(proposeAreaField([...ten.slice(0, 7), 'Oz', 'Narnia', 'Utopia']).value).toBeUndefined()
  expect(proposeAreaField(['Mill', 'Mill', 'Hill']).value).toBeUndefined()
})

test('numbers and letters are areas only where the header says so', () => {
  const numbers = { Trees: [1, 2, 3, 4, 2], Ward: [1, 1, 2, 4, 3] }
  expect(proposed(numbers, [wards]).value).toEqual(callFindArea('Ward', 'wards'))
  expect(proposed({ Trees: [1, 2, 3, 4, 2] }, [wards]).value).toBeUndefined()
  const sides = buildAreaSet('sides', 'Sides of the river', ['N', 'North bank'], ['S', 'South bank'])
  expect(proposed({ Grade: ['N', 'S', 'N'] }, [sides]).value).toBeUndefined()
  expect(proposed({ riverSide: ['N', 'S', 'N'] }, [sides]).value).toEqual(callFindArea('riverSide', 'sides'))
  expect(proposed({ Code: ['01', '02', '02'] }, [wards]).value).toBeUndefined()
})

test('of several sets and of towns the one with most points is taken, and none beside coordinates', () => {
  const old = buildAreaSet('old', 'Wards 1990', ['01', 'Harbour'], ['02', 'Hill'])
  const names = ['Harbour', 'Hill', 'Hill', 'Harbour', 'Oz']
  expect(proposed({ Where: names }, [old, wards]).value).toEqual(callFindArea('Where', 'old'))
  expect(
    proposed({ Where: [...names.slice(0, 4), 'Mill'] }, [old, { ...wards, areas: wards.areas.slice(0, 3) }])
      .value,
  ).toEqual(callFindArea('Where', 'wards'))
  const towns =
    (knownNames: string[]): PlacesKnown['find'] =>
    (name) =>
      knownNames.includes(name) ? { point: [0, 0] } : { kind: 'unknown', message: '' }
  expect(proposed({ City: names }, [old], towns(['Harbour', 'Hill'])).value).toEqual(
    callFindArea('City', 'old'),
  )
  expect(proposed({ City: names }, [old], towns(['Harbour', 'Hill', 'Oz'])).value).toMatchObject({
    transform: 'findPlace',
  })
  const columns = {
    Where: names,
    Latitude: [40.5, 41.5, 42.5, 43.5, 44.5],
    Longitude: [-90.5, -91.5, -92.5, -93.5, -94.5],
  }
  expect(proposed(columns, [old]).value).toMatchObject({ transform: 'createPoint' })
})
