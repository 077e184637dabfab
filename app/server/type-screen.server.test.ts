import { expect, test } from 'vitest'
import { documentIn } from './type-screen.server.ts'
import { withKnowledge } from '#functions/domain/data-type/data-type-schema.ts'
import { cleanDataType } from '#functions/shapes/fields/document.ts'

test('fields removed in the editor are removed from lists and maps as well', () => {
  const values = [{ value: 1, name: 'Bird' }]
  const item = { name: 'Item', type: 'number', unit: 'g', values }
  const before = {
    mass: { name: 'Mass', type: 'number', unit: 'kg', additive: true, values },
    day: { name: 'Day', type: 'date', precision: 'day' },
    list: { name: 'List', type: 'array', items: item },
    map: { name: 'Map', type: 'object', schema: { item } },
  }
  const bare = { name: 'Item', type: 'number' }
  const sentSchema = {
    mass: { name: 'Mass', type: 'number', unit: 't' },
    day: { name: 'Day', type: 'date' },
    list: { ...before.list, items: bare },
    map: { ...before.map, schema: { item: bare } },
  }
  const form = new FormData()
  form.set('document', JSON.stringify({ schema: sentSchema }))
  const { schema } = documentIn(form)
  expect(cleanDataType({ schema: withKnowledge(before, schema as object) }).schema).toEqual(sentSchema)
})

test('an invalid schema is passed on unchanged, for the endpoint to reject', () => {
  const readSchema = (document: string) => {
    const form = new FormData()
    form.set('document', document)
    return documentIn(form).schema
  }
  expect(readSchema('{"schema":[1]}')).toEqual([1])
  expect(readSchema('{"schema":{"a":5}}')).toEqual({ a: 5 })
  expect(readSchema('no JSON')).toBe('no JSON')
})
