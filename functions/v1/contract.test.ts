import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GenericSchema } from 'valibot'
import { v1 } from './index.ts'
import { send } from './testing/ask.testing.ts'
import { fill, buildIdSets } from './testing/ids.testing.ts'
import { openProofWorld, type ProofWorld } from './testing/world.testing.ts'
import { routes, type Route } from '#functions/api/routes.ts'

let world: ProofWorld
beforeAll(async () => void (world = await openProofWorld()))
afterAll(() => world.close())

type JsonObject = Record<string, unknown>
const getEntries = (shape: unknown): JsonObject =>
  (shape as { entries?: JsonObject } | undefined)?.entries ?? {}

/** The members of a page of rows, for an endpoint that may return something else as well of that. */
const pageEntries = (returns: unknown): JsonObject => {
  const { options = [] } = (returns ?? {}) as { options?: unknown[] }
  return [returns, ...options].map(getEntries).find((entries) => 'results' in entries) ?? {}
}
/** All endpoints that return a page of rows, of which a `limit` may be given. */
const lists = routes(v1).filter(
  ({ method, endpoint }) =>
    method === 'get' && 'results' in pageEntries(endpoint.returns) && 'limit' in getEntries(endpoint.options),
)
/** The options that some lists require. */
const required = (name: string): JsonObject =>
  name.endsWith('.values') ? { field: 'id' } : name.endsWith('.texts') ? { language: 'es' } : {}

/** The errors of the published contract for invalid options, one per line; only options that a list supports are sent. */
const contract: [option: string, value: unknown, says: string[]][] = [
  ['search', { a: 'b' }, ['search: Must be a string.']],
  ['before', 'soon', ['before: Not a valid date!']],
  ['after', '31/12/2026', ['after: Not a valid date!']],
  [
    'within',
    { xmin: -200, ymin: 0, xmax: 'x', ymax: 91 },
    [
      'within.xmin: Longitude less than -180',
      'within.xmax: Longitude not a number, got string',
      'within.ymax: Latitude greater than 90',
    ],
  ],
  ['intersects', 'x', ['intersects: Must be an object.']],
  ['exclusions', ['nope'], ['exclusions.0: Invalid exclusion.']],
  ['limit', '-1', ['limit: Invalid limit.']],
  ['offset', '1.5', ['offset: Invalid offset.']],
  [
    'filters',
    [{ nope: 1 }, { id: { $near: 1 } }, { id: { $gt: { function: 'nope' } } }, { function: 'now' }],
    [
      'filters.0.nope: Field does not exist.',
      'filters.1.id: Operator does not exist: $near',
      'filters.2.id.function: Function does not exist',
      'filters.3: Must be of type: boolean - instead got date',
    ],
  ],
  [
    'orderings',
    [{ direction: 'asc' }, { value: { field: 'nope' }, direction: 'up' }],
    [
      'orderings.0.value: Missing ordering value.',
      'orderings.1.direction: Invalid ordering direction - must be asc or desc.',
      'orderings.1.value.field: Field does not exist.',
    ],
  ],
]
const other: [option: string, value: unknown, says: string[]][] = [
  ['filters', 'x', ['filters: Must be an object or array.']],
  ['orderings', 'x', ['orderings: Must be an array.']],
]
/** Empty values are valid: a form with empty fields requests the whole list. */
const empty: JsonObject = {
  ...{ search: '', before: '', after: '', limit: '', offset: '', exclusions: '', filters: '' },
}

/** The response to an endpoint, of which `query` is a query string for what is sent. */
async function callEndpoint(route: Route, options: JsonObject, body?: unknown, query = '') {
  const { open, closed } = buildIdSets(world)
  const isGet = route.method === 'get'
  // Keys are visible only to their owner.
  const who = world.asker(route.name.startsWith('user.key') ? 'member' : 'super_admin')
  const answer = await send(world, who, {
    method: 'post',
    path: `${fill(route, route.name.includes('importer') ? closed : open)}${query}`,
    body: isGet ? { ...required(route.name), ...options } : body,
    ...(isGet && { headers: { 'x-http-method-override': 'GET' } }),
  })
  const { fields = [] } = (answer.json ?? {}) as { fields?: { path: unknown[]; message: string }[] }
  return { ...answer, says: fields.map(({ path, message }) => `${path.join('.')}: ${message}`) }
}

/** The options for a list. All have ids except logs, which have levels. */
const selectOptions = (route: Route, rows: typeof contract): typeof contract => {
  const asText = JSON.stringify(rows.filter(([option]) => option in getEntries(route.endpoint.options)))
  const own = route.name.endsWith('.logs') ? asText.replaceAll(/\bid\b/g, 'level') : asText
  return JSON.parse(own) as typeof contract
}

/** Endpoints with equal errors, under one heading. */
const table = new Map<string, string[]>()
const recordErrors = (name: string, says: string[]) => {
  const lines = says.map((line) => `  ${line}`).join('\n')
  table.set(lines, [...(table.get(lines) ?? []), name])
}

describe.each(lists.map((route) => [route.name, route] as const))('%s', (name, route) => {
  test('all errors are reported at once, with the messages of the published contract', async () => {
    const messages: string[] = []
    for (const rows of [selectOptions(route, contract), selectOptions(route, other)]) {
      const options = Object.fromEntries(rows.map(([option, value]) => [option, value]))
      const { status, says } = await callEndpoint(route, options)
      expect(status).toBe(rows.length ? 400 : 200)
      messages.push(...says)
      // Lists without search report that in addition.
      const wrong = says.filter((line) => line !== 'search: Endpoint does not support search.')
      // What is asked of an insight is a part of its query.
      const at = name === 'place.insight.analytics' ? 'query.' : ''
      expect(wrong.toSorted()).toEqual(
        rows.flatMap(([, , expectedLines]) => expectedLines.map((line) => at + line)).toSorted(),
      )
    }
    recordErrors(name, messages.toSorted())
  })

  test('empty values are ignored, and a capped limit is reported', async () => {
    const most = name.endsWith('.rejects') ? 10_000 : 1000
    const options = Object.fromEntries(
      Object.entries({ ...empty, limit: String(most * 5) }).filter(
        ([option]) => option in getEntries(route.endpoint.options),
      ),
    )
    const capped = await callEndpoint(route, options)
    expect(capped.status, capped.text).toBe(200)
    const meta = getEntries(pageEntries(route.endpoint.returns).meta)
    if ('limit' in meta && !route.name.endsWith('analytics'))
      expect((capped.json as { meta: JsonObject }).meta.limit).toBe(name.endsWith('.logs') ? undefined : most)
    const whole = await callEndpoint(route, { ...options, limit: '' })
    expect((whole.json as { meta: JsonObject }).meta.limit).toBeUndefined()
  })
})

/** The endpoints that take a whole document without storing it, and the one that changes the fields of a data type. */
const bodies = routes(v1).filter(({ name }) => name.endsWith('.validate') || name === 'dataType.schema')

describe.each(bodies.map((route) => [route.name, route] as const))('%s', (name, route) => {
  const takesPart = 'partial' in getEntries(route.endpoint.options)
  test.each(takesPart ? ['', '?partial=true'] : [''])(
    'reports errors for no body, a list and numbers %s',
    async (query) => {
      const shape = route.endpoint.like ?? route.endpoint.data
      const numbers = Object.fromEntries(
        Object.keys(getEntries(shape as GenericSchema)).map((key) => [key, 5]),
      )
      const says: string[] = []
      for (const [what, body] of [
        ['nothing', {}],
        ['a list', []],
        ['numbers', numbers],
      ] as const) {
        const answer = await callEndpoint(route, {}, body, query)
        expect([200, 400], answer.text).toContain(answer.status)
        says.push(...(answer.says.length ? answer.says : ['(nothing)']).map((line) => `${what}: ${line}`))
      }
      recordErrors(`${name}${query}`, says)
    },
  )
})

test('the errors of every list and validate endpoint match the committed table', () => {
  const text = [...table].map(([lines, names]) => `${names.join(' ')}\n${lines}\n`).join('\n')
  const file = new URL('./contract.txt', import.meta.url)
  if (process.env.UPDATE_TABLE) writeFileSync(file, text)
  expect(text).toBe(readFileSync(file, 'utf8'))
  // What the shapes do not say themselves: each says what it expects.
  expect(text.split('\n').filter((line) => line.endsWith(': Not a valid value.'))).toEqual([])
})
