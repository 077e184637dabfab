import * as v from 'valibot'
import { expect, test } from 'vitest'
import { conforms, requireConforming } from './conform.ts'
import { endpoint } from './endpoint.ts'

interface Branch {
  name: string
  parts?: Branch[]
}
const Branch: v.GenericSchema<Branch> = v.object({
  name: v.string(),
  parts: v.optional(v.array(v.lazy(() => Branch))),
})
const Row = v.object({
  id: v.string(),
  at: v.date(),
  place: v.nullable(v.object({ name: v.string() })),
  tags: v.array(v.union([v.string(), v.strictObject({ tag: v.string() })])),
  tree: v.optional(Branch),
  settings: v.record(v.string(), v.unknown()),
  open: v.optional(v.looseObject({ kind: v.literal('open') })),
  short: v.optional(
    v.pipe(
      v.object({ a: v.string() }),
      v.check((value) => value.a !== 'bad', 'Bad.'),
    ),
  ),
})
const row = {
  id: '1',
  at: '2026-11-21T10:00:00.000Z',
  place: { name: 'Oakton' },
  tags: ['a', { tag: 'b' }],
  tree: { name: 'root', parts: [{ name: 'leaf' }] },
  settings: { anything: 1 },
  open: { kind: 'open', more: true },
  short: { a: 'fine' },
}

test('what is declared conforms, dates as text', () => {
  expect(conforms(Row, row)).toEqual([])
  expect(conforms(v.array(Row), [row, { ...row, place: null }])).toEqual([])
})

test.each([
  ['at the top', { ...row, secret: 1 }, ['secret']],
  ['below', { ...row, place: { name: 'Oakton', secret: 1 } }, ['place', 'secret']],
  [
    'in a tree',
    { ...row, tree: { name: 'x', parts: [{ name: 'y', secret: 1 }] } },
    ['tree', 'parts', 0, 'secret'],
  ],
  ['behind a check', { ...row, short: { a: 'fine', secret: 1 } }, ['short', 'secret']],
  ['of a wrong type', { ...row, id: 1 }, ['id']],
  ['that fails a check', { ...row, short: { a: 'bad' } }, ['short']],
  ['that is no time', { ...row, at: 'yesterday' }, ['at']],
  ['that is missing', { ...row, settings: undefined }, ['settings']],
])('a key %s does not', (_where, json, path) => {
  expect(conforms(Row, json).map((issue) => issue.path)).toEqual([path])
})

test('a route that answers otherwise is told which key', () => {
  const make = endpoint({ allow: 'api.read', returns: Row, run: async () => undefined })
  const route = { name: 'thing.find', endpoint: make }
  expect(() => requireConforming(route, { ...row, at: new Date() })).not.toThrow()
  expect(() => requireConforming(route, { ...row, hash: 'x' })).toThrow(
    'thing.find does not answer as it declares. hash: ',
  )
  expect(() => requireConforming(route, null)).not.toThrow()
})
