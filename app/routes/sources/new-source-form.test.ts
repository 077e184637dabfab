import { expect, test } from 'vitest'
import { toSourceName } from './new-source-form.tsx'

test.each([
  ['street_trees-2026.csv', 'Street trees 2026'],
  ['street_trees-2026.csv.zip', 'Street trees 2026'],
  ['wells.geojson.gz', 'Wells'],
  ['budget.2026.zip', 'Budget 2026'],
  ['https://data.example/files/tree%20pits.xlsx?v=2', 'Tree pits'],
  ['.csv', 'New source'],
])('the name of a source made of "%s" is "%s"', (label, name) => {
  expect(toSourceName(label)).toBe(name)
})
