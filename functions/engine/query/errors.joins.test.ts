import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { joinedTable } from './examples/fields.ts'
import { analytics, rows } from './index.ts'
import { call, count, listIssues } from './issues.testing.ts'

const listAnalyticsIssues = (input: unknown) => listIssues(input, analytics)

describe('joins', () => {
  const listJoinIssues = (join: unknown, kind: typeof rows | typeof analytics = rows) =>
    listIssues({ joins: [join] }, kind, joinedTable.env)

  test.each<[unknown, string[]]>([
    [5, ['joins,0: Must be an object.']],
    [{}, ['joins,0,alias: Missing alias!']],
    [{ alias: '' }, ['joins,0,alias: Missing alias!']],
    [{ alias: 5 }, ['joins,0,alias: Must be a string.']],
    [{ alias: 'nope' }, ['joins,0,alias: Must be a defined join!']],
    [{ alias: 'constructor' }, ['joins,0,alias: Must be a defined join!']],
    [{ alias: 'x'.repeat(65) }, ['joins,0,alias: Must be less than 64 characters']],
    [{ alias: 'a b' }, ['joins,0,alias: Must be alphanumeric, _, or -']],
    [
      { alias: 'crew', name: 5, notes: {} },
      ['joins,0,name: Must be a string.', 'joins,0,notes: Must be a string.'],
    ],
    [
      { alias: 'crew', name: 'x'.repeat(65), notes: 'x'.repeat(1025) },
      ['joins,0,name: Must be less than 64 characters', 'joins,0,notes: Must be less than 64 characters'],
    ],
    [{ alias: 'crew', name: 'x'.repeat(64), notes: 'x'.repeat(1024), required: 'true' }, []],
    [{ alias: 'crew', required: 'yes' }, ['joins,0,required: Not a valid boolean value']],
    [{ alias: 'crew', filters: 5 }, ['joins,0,filters: Must be an object or array.']],
    [{ alias: 'crew', filters: { token: 1 } }, ['joins,0,filters,token: Field does not exist.']],
    [
      { alias: 'crew', filters: [{ $or: [{ data: { cost: 1 } }] }] },
      ['joins,0,filters,0,0,data,cost: Field does not exist: data.cost'],
    ],
    [
      { alias: 'crew', filters: { '~parent.data.leader': 'x' } },
      ['joins,0,filters,~parent,data,leader: Field does not exist: data.leader'],
    ],
    [{ alias: 'crew', filters: { '~crew.id': 1 } }, ['joins,0,filters,~crew,id: Must be a defined join!']],
    [{ alias: 'crew', filters: { '~parent': 1 } }, ['joins,0,filters,~parent: Field does not exist.']],
    [{ alias: 'crew', filters: { '~': 1 } }, ['joins,0,filters,~: Must be a defined join!']],
    [
      { alias: 'crew', filters: { '~parent.~crew.id': 1 } },
      ['joins,0,filters,~parent,~crew,id: Must be a defined join!'],
    ],
    [
      { alias: 'crew', filters: { 'data.size': { field: '~other.data.size' } } },
      ['joins,0,filters,data,size,field: Must be a defined join!'],
    ],
    [
      { alias: 'crew', filters: { 'data.size': call('count') } },
      ['joins,0,filters,data,size: Must not contain an aggregation.'],
    ],
    [
      { alias: 'crew', where: { id: { $gt: { field: '~parent.id' } } } },
      ['joins,0,where,id,field: Must be a defined join!'],
    ],
    [
      {
        alias: 'crew',
        search: 5,
        before: 'x',
        within: { xmin: 200, ymin: 0, xmax: 0, ymax: 0 },
        intersects: 5,
      },
      [
        'joins,0,search: Must be a string.',
        'joins,0,before: Not a valid date!',
        'joins,0,within,xmin: Longitude greater than 180',
        'joins,0,intersects: Must be an object.',
      ],
    ],
    [
      { alias: 'crew', limit: 5, orderings: [], timezone: 'UTC', exclusions: '' },
      [
        'joins,0,limit: Must stand outside of the join.',
        'joins,0,orderings: Must stand outside of the join.',
        'joins,0,timezone: Must stand outside of the join.',
      ],
    ],
  ])('%j', (join, expected) => {
    expect(listJoinIssues(join)).toEqual(expected)
    // Joins are validated in a stage of their own, before aggregations.
    const inAnalytics = { joins: [join], aggregations: expected.length > 0 ? [5] : [count] }
    expect(listIssues(inAnalytics, analytics, joinedTable.env)).toEqual(expected)
  })

  const crew = { alias: 'crew' }
  test.each<[unknown, string[]]>([
    [{ joins: {} }, ['joins: Must be an array.']],
    [{ joins: [crew, crew] }, ['joins,1,alias: Duplicate join.']],
    [{ joins: [crew, crew, crew, crew] }, ['joins: Must not have more than 3 joins.']],
    [{ timezone: 5, joins: 5 }, ['timezone: Must be a string.']],
    [{ joins: [], filters: { '~crew.id': 1 } }, ['filters,~crew,id: Must be a defined join!']],
    [
      { joins: [crew], orderings: [{ value: { field: '~crew.data.nope' }, direction: 'asc' }] },
      ['orderings,0,value,field: Field does not exist: data.nope'],
    ],
  ])('%j', (query, expected) => expect(listIssues(query, rows, joinedTable.env)).toEqual(expected))

  test('fields and aggregations of a join', () => {
    const ask = (more: object) =>
      listIssues({ joins: [{ alias: 'crew' }], aggregations: [count], ...more }, analytics, joinedTable.env)
    expect(ask({ groupings: [{ field: '~other.id' }] })).toEqual([
      'groupings,0,field: Must be a defined join!',
    ])
    expect(ask({ groupings: [{ field: '~crew.nope' }] })).toEqual([
      'groupings,0,field: Field does not exist.',
    ])
    expect(ask({ filters: { '~crew': { data: { size: 'x' } } } })).toEqual([
      'filters,~crew,data,size: Not a valid number value',
    ])
    expect(ask({ aggregations: [{ alias: 'a', value: { field: '~crew.id' } }] })).toEqual([
      'aggregations,0,value: Must contain an aggregation.',
    ])
    // Grouped by the field of one side, that of the other is not grouped.
    expect(
      ask({ aggregations: [{ alias: 'a', value: { field: 'id' } }], groupings: [{ field: '~crew.id' }] }),
    ).toEqual(['aggregations,0,value: Must contain an aggregation.'])
    const filtered = { ...count, filters: { '~crew.nope': 1 } }
    expect(ask({ aggregations: [filtered] })).toEqual([
      'aggregations,0,filters,~crew,nope: Field does not exist.',
    ])
  })

  test('search in a join without searchable fields', () => {
    const offeredJoins = joinedTable.env.joins?.offered ?? []
    const mute = offeredJoins.map((each) => ({
      ...each,
      fields: each.fields.map((f) => ({ ...f, searchable: false })),
    }))
    const fields = { ...joinedTable.env, joins: { rowId: sql.ref('t.id'), offered: mute } }
    expect(listIssues({ joins: [{ alias: 'crew', search: 'x' }] }, rows, fields)).toEqual([
      'joins,0,search: Endpoint does not support search.',
    ])
  })
})

describe('limits', () => {
  const createItems = (n: number, make: (i: number) => unknown) =>
    Array.from({ length: n }, (_, i) => make(i))

  test('aggregations and groupings', () => {
    const aggregations = (n: number) => createItems(n, (i) => ({ ...count, alias: `a${i}` }))
    expect(listAnalyticsIssues({ aggregations: aggregations(200) })).toEqual([])
    expect(listAnalyticsIssues({ aggregations: aggregations(201) })).toEqual([
      'aggregations: Must not have more than 200 aggregations.',
    ])
    const groupings = (n: number) => createItems(n, () => ({ field: 'data.type' }))
    expect(listAnalyticsIssues({ aggregations: [count], groupings: groupings(20) })).toEqual([])
    expect(listAnalyticsIssues({ aggregations: [count], groupings: groupings(21) })).toEqual([
      'groupings: Must not have more than 20 groupings.',
    ])
  })

  test('nesting and values', () => {
    let deep: unknown = 1
    for (let i = 0; i < 40; i++) deep = { $not: deep }
    const [issue = ''] = listIssues({ filters: { id: deep } })
    expect(issue).toMatch(/^filters,id,\$not(,\$not)+: Must not be deeper than 32 levels\.$/)
    const [excess = ''] = listIssues({ filters: { 'data.type': { $in: createItems(10_001, String) } } })
    expect(excess).toMatch(/^filters,data\.type,\$in.*: Must not have more than 10000 values\.$/)
  })
})
