import { describe, expect, test } from 'vitest'
import { analytics, rows } from './index.ts'
import { callTable, joinedTable, shapeTable } from './examples/fields.ts'
import type { QueryEnv } from './types.ts'

const withRowCount = (many: number, env: QueryEnv = callTable.env): QueryEnv => ({ ...env, rows: many })
const call = (name: string, ...args: unknown[]) => ({ function: name, arguments: args })
const cost = field('data.cost')
function field(path: string) {
  return { field: path }
}
const list = (query: unknown, many = 1) => rows(query, withRowCount(many)).steps
const countSteps = (query: object, many = 1) =>
  analytics({ aggregations: [{ alias: 'n', value: call('count') }], ...query }, withRowCount(many)).steps

describe('the cost of a query', () => {
  test('grows with the rows and the work per row', () => {
    const one = { filters: { 'data.cost': { $gt: 1 } } }
    expect(countSteps(one, 2000)).toBe(2 * countSteps(one, 1000))
    const branches = (many: number) => ({
      filters: { $or: Array.from({ length: many }, (_, i) => ({ 'data.cost': i })) },
    })
    const perBranch = countSteps(branches(101)) - countSteps(branches(100))
    expect(perBranch).toBeGreaterThan(0)
    expect(countSteps(branches(4900)) - countSteps(branches(100))).toBeCloseTo(4800 * perBranch)
  })

  test('a list of any length costs as much as a few comparisons', () => {
    const among = (many: number) => ({
      filters: { 'data.cost': { $in: Array.from({ length: many }, (_, i) => i) } },
    })
    expect(countSteps(among(9900))).toBe(countSteps(among(10)))
    expect(countSteps(among(9900), 42_000)).toBeLessThan(1_000_000)
    expect(
      countSteps({ filters: { 'data.cost': { $all: among(500).filters['data.cost'].$in } } }),
    ).toBeGreaterThan(countSteps(among(500)))
  })

  test.each([
    [
      'a regular expression than a pattern',
      { 'data.type': { $regexp: 'a' } },
      { 'data.type': { $like: 'a' } },
    ],
    [
      'two patterns than one',
      { 'data.type': { $like: { $any: ['a', 'b'] } } },
      { 'data.type': { $like: 'a' } },
    ],
    ['a negation of two than one', { $not: { 'data.cost': 1, 'data.type': 'a' } }, { 'data.cost': 1 }],
    [
      'a nested function than a plain one',
      call('gt', call('add', call('add', cost, 1), 1), 1),
      call('gt', call('add', cost, 1), 1),
    ],
  ])('%s costs more', (_what, more, less) => {
    expect(list({ filters: more })).toBeGreaterThan(list({ filters: less }))
  })

  test('every pair counts if rows are not joined by equality', () => {
    const env = (many: number) => {
      const { joins } = joinedTable.env
      const sides = joins?.offered.map((each) => ({ ...each, rows: many })) ?? []
      return { ...withRowCount(many, joinedTable.env), ...(joins && { joins: { ...joins, offered: sides } }) }
    }
    const estimateJoinSteps = (filters?: unknown) =>
      analytics(
        {
          aggregations: [{ alias: 'n', value: call('max', field('~crew.data.size')) }],
          joins: [{ alias: 'crew', filters }],
        },
        env(1000),
      ).steps
    const equal = estimateJoinSteps({ 'data.type': field('~parent.data.type') })
    expect(estimateJoinSteps()).toBeGreaterThan(1_000_000)
    expect(estimateJoinSteps({ 'data.size': { $gt: field('~parent.data.cost') } })).toBeGreaterThan(1_000_000)
    expect(equal).toBeLessThan(100_000)
  })

  test('equal fields join rows as often as their values repeat', () => {
    type Spread = NonNullable<QueryEnv['fields'][number]['spread']>
    const env = (spread: Spread | undefined, many: number): QueryEnv => {
      const { joins, fields } = joinedTable.env
      const spreading = (all: QueryEnv['fields']) =>
        all.map((each) =>
          ['data.type', 'data.size', 'data.cost'].includes(each.path) ? { ...each, spread } : each,
        )
      const sides =
        joins?.offered.map((each) => ({ ...each, rows: many, fields: spreading(each.fields) })) ?? []
      const main = { ...withRowCount(many, joinedTable.env), fields: spreading(fields) }
      return { ...main, ...(joins && { joins: { ...joins, offered: sides } }) }
    }
    const people = [{ alias: 'n', value: call('max', field('~crew.data.size')) }]
    const estimateJoinSteps = (filters: unknown, spread?: Spread, aggregations: unknown[] = people) =>
      analytics({ aggregations, joins: [{ alias: 'crew', filters }] }, env(spread, 42_000)).steps
    const equal = { 'data.type': field('~parent.data.type') }
    // As many distinct values as rows, as long as there are no statistics.
    expect(estimateJoinSteps(equal)).toBeLessThan(2_000_000)
    // Two values for 42,000 rows: each row has 21,000 partners.
    expect(estimateJoinSteps(equal, { values: { fire: 21_000, flood: 21_000 } })).toBeGreaterThan(
      42_000 * 21_000,
    )
    expect(estimateJoinSteps(equal, { values: { fire: 1, flood: 1 } })).toBeLessThan(2_000_000)
    expect(estimateJoinSteps({ 'data.size': field('~parent.data.cost') }, { most: 100 })).toBeGreaterThan(
      10_000_000,
    )
    expect(estimateJoinSteps({ 'data.size': field('~parent.data.cost') }, { most: 1_000_000 })).toBeLessThan(
      2_000_000,
    )
    // Conditions on fields of one side do not reduce the number of pairs.
    expect(estimateJoinSteps({ 'data.type': field('data.type') })).toBeGreaterThan(42_000 * 42_000)
    // A sum over joined rows dedupes its rows, which costs more.
    const sums = [{ alias: 'n', value: call('sum', field('~crew.data.size')) }]
    expect(estimateJoinSteps(equal, undefined, sums)).toBeGreaterThan(5 * estimateJoinSteps(equal))
  })

  test('a join that no value uses costs nothing, as it is dropped', () => {
    expect(
      analytics(
        { aggregations: [{ alias: 'n', value: call('count') }], joins: [{ alias: 'crew' }] },
        withRowCount(1000, joinedTable.env),
      ).steps,
    ).toBe(countSteps({}, 1000))
  })

  test('fields in a list are compared one by one', () => {
    const among = (many: number) =>
      countSteps({
        filters: {
          'data.cost': { $in: [1, 2, 3, ...Array.from({ length: many }, () => field('data.tax'))] },
        },
      })
    expect(among(500) - among(400)).toBe(100)
  })

  test('each expanded list multiplies the rows', () => {
    const expanded = (...names: string[]) =>
      analytics(
        {
          aggregations: names.map((name) => ({
            alias: name,
            value: call('distinctCount', call('expand', field(`data.${name}`))),
          })),
        },
        withRowCount(1000),
      ).steps
    expect(expanded('tags', 'scores')).toBeGreaterThan(6 * expanded('tags'))
  })

  test('a geometry costs by its vertices, once for each row', () => {
    const ring = (corners: number) =>
      Array.from({ length: corners + 1 }, (_, i) => {
        const turn = (2 * Math.PI * (i % corners)) / corners
        return [Math.cos(turn), Math.sin(turn)]
      })
    const shape = (corners: number) =>
      call('geojson', JSON.stringify({ type: 'Polygon', coordinates: [ring(corners)] }))
    const near = (corners: number) =>
      analytics(
        {
          aggregations: [
            { alias: 'm', value: call('min', call('distance', field('geometry'), shape(corners))) },
          ],
        },
        withRowCount(1000, shapeTable.env),
      ).steps
    const inside = (corners: number) =>
      analytics(
        {
          aggregations: [{ alias: 'n', value: call('count') }],
          filters: [call('intersects', field('geometry'), shape(corners))],
        },
        withRowCount(1000, shapeTable.env),
      ).steps
    expect(near(5000)).toBeGreaterThan(10 * near(50))
    expect(inside(5000)).toBeGreaterThan(10 * inside(50))
    expect(near(5000)).toBeGreaterThan(inside(5000))
  })

  test('a page in index order costs its rows and its offset', () => {
    expect(list({ limit: 2 }, 1_000_000)).toBeLessThan(1000)
    expect(list({ limit: 2, offset: 500_000 }, 1_000_000)).toBeGreaterThan(1_000_000)
    expect(list({ orderings: [{ value: cost, direction: 'asc' }] }, 1_000_000)).toBeGreaterThan(1_000_000)
  })

  test('is unknown without a row count, and then nothing is rejected', () => {
    const { rows: _none, ...env } = callTable.env
    expect(rows({ filters: { 'data.cost': 1 } }, { ...env, budget: { steps: 0, who: 'No one' } }).steps).toBe(
      0,
    )
  })
})

describe('a query over budget', () => {
  const strict = { ...withRowCount(1000), budget: { steps: 20_000, who: 'Who is not signed in' } }
  const readIssues = (query: object) => {
    try {
      analytics({ aggregations: [{ alias: 'n', value: call('count') }], ...query }, strict)
    } catch (error) {
      return (error as { issues?: unknown[] }).issues
    }
    return undefined
  }

  test('is rejected at its most expensive part, with both numbers', () => {
    expect(
      readIssues({ filters: { $or: Array.from({ length: 100 }, (_, i) => ({ 'data.cost': i })) } }),
    ).toEqual([
      {
        path: ['filters'],
        message:
          'Too much for one question: about 104,000 steps over 1,000 records. Who is not signed in may ask for 20,000. ' +
          'Use fewer conditions (a list with $in is cheap), fewer joins or simpler functions.',
      },
    ])
    const medians = Array.from({ length: 9 }, (_, i) => ({ alias: `m${i}`, value: call('median', cost) }))
    expect(readIssues({ aggregations: medians })).toMatchObject([{ path: ['aggregations'] }])
    const deep = { alias: 'd', value: call('max', call('bucket', 'day', field('data.receivedAt'))) }
    expect(readIssues({ aggregations: [deep, ...medians.slice(0, 1)] })).toMatchObject([
      { path: ['aggregations', 0] },
    ])
  })

  test.each([
    [{ offset: 1_000_000 }, ['offset'], 'Go on with `next` of the page before'],
    [
      { orderings: [{ value: call('add', cost, 1), direction: 'asc' }] },
      ['orderings', 0],
      'Order by a field',
    ],
    [{ search: 'a' }, ['search'], 'Search in fewer records'],
    [{ joins: [{ alias: 'crew' }] }, ['joins', 0], 'Say which fields of the two are equal'],
  ])('suggests for %o how to reduce the cost', (query, path, message) => {
    const env = { ...withRowCount(10_000, joinedTable.env), budget: { steps: 20_000, who: 'A' } }
    const ask = () => rows(query, env)
    expect(ask).toThrow(message)
    try {
      ask()
    } catch (error) {
      expect((error as { issues: unknown[] }).issues).toMatchObject([{ path }])
    }
  })

  test('is accepted if it does little work per row', () => {
    expect(readIssues({ filters: { 'data.cost': 1 } })).toBeUndefined()
    const many = { ...withRowCount(1_000_000), budget: { steps: 20_000, perRow: 16, who: 'A' } }
    expect(() => rows({ filters: { 'data.cost': 1 } }, many)).not.toThrow()
    expect(() => rows({ filters: { 'data.type': { $regexp: 'a' } } }, many)).toThrow('Too much')
  })
})
