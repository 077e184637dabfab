import type { GenericSchema } from 'valibot'
import { describe, expect, test } from 'vitest'
import { v1 } from './index.ts'
import { routes } from '#functions/api/routes.ts'
import { parseShape } from '#functions/api/shape.ts'
import { Failure } from '#functions/errors.ts'
import { DataTypeChanges, NewDataType } from '#functions/shapes/data-type.ts'
import { NewInsight } from '#functions/shapes/insight.ts'

/** Validation errors of a value as `path: message`. */
function messages(shape: unknown, value: unknown): string[] {
  try {
    parseShape(shape as GenericSchema, value)
    return []
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return (error.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
  }
}

type Entries = Record<string, unknown>
const getEntries = (shape: unknown) => (shape as { entries?: Entries } | undefined)?.entries ?? {}

/** All list endpoints by name, with their options. */
const lists = routes(v1)
  .filter(({ method, endpoint }) => method === 'get' && 'orderings' in getEntries(endpoint.options))
  // For record queries the query language reports errors, with the same messages.
  .filter(
    ({ endpoint }) =>
      !('groupings' in getEntries(endpoint.options)) && !('within' in getEntries(endpoint.options)),
  )
  .map(({ name, endpoint }) => [name, endpoint.options] as const)

test('there are lists', () => expect(lists.length).toBeGreaterThan(25))

describe.each(lists)('%s', (_name, options) => {
  test('reports all errors at once, with the messages of the published contract', () => {
    const wrong: Entries = {
      limit: '-1',
      offset: '1.5',
      search: { a: 'b' },
      filters: 'x',
      before: 'x',
      after: '31/12/2026',
      orderings: [{}, { value: { field: 'nope' }, direction: 'up' }, { value: 'nope' }, 'x'],
    }
    const supportedOptions = Object.fromEntries(
      Object.entries(wrong).filter(([key]) => key in getEntries(options)),
    )
    expect(new Set(messages(options, supportedOptions))).toEqual(
      new Set(
        [
          'limit: Invalid limit.',
          'offset: Invalid offset.',
          'search: Must be a string.',
          'filters: Must be an object or array.',
          'before: Not a valid date!',
          'after: Not a valid date!',
          'orderings.0.value: Missing ordering value.',
          'orderings.1.direction: Invalid ordering direction - must be asc or desc.',
          'orderings.1.value.field: Field does not exist.',
          'orderings.2.value: Field does not exist.',
          'orderings.3: Must be an object.',
        ].filter((message) => (message.split(/[.:]/)[0] ?? '') in supportedOptions),
      ),
    )
    expect(messages(options, { orderings: 'x' })).toEqual(['orderings: Must be an array.'])
    expect(messages(options, { filters: { nope: 1 } })).toEqual(['filters.nope: Field does not exist.'])
  })
})

test('all errors of a data type are reported at once, those at the top with the messages of its schema library', () => {
  expect(messages(NewDataType, {})).toEqual([
    'name: This field is required',
    'schema: This field is required',
  ])
  expect(messages(NewDataType, { name: 5, notes: [], category: 5, schema: [] })).toEqual([
    'name: Not a valid text value',
    'category: Not a valid text value',
    'notes: Not a valid text value',
    'schema: Not a valid object value',
  ])
  expect(messages(NewDataType, { name: ' ', schema: 5 })).toEqual([
    'name: This field is required',
    'schema: Not a valid object value',
  ])
  const schema = { at: { name: 'At', type: 'when' }, list: { name: 'List', type: 'text', items: 1 }, none: 5 }
  const inFields = [
    'schema.at.type: Not a valid type value',
    'schema.list.items: This field should not exist for this type',
    'schema.list.items: Not a valid object value',
    'schema.none: Not a valid field value',
  ]
  expect(messages(NewDataType, { schema, id: 'A b', more: 1 })).toEqual([
    'name: This field is required',
    ...inFields,
    'id: Must be lower-case letters, digits and dashes.',
    'more: Unknown field.',
  ])
  expect(messages(DataTypeChanges, { schema, name: '' })).toEqual([
    'name: This field is required',
    ...inFields,
  ])
})

test('errors of a data type’s temporal field and labels are reported with the rest', () => {
  const fields = { at: { name: 'At', type: 'date' }, name: { name: 'Name', type: 'text' } }
  const withDate = (temporal: unknown, labels: unknown = null) =>
    messages(NewDataType, { schema: fields, temporal, mappingLabelSchema: labels, name: 'Call' })
  expect(withDate({ primary: 'at' }, { name: 'Called' })).toEqual([])
  expect(withDate(5, [])).toEqual([
    'temporal: Not a valid object value',
    'mappingLabelSchema: Not a valid object value',
  ])
  expect(withDate({}, 'x')).toEqual([
    'temporal.primary: This field is required',
    'mappingLabelSchema: Not a valid object value',
  ])
  expect(withDate({ primary: 5 })).toEqual(['temporal.primary: Not a valid string value'])
  expect(
    messages(NewDataType, { schema: fields, temporal: { primary: 'name' }, mappingLabelSchema: { no: 'x' } }),
  ).toEqual([
    'name: This field is required',
    'temporal.primary: Not a valid date field',
    'mappingLabelSchema.no: Not a valid field',
  ])
})

test('a list is not an object', () => {
  const insight = { name: 'Calls', dataTypeId: 'call', visualization: { type: 'bar' }, query: {} }
  expect(messages(NewInsight, insight)).toEqual([])
  expect(messages(NewInsight, { ...insight, query: [] })).toEqual(['query: Must be an object.'])
  expect(messages(NewInsight, { ...insight, visualization: { type: 'bar', settings: [] } })).toEqual([
    'visualization.settings: Must be an object.',
  ])
  expect(messages(NewInsight, [])).toEqual([': Must be an object.'])
  expect(messages(NewDataType, [])).toEqual([': Not a valid top-level object'])
  expect(messages(NewDataType, 5)).toEqual([': Not a valid top-level object'])
})

test('messages of the validation library itself are never returned', () => {
  const wrong = {
    name: 'A'.repeat(300),
    notes: 5,
    dataTypeId: 5,
    visibility: 'all',
    visualization: { type: 'cake', settings: { stacked: 'yes' } },
    query: 5,
  }
  expect(messages(NewInsight, wrong)).toEqual([
    'name: Must be at most 200 characters.',
    'notes: Must be a string.',
    'visibility: Must be one of public, place, private.',
    expect.stringMatching(/^visualization\.type: /),
    'visualization.settings.stacked: Must be true or false.',
    'query: Must be an object.',
    'dataTypeId: Must be a string.',
  ])
})
