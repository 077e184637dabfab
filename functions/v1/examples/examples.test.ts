import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format } from 'oxfmt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { v1 } from '../index.ts'
import { serveV1 } from '../serve.ts'
import { examples } from './index.ts'
import { createLiveContext, live, prepare } from './live.testing.ts'
import { toExampleResponse } from './recorded.testing.ts'
import { fillPath, queryText } from '#app/client/api/query.ts'
import { rolesFor, table } from '#functions/domain/access/roles.ts'
import { conforms } from '#functions/api/conform.ts'
import { routes, type Route } from '#functions/api/routes.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

/** `UPDATE_ANSWERS=1 npx vitest run functions/v1/examples` records the responses for the reference. */
const isWriting = process.env.UPDATE_ANSWERS === '1'
const answersFile = fileURLToPath(new URL('answers.json', import.meta.url))
const storedAnswers = JSON.parse(readFileSync(answersFile, 'utf8')) as Record<string, unknown>
const answers: Record<string, unknown> = {}

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
  await prepare(world)
})
afterAll(async () => {
  await world.close()
  if (!isWriting) return
  writeFileSync(
    answersFile,
    (await format(answersFile, JSON.stringify(sortByRoute(answers)), { printWidth: 110 })).code,
  )
})

const sortByRoute = (all: Record<string, unknown>) =>
  Object.fromEntries(routes(v1).flatMap(({ name }) => (name in all ? [[name, all[name]]] : [])))

/** Read before write, create before update before delete; nested things are deleted first. */
const turns = ['get', 'post', 'patch', 'delete']
const last = ['source.wipe', 'internal.halt']
const all = routes(v1)
  .filter(({ name }) => name in examples)
  .sort(
    (a, b) =>
      turns.indexOf(a.method) - turns.indexOf(b.method) ||
      Number(a.verb !== 'create') - Number(b.verb !== 'create') ||
      (a.method === 'delete' ? b.path.split('/').length - a.path.split('/').length : 0) ||
      last.indexOf(a.name) - last.indexOf(b.name),
  )

test('every endpoint has one, and nothing else has', () => {
  expect(Object.keys(examples).sort()).toEqual(
    routes(v1)
      .map(({ name }) => name)
      .sort(),
  )
})

/** A person with permission: anonymous if that is enough, else the one with the lowest role. */
function someone({ name, endpoint }: Route): Person {
  const { as } = examples[name] ?? {}
  if (as) return as as Person
  const roles = rolesFor(endpoint.allow)
  if (table[endpoint.allow].includes('anyone')) return 'anonymous'
  if (table[endpoint.allow].includes('signedIn')) return 'member'
  return roles.includes('organization_admin') ? 'organization_admin' : 'super_admin'
}

describe.each(all.map((route): [string, Route] => [route.name, route]))('%s', (name, route) => {
  test('has the expected status', async () => {
    const example = examples[name] ?? {}
    const { params, options, data } = { ...example, ...(await live[name]?.(world)) }
    const ctx = createLiveContext(world, someone(route))
    const url = `http://localhost:8787/v1${fillPath(route.path, params)}?${queryText(options ?? {})}`
    const init: RequestInit = { method: route.method.toUpperCase() }
    if (data !== undefined) {
      init.body = JSON.stringify(data)
      init.headers = { 'content-type': 'application/json' }
    }
    const response = await serveV1(new Request(url, init), ctx)
    const text = await response.text()
    const expectedStatus = example.status ?? (route.verb === 'create' ? 201 : 200)
    expect([
      response.status,
      response.status === expectedStatus ? '' : text,
      ctx.reported.map(String),
    ]).toEqual([expectedStatus, '', []])
    if (route.endpoint.stream || expectedStatus >= 400) return
    const { returns } = route.endpoint
    expect(returns, 'It does not say what it answers.').toBeDefined()
    const json: unknown = JSON.parse(text)
    if (returns)
      expect(conforms(returns, json).map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual([])
    if (isWriting) answers[name] = toExampleResponse(json)
    else if (returns && name in storedAnswers) expect(conforms(returns, storedAnswers[name])).toEqual([])
  })
})
