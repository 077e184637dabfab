import { describe, expect, it } from 'vitest'
import type { Field, FieldSchema, FieldType } from '../field.ts'
import { maxIssues, recordChecker } from './record.ts'
import { quickest } from './timing.testing.ts'

const field = (type: FieldType, more: Partial<Field> = {}): Field => ({ name: 'A', type, ...more })
const must = { validation: { required: true } }
const listIssues = (schema: FieldSchema, data: unknown) =>
  recordChecker(schema)(data).map(
    ({ path, message, validator }) => `${path.join(',')}: ${message}${validator ? ` (${validator})` : ''}`,
  )

const values: [FieldType, unknown[], unknown[]][] = [
  ['array', [[], [1]], ['a', {}, 5]],
  ['object', [{}, { a: [1, { b: null }] }], ['a', [], 5, new Map()]],
  ['text', ['', 'a'], [5, true, [], {}, 'a\0', '\udc00']],
  ['number', [0, -1.5], ['5', '', true, Infinity, Number.NaN, 5n]],
  ['boolean', [true, false], ['true', 1, 0]],
  ['date', ['2020-01-01T00:00:00', new Date()], ['2020-01-01', 0, {}]],
]

describe('the validation of a record', () => {
  it.each([[null], ['a'], [[]], [5], [undefined]])('rejects %j', (data) => {
    const [issue, ...more] = recordChecker({})(data)
    expect(issue).toEqual({ path: [], value: data, message: 'Not a valid top-level object' })
    expect(more).toEqual([])
  })
  it.each(values)('validates the type %s', (type, good, bad) => {
    const check = recordChecker({ a: field(type) })
    for (const a of [...good, null, undefined]) expect(check({ a })).toEqual([])
    for (const a of bad) {
      expect(check({ a })).toEqual([{ path: ['a'], value: a, message: `Not a valid ${type} value` }])
    }
  })
  it('has the reason for an invalid geometry', () => {
    const schema = { a: field('point'), b: field('line') }
    expect(listIssues(schema, { a: 'x', b: { type: 'Point' } })).toEqual([
      'a: Not a valid object',
      'b: Not a valid type value (Expected LineString not Point)',
    ])
    expect(listIssues(schema, { a: { type: 'Point', coordinates: [0, 0] } })).toEqual([
      'a: Invalid coordinates - Longitude and latitude were both 0',
    ])
  })
  it('requires required fields, and accepts empty values in them', () => {
    const schema = { a: field('text', must), b: field('array', { ...must, items: field('text') }) }
    expect(recordChecker(schema)({ a: null })).toEqual([
      { path: ['a'], value: null, message: 'This field is required', validator: 'required' },
      { path: ['b'], value: undefined, message: 'This field is required', validator: 'required' },
    ])
    expect(listIssues(schema, { a: '', b: [] })).toEqual([])
  })
  it('applies all other rules to values that are known to have their types', () => {
    const schema: FieldSchema = {
      id: field('text', must),
      text: field('text', { validation: { maxLength: 1 } }),
      list: field('array', { items: field('number', { validation: { min: 5 } }) }),
      map: field('object', {
        schema: { at: field('date', must), a: field('number', { validation: { max: 1 } }) },
      }),
      free: field('object'),
    }
    for (const data of [
      { text: 'ab', list: [5, 4], map: { a: 2 }, free: { a: 1 } },
      { id: 'a', text: 'a', list: [5], map: { at: '2020-01-01T00:00:00.000Z', a: 1 } },
      { id: null, list: {}, map: [] },
    ])
      expect(recordChecker(schema, true)(data)).toEqual(recordChecker(schema)(data))
    expect(recordChecker(schema, true)({ text: 'ab' })).toHaveLength(2)
  })
  it('reports all issues, in the order of the schema, the items and the validators', () => {
    const schema: FieldSchema = {
      list: field('array', {
        validation: { maxItems: 1, unique: true },
        items: field('array', { items: field('number', { validation: { max: 5, min: 9 } }) }),
      }),
      text: field('text', { validation: { regex: 'z', maxLength: 1, notEmpty: true } }),
      map: field('object', {
        validation: { maxKeys: 1 },
        schema: { x: field('boolean'), y: field('text', must) },
      }),
    }
    const data = { map: { x: 1, z: 1 }, text: 'ab', list: [[7, 'a'], [7, 'a'], 5] }
    expect(listIssues(schema, data)).toEqual([
      'list: Failed Unique validation (unique)',
      'list: Failed Maximum Items validation (maxItems)',
      'list,0,0: Failed Minimum validation (min)',
      'list,0,0: Failed Maximum validation (max)',
      'list,0,1: Not a valid number value',
      'list,1,0: Failed Minimum validation (min)',
      'list,1,0: Failed Maximum validation (max)',
      'list,1,1: Not a valid number value',
      'list,2: Not a valid array value',
      'text: Failed Maximum Length validation (maxLength)',
      'text: Failed Regular Expression validation (regex)',
      'map: Failed Maximum Keys validation (maxKeys)',
      'map,x: Not a valid boolean value',
      'map,y: This field is required (required)',
    ])
  })
  it('accepts null items unless the item is required', () => {
    expect(listIssues({ a: field('array', { items: field('text') }) }, { a: [null, 'x'] })).toEqual([])
    expect(listIssues({ a: field('array', { items: field('text', must) }) }, { a: ['x', null] })).toEqual([
      'a,1: This field is required (required)',
    ])
  })
  it('ignores keys that are not in the schema', () => {
    expect(listIssues({ a: field('text') }, { b: 5, a: 'x' })).toEqual([])
  })
  it('reads own members only', () => {
    const schema = { constructor: field('text', must), toString: field('text'), valueOf: field('number') }
    expect(listIssues(schema as unknown as FieldSchema, {})).toEqual([
      'constructor: This field is required (required)',
    ])
    const proto = Object.fromEntries([['__proto__', field('text', must)]])
    expect(listIssues(proto, {})).toEqual(['__proto__: This field is required (required)'])
    expect(listIssues(proto, JSON.parse('{"__proto__":"x"}'))).toEqual([])
    expect(listIssues({ a: field('text', must) }, JSON.parse('{"__proto__":{"a":"x"}}'))).toHaveLength(1)
  })
  it('validates the JSON form of JavaScript values', () => {
    expect(listIssues({ a: field('date') }, { toJSON: () => ({ a: new Date() }) })).toEqual([])
    expect(listIssues({ a: field('date') }, { a: new Date(Number.NaN) })).toEqual([])
  })
  it('accepts maps of any content up to 64 levels', () => {
    const nested = (levels: number) =>
      JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels)) as unknown
    expect(listIssues({ a: field('object') }, nested(65))).toEqual([])
    expect(listIssues({ a: field('object') }, nested(66))).toEqual(['a: Not a valid object value'])
    expect(listIssues({ a: field('object') }, nested(100_000))).toEqual(['a: Not a valid object value'])
    expect(listIssues({ a: field('text') }, nested(100_000))).toEqual(['a: Not a valid text value'])
  })
  it('reports at most a thousand issues', () => {
    const check = recordChecker({ a: field('array', { items: field('text') }), b: field('text', must) })
    const issues = check({ a: Array.from({ length: 500_000 }, () => 5) })
    expect(issues).toHaveLength(maxIssues)
    expect(issues.at(-1)?.path).toEqual(['a', maxIssues - 1])
  })
  it('throws for an unknown type', () => {
    expect(() => recordChecker({ a: { name: 'A', type: 'money' as FieldType } })).toThrow('money')
  })
  it('checks 20,000 records of ten fields in half a second', () => {
    const types = ['text', 'number', 'date', 'boolean', 'point'] as const
    const schema = Object.fromEntries(
      types.flatMap((type) => [[type, field(type, must)] as const, [`${type}2`, field(type)] as const]),
    )
    const point = { type: 'Point', coordinates: [-73.9, 40.7] }
    const data = { text: 'Broadway', number: 5, date: '2020-01-01T10:00:00Z', boolean: true, point }
    const record = {
      ...data,
      text2: 'x',
      number2: 1,
      date2: '2020-01-01T10:00:00.5',
      boolean2: false,
      point2: point,
    }
    const check = recordChecker(schema)
    const checkAll = () => {
      for (let row = 0; row < 20_000; row += 1) check(record)
    }
    expect(quickest(checkAll)).toBeLessThan(500)
  })
})
