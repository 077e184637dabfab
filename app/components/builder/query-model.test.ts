import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { asGroup, getShownOperator, parseFilter, printFilter, type FilterNode } from './filter-model.ts'
import type { JsonObject } from './json.ts'
import { changeClauses, parseClauses, serializeClauses } from './query-model.ts'
import { insightTemplates } from '#functions/domain/insight/insight-templates.ts'

const folder = new URL('../../../functions/engine/query/examples/', import.meta.url)
const examples = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .flatMap((file) => {
    const all = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as {
      name: string
      query: JsonObject
    }[]
    return all.map(({ name, query }): [string, JsonObject] => [`${file}: ${name}`, query])
  })

/** Compares values including the order of keys. */
const text = (json: unknown) => JSON.stringify(json)

describe('parsing and serializing a query', () => {
  it('is covered by examples of the whole language', () => {
    expect(examples.length).toBeGreaterThan(150)
    const all = text(examples)
    for (const word of ['bucket', 'extract', 'expand', 'distinctCount', '$between', 'joins'])
      expect([word, all.includes(word)]).toEqual([word, word !== '$iNotRegexp'])
  })

  it.each(examples)('%s', (_name, query) => {
    expect(text(serializeClauses(parseClauses(query)))).toBe(text(query))
  })

  it('round-trips the templates', async () => {
    for (const { query } of await insightTemplates())
      expect(text(serializeClauses(parseClauses(query)))).toBe(text(query))
  })

  const odd: [string, JsonObject][] = [
    ['nothing', {}],
    ['parts that are no lists', { aggregations: 'x', groupings: null, orderings: {}, filters: '' }],
    ['empty parts', { aggregations: [], filters: {}, orderings: [], groupings: [] }],
    ['items without a drawing', { aggregations: [null, 5, { alias: 'a' }], orderings: ['x'] }],
    ['what nobody knows', { sum: 1, where: { a: 1 }, offset: 3, limit: '5' }],
    ['lists in lists', { filters: [[{ a: 1 }], [], {}, { $not: [{ a: { $ne: 2 } }] }] }],
    ['odd keys', { filters: { $foo: 1, a: { b: 1, $gt: 2 }, $not: 5, $or: 'x', 'a.b': {} } }],
  ]
  it.each(odd)('%s', (_name, query) => {
    expect(text(serializeClauses(parseClauses(query)))).toBe(text(query))
  })

  it('removes a list that became empty', () => {
    const clauses = parseClauses({ aggregations: [{ alias: 'a', value: 1 }], limit: 5 })
    expect(serializeClauses(changeClauses(clauses, { columns: [] }))).toEqual({ limit: 5 })
  })
})

describe('filters', () => {
  it('are rules, groups and negations', () => {
    const input = {
      'data.type': ['fire', 'flood'],
      'data.cost': { $gte: 10, $lt: 20 },
      $or: [{ 'data.urgent': true }, { $not: { 'data.tax': null } }],
    }
    const group = asGroup(parseFilter(input))
    expect(
      group.of.map((node) => (node.kind === 'rule' ? [node.field, getShownOperator(node)] : node.kind)),
    ).toEqual([['data.type', '$in'], ['data.cost', '$gte'], ['data.cost', '$lt'], 'group'])
  })

  it('are serialized as a list if one object cannot hold them', () => {
    const rule = (value: unknown): FilterNode => ({
      kind: 'rule',
      field: 'a',
      operator: '$gt',
      value,
      isPlain: false,
    })
    const group = (...of: FilterNode[]): FilterNode => ({ kind: 'group', join: 'all', form: 'object', of })
    expect(printFilter(group(rule(1)))).toEqual({ a: { $gt: 1 } })
    expect(printFilter(group(rule(1), rule(2)))).toEqual([{ a: { $gt: 1 } }, { a: { $gt: 2 } }])
    const any: FilterNode = { kind: 'group', join: 'any', of: [rule(1)] }
    expect(printFilter(group(any, any))).toEqual([{ $or: [{ a: { $gt: 1 } }] }, { $or: [{ a: { $gt: 1 } }] }])
  })

  it('that are not supported stay unchanged', () => {
    const input = { data: { urgent: true }, 'data.cost': { $or: [1, { $gt: 5 }] } }
    expect(asGroup(parseFilter(input)).of.map(({ kind }) => kind)).toEqual(['raw', 'raw'])
    expect(printFilter(parseFilter(input))).toEqual(input)
  })
})
