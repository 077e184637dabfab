import { expect, test } from 'vitest'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { mapDraft, measureOf } from './source-chart.server.ts'

const schema: FieldSchema = {
  permit: { name: 'Permit', type: 'number', identifier: true },
  kind: { name: 'Kind', type: 'number', values: [{ value: 1, name: 'Bird' }] },
  year: { name: 'Year', type: 'number', measurement: { type: 'datePart', value: 'year' } },
}
const of = (name: string, key: string) => ({ function: name, arguments: [{ field: `data.${key}` }] })

test('a first chart measures amounts, and adds up only what may be', () => {
  expect(measureOf(schema, true)).toBeNull()
  const mass = { name: 'Mass', type: 'number' as const }
  expect(measureOf({ ...schema, mass }, true)).toEqual({
    ...{ alias: 'mean', name: 'Mass', value: of('average', 'mass') },
  })
  // Of several records a moment a mean says little: how many they are says more.
  expect(measureOf({ ...schema, mass }, false)).toBeNull()
  expect(measureOf({ ...schema, mass: { ...mass, additive: true } }, false)?.value).toEqual(of('sum', 'mass'))
})

test('a first map names its points by what tells something', () => {
  const places: FieldSchema = {
    code: { name: 'Code', type: 'text', identifier: true },
    name: { name: 'Name', type: 'text' },
    at: { name: 'At', type: 'point' },
  }
  const draft = (fields: FieldSchema) =>
    mapDraft({ id: 's', dataTypeId: 't', schema: fields, primary: null }, null)
  const first = (fields: FieldSchema) => (draft(fields)?.query.aggregations as { value: unknown }[])[0]?.value
  expect(first(places)).toEqual({ field: 'data.name' })
  const { name: _none, ...rest } = places
  expect(first(rest)).toEqual({ field: 'data.code' })
})
