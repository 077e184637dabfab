import { expect, test } from 'vitest'
import { mapFields } from './map-fields.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'

const schema: FieldSchema = {
  id: { name: 'Id', type: 'text' },
  kind: { name: 'Kind of tree', type: 'text' },
  where: { name: 'Where', type: 'point' },
  height: { name: 'Height', type: 'number', measurement: { type: 'distance', value: 'meter' } },
  planted: { name: 'Planted', type: 'date' },
  alive: { name: 'Alive', type: 'boolean' },
  ward: { name: 'Ward', type: 'text' },
  parts: { name: 'Parts', type: 'array' },
}
const listLines = (labels: Record<string, string> | null, fields = schema) =>
  mapFields(fields, labels).lines.map(({ key, label }) => `${key}: ${label}`)

test('by default the first text names a record, and the first other fields are listed with their names', () => {
  expect(mapFields(schema, null)).toMatchObject({ name: 'kind', geometry: 'where', hasShapes: false })
  expect(listLines(null)).toEqual(['height: Height', 'planted: Planted', 'alive: Alive'])
})

test('with map labels, only the labelled fields are listed, with their labels', () => {
  expect(listLines({ ward: 'Part of town', height: 'How tall' })).toEqual([
    'height: How tall',
    'ward: Part of town',
  ])
  // Lists, the name itself and unknown fields are not listed
  expect(listLines({ parts: 'Parts', kind: 'Tree', gone: 'Gone', toString: 'x' })).toEqual(listLines(null))
  expect(listLines({ height: '' })).toEqual(listLines(null))
})

test('a tile contains all listed fields', () => {
  const labels = Object.fromEntries(Object.keys(schema).map((key) => [key, key]))
  const { name, lines } = mapFields(schema, labels)
  expect([name, ...lines].length).toBeLessThanOrEqual(5)
})

test.each<[string, FieldSchema, object]>([
  ['lines', { way: { name: 'Way', type: 'line' } }, { geometry: 'way', hasShapes: true, name: null }],
  [
    'several places',
    { from: { name: 'From', type: 'point' }, to: { name: 'To', type: 'point' } },
    { geometry: null, hasShapes: false },
  ],
  ['only an id', { id: { name: 'Id', type: 'text' } }, { name: 'id', geometry: null, lines: [] }],
])('%s', (_, fields, expected) => {
  expect(mapFields(fields, null)).toMatchObject(expected)
})
