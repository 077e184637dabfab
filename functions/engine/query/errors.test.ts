import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { callTable, shapeTable } from './examples/fields.ts'
import { analytics, QueryError, rows } from './index.ts'
import { call, count, listIssues } from './issues.testing.ts'
import { logicKeys, operators, unusableOperators } from './library/operators.ts'
import type { QueryEnv } from './types.ts'

const env = callTable.env
const shapes = shapeTable.env

const listAnalyticsIssues = (input: unknown) => listIssues(input, analytics)
const listValueIssues = (value: unknown) => listAnalyticsIssues({ aggregations: [{ alias: 'a', value }] })
const listFilterIssues = (filters: unknown) => listIssues({ filters })

describe('time options', () => {
  test.each([
    [{ timezone: 5 }, ['timezone: Must be a string.']],
    [{ timezone: 'Mars/Base' }, ['timezone: Not a valid timezone.']],
    [{ timezone: '+05:00' }, ['timezone: Not a valid timezone.']],
    [{ customYearStart: 'x' }, ['customYearStart: Must be a number.']],
    [{ customYearStart: 13 }, ['customYearStart: Not a valid month.']],
    [{ customYearStart: '1.5' }, ['customYearStart: Not a valid month.']],
    [
      { timezone: 5, customYearStart: 0 },
      ['timezone: Must be a string.', 'customYearStart: Not a valid month.'],
    ],
    [{ timezone: '', customYearStart: '' }, []],
    [{ joins: 'x' }, ['joins: Must be an array.']],
    [{ joins: [{ alias: 'a' }] }, ['joins: Endpoint does not support joins.']],
    ['text', [': Must be an object.']],
  ])('%j', (query, expected) => expect(listIssues(query)).toEqual(expected))
})

describe('basic options', () => {
  const nothingSearchable = { ...env, fields: env.fields.map((field) => ({ ...field, searchable: false })) }

  test('search', () => {
    expect(listIssues({ search: 5 })).toEqual(['search: Must be a string.'])
    expect(listIssues({ search: 5 }, rows, nothingSearchable)).toEqual([
      'search: Must be a string.',
      'search: Endpoint does not support search.',
    ])
  })

  test.each([
    [{ before: '1483228800000' }, ['before: Not a valid date!']],
    [{ before: '5', after: ' 12' }, ['before: Not a valid date!', 'after: Not a valid date!']],
    [{ before: '2021', after: 1483228800000 }, []],
    [{ after: true, limit: -1 }, ['after: Not a valid date!', 'limit: Invalid limit.']],
    [{ limit: '1.5' }, ['limit: Invalid limit.']],
    [{ limit: '1.5abc', offset: -1 }, ['limit: Invalid limit.', 'offset: Invalid offset.']],
    [{ limit: '', offset: null }, []],
    [{ within: 5 }, ['within: Must be an object.']],
    [
      { within: { xmin: -181, ymin: 91, xmax: 'x' } },
      [
        'within,xmin: Longitude less than -180',
        'within,ymin: Latitude greater than 90',
        'within,xmax: Longitude not a number, got string',
        'within,ymax: Latitude not a number, got undefined',
      ],
    ],
    [{ intersects: [] }, ['intersects: Must be an object.']],
    [
      { intersects: { x: 181, y: -91 } },
      ['intersects,x: Longitude greater than 180', 'intersects,y: Latitude less than -90'],
    ],
    [{ exclusions: ['data.x', 'nope', 'id'] }, ['exclusions,1: Invalid exclusion.']],
    [{ exclusions: 'id,nope.x' }, ['exclusions,1: Invalid exclusion.']],
    [{ exclusions: 5 }, ['exclusions,0: Invalid exclusion.']],
    [{ orderings: {} }, ['orderings: Must be an array.']],
    [{ orderings: [null] }, ['orderings,0: Must be an object.']],
    [
      { orderings: [{}] },
      ['orderings,0,value: Missing ordering value.', 'orderings,0,direction: Missing ordering direction.'],
    ],
    [
      { orderings: [{ value: { field: 'id' }, direction: 'ASC' }] },
      ['orderings,0,direction: Invalid ordering direction - must be asc or desc.'],
    ],
    [
      { orderings: [{ value: { field: 'x' }, direction: 'asc' }] },
      ['orderings,0,value,field: Field does not exist.'],
    ],
    [
      { orderings: [{ value: call('count'), direction: 'asc' }] },
      ['orderings,0,value: Must not contain an aggregation.'],
    ],
    [
      { orderings: [{ value: call('expand', { field: 'data.tags' }), direction: 'asc' }] },
      ['orderings,0,value: Must not contain an expanded list.'],
    ],
  ])('%j', (query, expected) => expect(listIssues(query)).toEqual(expected))

  test('exclusions are field names; a group includes its fields', () => {
    expect([...rows({ exclusions: 'sourceId, data.type' }, env).excluded]).toEqual(['sourceId', 'data.type'])
    expect(rows({ exclusions: ['data'] }, env).excluded).toContain('data.cost')
  })

  test('limits: the default, the maximum, zero', () => {
    expect(rows({}, env)).toMatchObject({ limit: 100, offset: 0 })
    expect(rows({ limit: '5000', offset: '7' }, env)).toMatchObject({ limit: 1000, offset: 7 })
    expect(rows({ limit: 0 }, env).limit).toBe(0)
  })
})

describe('filters', () => {
  const withMaps: QueryEnv = {
    ...env,
    fields: [...env.fields, { path: 'any', name: 'Any', type: 'object', sql: sql.ref('meta') }],
  }

  test.each<[unknown, string[]]>([
    ['text', ['filters: Must be an object or array.']],
    [[{ id: 1 }, 5], ['filters,1: Must be an object or array.']],
    [{ token: 1 }, ['filters,token: Field does not exist.']],
    [{ 'nope.x': 1 }, ['filters,nope,x: Field does not exist: nope']],
    [{ 'sourceId.x': 1 }, ['filters,sourceId,x: Field is not JSON: sourceId']],
    [{ 'data.nope': 1 }, ['filters,data,nope: Field does not exist: data.nope']],
    [{ data: { nope: 1 } }, ['filters,data,nope: Field does not exist: data.nope']],
    [{ 'data.type.x': 1 }, ['filters,data,type,x: Field does not exist: data.type.x']],
    [{ data: 5 }, ['filters,data: Field does not exist.']],
    [{ constructor: 1 }, ['filters,constructor: Field does not exist.']],
    [[{ $and: [{ id: 1 }, { token: 2 }] }], ['filters,0,1,token: Field does not exist.']],
    [{ $or: { id: 1 } }, ['filters: Must be an array.']],
    [{ id: { $foo: 1 } }, ['filters,id: Operator does not exist: $foo']],
    [{ 'data.meta': { $foo: 1 } }, ['filters,data,meta: Operator does not exist: $foo']],
    [{ $gt: 1 }, ['filters: Operator must stand below a field: $gt']],
    [{ id: { $adjacent: [1, 2] } }, ['filters,id: Operator cannot be used: $adjacent']],
    [{ id: { $values: 1 } }, ['filters,id: Operator cannot be used: $values']],
    [{ 'data.cost': 'abc' }, ['filters,data,cost: Not a valid number value']],
    [{ 'data.cost': '1.5abc' }, ['filters,data,cost: Not a valid number value']],
    [{ 'data.urgent': 'yes' }, ['filters,data,urgent: Not a valid boolean value']],
    [{ 'data.receivedAt': '2017-02-30' }, ['filters,data,receivedAt: Not a valid date value']],
    [{ 'data.receivedAt': { $gt: 5 } }, ['filters,data,receivedAt: Not a valid date value']],
    [
      { 'data.cost': { $in: [1, 'x', null] } },
      ['filters,data,cost,1: Not a valid number value', 'filters,data,cost,2: Not a valid number value'],
    ],
    [{ 'data.cost': { $in: 5 } }, ['filters,data,cost: Must be an array.']],
    [{ 'data.cost': { $between: [1] } }, ['filters,data,cost: Must be an array of two values.']],
    [
      { 'data.cost': { $like: '1%' } },
      ['filters,data,cost: Operator cannot be used with a field of type number: $like'],
    ],
    [
      { 'data.type': { $overlap: ['a'] } },
      ['filters,data,type: Operator cannot be used with a field of type text: $overlap'],
    ],
    [{ 'data.tags': 'hot' }, ['filters,data,tags: Must be an array.']],
    [{ 'data.scores': { $contains: ['x'] } }, ['filters,data,scores,0: Not a valid number value']],
    [{ 'data.type': { $regexp: '(' } }, ['filters,data,type: Not a valid pattern']],
    [{ 'data.type': { $like: 'a\\' } }, ['filters,data,type: Not a valid pattern']],
    [
      { 'data.cost': { $is: true } },
      ['filters,data,cost: Operator cannot be used with a field of type number: $is'],
    ],
    [
      { 'data.cost': { field: 'data.type' } },
      ['filters,data,cost: Must be of type: number - instead got text'],
    ],
    [{ 'data.cost': call('count') }, ['filters,data,cost: Must not contain an aggregation.']],
    [call('count'), ['filters: Must not contain an aggregation.']],
    [call('add', 1, 2), ['filters: Must be of type: boolean - instead got number']],
    [
      call('eq', { field: 'data.type' }, { field: 'data.cost' }),
      ['filters,arguments,1: Argument "Value B" for "Equal" must be of type: text - instead got number'],
    ],
    [
      call('eq', { field: 'data.cost' }, 'much'),
      ['filters,arguments,1: Argument "Value B" for "Equal" must be of type: number - instead got text'],
    ],
    [
      call('gt', { field: 'data.type' }, 'a'),
      [
        'filters,arguments,0: Argument "Value A" for "Greater Than" must be of type: number, date - instead got text',
        'filters,arguments,1: Argument "Value B" for "Greater Than" must be of type: number, date - instead got text',
      ],
    ],
    [[{ field: 'data.cost' }], ['filters,0: Must be of type: boolean - instead got number']],
    [[call('gt', 1)], ['filters,0,arguments,1: Argument "Value B" for "Greater Than" is required']],
  ])('%j', (filters, expected) => expect(listFilterIssues(filters)).toEqual(expected))

  test('every operator is either usable or rejected', () => {
    expect(operators.size + unusableOperators.size + logicKeys.size).toBe(33)
    for (const key of unusableOperators) {
      expect(listFilterIssues({ 'data.cost': { [key]: [1, 2] } })).toEqual([
        `filters,data,cost: Operator cannot be used: ${key}`,
      ])
      expect(listFilterIssues([{ data: { $or: [{ cost: { [key]: 1 } }] } }])).toEqual([
        `filters,0,data,0,cost: Operator cannot be used: ${key}`,
      ])
    }
    for (const key of [
      '$adjacent',
      '$strictLeft',
      '$strictRight',
      '$noExtendRight',
      '$noExtendLeft',
      '$values',
    ])
      expect(unusableOperators).toContain(key)
  })

  test('a map without a known schema', () => {
    expect(listIssues({ filters: { 'any.x': 1 } }, rows, withMaps)).toEqual([
      'filters,any,x: Field is not queryable: any',
    ])
  })

  test('aliases cannot be filtered', () => {
    expect(listAnalyticsIssues({ aggregations: [count], filters: { n: 1 } })).toEqual([
      'filters,n: Field does not exist.',
    ])
  })
})

describe('aggregations', () => {
  const listAggregationIssues = (aggregation: unknown) => listAnalyticsIssues({ aggregations: [aggregation] })

  test.each<[unknown, string[]]>([
    [{ groupings: ['x'] }, ['aggregations: Must be an array.']],
    [{ aggregations: [] }, ['aggregations: Must have at least one aggregation.']],
    [{ aggregations: [5] }, ['aggregations,0: Must be an object.']],
    [
      { aggregations: [{}] },
      ['aggregations,0,alias: Missing alias!', 'aggregations,0,value: Missing value!'],
    ],
    [{ aggregations: [{ alias: 'a', value: null }] }, ['aggregations,0,value: Missing value!']],
    [{ aggregations: [{ alias: 'a', value: '' }] }, ['aggregations,0,value: Missing value!']],
    [{ aggregations: [count], groupings: {} }, ['groupings: Must be an array.']],
    [{ aggregations: [count, { ...count }] }, ['aggregations,1,alias: Duplicate aggregation.']],
    [{ timezone: 5, aggregations: [5] }, ['timezone: Must be a string.']],
    [{ aggregations: [5], limit: -1 }, ['aggregations,0: Must be an object.']],
  ])('%j', (query, expected) => expect(listAnalyticsIssues(query)).toEqual(expected))

  test('alias, name, notes', () => {
    expect(listAggregationIssues({ ...count, alias: 5 })).toEqual(['aggregations,0,alias: Must be a string.'])
    expect(listAggregationIssues({ ...count, alias: 'x'.repeat(65) })).toEqual([
      'aggregations,0,alias: Must be less than 64 characters',
    ])
    expect(listAggregationIssues({ ...count, alias: 'a b' })).toEqual([
      'aggregations,0,alias: Must be alphanumeric, _, or -',
    ])
    expect(listAggregationIssues({ ...count, name: 5, notes: 'x'.repeat(1025) })).toEqual([
      'aggregations,0,name: Must be a string.',
      'aggregations,0,notes: Must be less than 64 characters',
    ])
    expect(listAggregationIssues({ ...count, filters: 5 })).toEqual([
      'aggregations,0,filters: Must be an object or array.',
    ])
    expect(listAggregationIssues({ alias: 'a', value: 1, filters: { id: 1 } })).toEqual([
      'aggregations,0,filters: Must contain an aggregation.',
    ])
  })

  test('a value without an aggregation must be grouped', () => {
    const cost = { field: 'data.cost' }
    expect(listValueIssues(cost)).toEqual(['aggregations,0,value: Must contain an aggregation.'])
    expect(listValueIssues(call('add', cost, call('count')))).toEqual([
      'aggregations,0,value: Must contain an aggregation.',
    ])
    expect(listAnalyticsIssues({ aggregations: [{ alias: 'a', value: cost }], groupings: [cost] })).toEqual(
      [],
    )
    expect(
      listAnalyticsIssues({ aggregations: [{ alias: 'a', value: cost }], groupings: [{ field: 'a' }] }),
    ).toEqual([])
    const orderedQuery = { aggregations: [count], orderings: [{ value: cost, direction: 'asc' }] }
    expect(listAnalyticsIssues(orderedQuery)).toEqual(['orderings,0,value: Must contain an aggregation.'])
    expect(listAnalyticsIssues({ aggregations: [count], groupings: [{ field: 'n' }] })).toEqual([
      'groupings,0: Must not contain an aggregation.',
    ])
    expect(listValueIssues(call('sum', call('max', cost)))).toEqual([
      'aggregations,0,value: Must not contain an aggregation of an aggregation.',
    ])
  })

  test('an alias that is also a column', () => {
    const query = { aggregations: [{ ...count, alias: 'id' }], groupings: [{ field: 'id' }] }
    expect(listAnalyticsIssues(query)).toEqual([
      'groupings,0,field: Field is ambigous - exists as both a column and an aggregation.',
    ])
    expect(
      listAnalyticsIssues({ ...query, aggregations: [{ alias: 'id', value: { field: 'id' } }] }),
    ).toEqual([])
    const orderedQuery = {
      aggregations: [{ ...count, alias: 'id' }],
      orderings: [{ value: { field: 'id' }, direction: 'asc' }],
    }
    expect(listAnalyticsIssues(orderedQuery)).toEqual([
      'orderings,0,value,field: Field is ambigous - exists as both a column and an aggregation.',
    ])
    expect(listAnalyticsIssues({ aggregations: [{ ...count, alias: 'id' }] })).toEqual([])
  })
})

describe('values', () => {
  test.each<[unknown, string[]]>([
    [[], ['aggregations,0,value: Must be a string, number, boolean, or object.']],
    [new Date(), ['aggregations,0,value: Must be a string, number, boolean, or object.']],
    [{}, ['aggregations,0,value: Must be a string, number, boolean, or object.']],
    [{ val: 'x', function: 'count' }, ['aggregations,0,value,val: Must not contain a reserved key "val".']],
    [{ function: 5 }, ['aggregations,0,value,function: Must be a string.']],
    [{ function: 'constructor' }, ['aggregations,0,value,function: Function does not exist']],
    [{ function: 'add', arguments: {} }, ['aggregations,0,value,arguments: Must be an array.']],
    [{ field: 5 }, ['aggregations,0,value,field: Must be a string.']],
    [{ field: 'token' }, ['aggregations,0,value,field: Field does not exist.']],
    [{ field: 'data.token' }, ['aggregations,0,value,field: Field does not exist: data.token']],
    [
      call('add', null),
      [
        'aggregations,0,value,arguments,0: Argument "Value A" for "Add" is required',
        'aggregations,0,value,arguments,1: Argument "Value B" for "Add" is required',
      ],
    ],
    [
      call('add', 'x', call('max', { field: 'data.receivedAt' })),
      [
        'aggregations,0,value,arguments,0: Argument "Value A" for "Add" must be of type: number - instead got text',
        'aggregations,0,value,arguments,1: Argument "Value B" for "Add" must be of type: number - instead got date',
      ],
    ],
    [
      call('bucket', 'eon', '2017-01-01'),
      [
        'aggregations,0,value,arguments,0: Argument "Unit" for "Bucket Date" must be one of: ' +
          'second, minute, hour, day, week, month, quarter, customQuarter, year, customYear, decade',
      ],
    ],
    [call('last', 'yesterday'), ['aggregations,0,value: Invalid duration!']],
    [call('last', 'P0D'), ['aggregations,0,value: Invalid duration!']],
    [call('last', 'P99999Y'), ['aggregations,0,value: Invalid duration!']],
    [call('geojson', 'x'), ['aggregations,0,value: Not a valid JSON string!']],
    [call('geojson', '[]'), ['aggregations,0,value: Not a valid object!']],
    [call('geojson', '{"type":"Point"}'), ['aggregations,0,value: Not a valid GeoJSON object!']],
    [
      call('round', call('add', 1, call('round'))),
      [
        'aggregations,0,value,arguments,0,arguments,1,arguments,0: Argument "Value A" for "Round" is required',
      ],
    ],
  ])('%j', (value, expected) => expect(listValueIssues(value)).toEqual(expected))

  test('an argument that may be any geometry lists the types in the order of the published API', () => {
    expect(listValueIssues(call('distance', 5, { field: 'geometry' }))).toContain(
      'aggregations,0,value,arguments,0: Argument "Geometry A" for "Distance" must be of type: point, polygon, multipolygon, line, multiline, geometry - instead got number',
    )
  })

  test('a geometry of unknown type has no area', () => {
    const query = { aggregations: [{ alias: 'a', value: call('area', { field: 'geometry' }) }] }
    expect(listIssues(query, analytics, shapes)).toEqual([
      'aggregations,0,value,arguments,0: Argument "Geometry" for "Area" must be of type: polygon, multipolygon - instead got geometry',
    ])
  })

  test('an error has all issues with the submitted values', () => {
    try {
      rows({ limit: -1, offset: 'x' }, env)
      expect.unreachable()
    } catch (error) {
      if (!(error instanceof QueryError)) throw error
      expect(error.message).toBe('Validation Error\nlimit: Invalid limit.\noffset: Invalid offset.')
      expect(error.issues[1]).toEqual({ path: ['offset'], value: 'x', message: 'Invalid offset.' })
    }
  })
})
