import { expect, test } from 'vitest'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { mapDraft, chooseMeasure } from './source-chart.server.ts'

const schema: FieldSchema = {
  permit: { name: 'Permit', type: 'number', identifier: true },
  kind: { name: 'Kind', type: 'number', values: [{ value: 1, name: 'Bird' }] },
  year: { name: 'Year', type: 'number', measurement: { type: 'datePart', value: 'year' } },
}
const buildFunctionCall = (name: string, key: string) => ({
  function: name,
  arguments: [{ field: `data.${key}` }],
})

test('a first chart shows measures, and sums only additive ones', () => {
  expect(chooseMeasure(schema, true)).toBeNull()
  const mass = { name: 'Mass', type: 'number' as const }
  expect(chooseMeasure({ ...schema, mass }, true)).toEqual({
    ...{ alias: 'mean', name: 'Mass', value: buildFunctionCall('average', 'mass') },
  })
  // With several records per moment their number says more than a mean.
  expect(chooseMeasure({ ...schema, mass }, false)).toBeNull()
  expect(chooseMeasure({ ...schema, mass: { ...mass, additive: true } }, false)?.value).toEqual(
    buildFunctionCall('sum', 'mass'),
  )
})

test('a first map labels its points by a meaningful field', () => {
  const places: FieldSchema = {
    code: { name: 'Code', type: 'text', identifier: true },
    name: { name: 'Name', type: 'text' },
    at: { name: 'At', type: 'point' },
  }
  const draft = (fields: FieldSchema) =>
    mapDraft({ id: 's', dataTypeId: 't', schema: fields, primary: null }, null)
  const findFirstValue = (fields: FieldSchema) =>
    (draft(fields)?.query.aggregations as { value: unknown }[])[0]?.value
  expect(findFirstValue(places)).toEqual({ field: 'data.name' })
  const { name: _none, ...rest } = places
  expect(findFirstValue(rest)).toEqual({ field: 'data.code' })
})
