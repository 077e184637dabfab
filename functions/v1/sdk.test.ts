import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examples } from './examples/index.ts'
import { prepare } from './examples/live.testing.ts'
import { v1 } from './index.ts'
import {
  getClientMethod,
  listPublishedMethods,
  stae,
  sutroClient,
  type Call,
  type Client,
  type ClientError,
} from './testing/clients.testing.ts'
import { writeMeasurements } from './testing/figures.testing.ts'
import { listen, type Listener } from './testing/listener.testing.ts'
import { rolesFor, table } from '#functions/domain/access/roles.ts'
import { routes, type Route } from '#functions/api/routes.ts'
import { createAccountKey, createSourceKey } from '#functions/domain/identity/keys.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

/** The published client, unmodified, over a socket. */
let world: TestWorld
let listener: Listener
const keys = new Map<string, string>([['anonymous', '']])
const counts = {
  'published methods': 0,
  'of them offered': 0,
  'of them asked': 0,
  'of them without an engine': 0,
}

beforeAll(async () => {
  world = await openWorld(city)
  await prepare(world)
  const { db } = world.as('system')
  for (const { id } of await db.selectFrom('user').select('id').execute())
    keys.set(id, (await createAccountKey(db, id, 'sdk', 'internals')).key)
  keys.set('open', (await createSourceKey(db, 'open', 'sdk')).key)
  listener = await listen(world)
})
afterAll(async () => {
  writeMeasurements('sdk', counts)
  await listener.close()
  await world.close()
})

const createClient = (who: string, more?: Record<string, unknown>): Client =>
  stae(keys.get(who) ?? '', listener.root, more)
const ask = (who: string, name: string, call: Call = {}) => getClientMethod(createClient(who), name)(call)
const catchError = async (asking: Promise<unknown>) =>
  asking.then(
    (answer) => ({ status: 200, res: { body: answer } }) as unknown as ClientError,
    (error: unknown) => error as ClientError,
  )
const getLastRequest = () => {
  const request = listener.seen.at(-1)
  if (!request) throw new Error('Nothing was sent.')
  return request
}

const published = listPublishedMethods()
const byName = new Map(routes(v1).map((route) => [route.name, route]))

test('every method of the published map exists, with its verb and path', () => {
  counts['published methods'] = published.size
  const missing = [...published].flatMap(([name, { path, method, instance }]) => {
    const route = byName.get(name)
    const isSame =
      route && `/v1${route.path}` === path && route.method === method && route.instance === instance
    return isSame ? [] : [`${name}: ${method} ${path}`]
  })
  counts['of them offered'] = published.size - missing.length
  expect(missing).toEqual([])
  expect(published.size).toBe(133)
})

/** Read before write, create before update before delete; nested things are deleted first. */
const turns = ['get', 'post', 'patch', 'delete']
const inTurn = [...byName.values()]
  .filter(({ name }) => published.has(name))
  .sort(
    (a, b) =>
      turns.indexOf(a.method) - turns.indexOf(b.method) ||
      Number(a.verb !== 'create') - Number(b.verb !== 'create') ||
      (a.method === 'delete' ? b.path.split('/').length - a.path.split('/').length : 0) ||
      Number(a.name === 'source.wipe') - Number(b.name === 'source.wipe') ||
      // Halting stops everything after it.
      Number(a.name === 'internal.halt') - Number(b.name === 'internal.halt'),
  )

/** A person with permission. */
function someone({ name, endpoint }: Route): string {
  const { as: who } = examples[name] ?? {}
  if (who) return who
  if (table[endpoint.allow].includes('anyone')) return 'anonymous'
  if (table[endpoint.allow].includes('signedIn')) return 'member'
  return rolesFor(endpoint.allow).includes('organization_admin') ? 'organization_admin' : 'super_admin'
}

describe('each published method', () => {
  test.each(inTurn.map((route): [string, Route] => [route.name, route]))('%s', async (name, route) => {
    const example = examples[name]
    expect(example, 'an example request').toBeDefined()
    const { params, options, data, status } = example ?? {}
    const { status: answered = 200, res } = await catchError(
      ask(someone(route), name, { ...params, options, data } as Call),
    )
    counts['of them asked'] += 1
    if (status) {
      counts['of them without an engine'] += 1
      expect([answered, (res.body as { error?: { message: string } }).error?.message]).toEqual([
        status,
        expect.stringMatching(/\w+ .*\./),
      ])
    } else
      expect([answered, JSON.stringify(res?.body ?? null).slice(0, 300)]).toEqual([200, expect.any(String)])
  })
})

describe('create, read, update, delete', () => {
  test('a data type, a source of it, records, a query on them', async () => {
    const schema = { kind: { name: 'Kind', type: 'text' }, height: { name: 'Height', type: 'number' } }
    expect(
      await ask('organization_admin', 'dataType.create', {
        data: { id: 'lantern', name: 'Lantern', schema },
      }),
    ).toMatchObject({ id: 'lantern' })
    const source = (await ask('organization_admin', 'source.create', {
      data: { name: 'Lanterns', dataTypeId: 'lantern', visibility: 'public', placeId: 'oakton' },
    })) as { id: string; version: number }
    const sourceId = source.id
    expect(
      await ask('organization_admin', 'source.updateById', { sourceId, data: { notes: 'All of them.' } }),
    ).toMatchObject({ notes: 'All of them.', version: source.version + 1 })
    const record = (await ask('organization_admin', 'source.datum.create', {
      sourceId,
      data: { kind: 'gas', height: 4 },
    })) as { id: string }
    expect(await ask('', 'source.datum.findById', { sourceId, datumId: record.id })).toMatchObject({
      data: { kind: 'gas', height: 4 },
    })
    expect(
      await ask('organization_admin', 'source.datum.updateById', {
        sourceId,
        datumId: record.id,
        data: { height: 5 },
      }),
    ).toMatchObject({ data: { height: 5 } })
    const { results } = (await ask('', 'source.analytics', {
      sourceId,
      options: {
        aggregations: [
          { alias: 'highest', value: { function: 'max', arguments: [{ field: 'data.height' }] } },
        ],
      },
    })) as { results: unknown }
    expect(results).toEqual([{ highest: 5 }])
    expect(
      await ask('organization_admin', 'source.datum.deleteById', { sourceId, datumId: record.id }),
    ).toEqual({ id: record.id })
    expect(await ask('organization_admin', 'source.deleteById', { sourceId })).toEqual({ id: sourceId })
    expect((await catchError(ask('organization_admin', 'source.findById', { sourceId }))).status).toBe(404)
    expect(await ask('organization_admin', 'dataType.deleteById', { dataTypeId: 'lantern' })).toEqual({
      id: 'lantern',
    })
  })

  test('a write key creates records of its source, and of no other', async () => {
    const data = { id: 'by-key', type: 'Noise', minutes: 1 }
    expect(await ask('open', 'source.datum.create', { sourceId: 'open', data })).toMatchObject({
      data: { minutes: 1 },
    })
    expect((await catchError(ask('open', 'source.datum.create', { sourceId: 'inner', data }))).status).toBe(
      403,
    )
  })
})

describe('the wire', () => {
  const wide = Array.from({ length: 400 }, (_none, n) => ({
    'data.type': `A type with a long name, number ${n}`,
  }))

  test('a query of 4,000 characters or more is sent as POST and handled as GET', async () => {
    const options = { filters: [{ $or: [...wide, { 'data.type': 'Noise' }] }], limit: 1 }
    const { results, meta } = (await ask('', 'source.datum.find', { sourceId: 'open', options })) as {
      results: unknown[]
      meta: { total: number }
    }
    expect([results.length, meta.total > 0]).toEqual([1, true])
    const { method, url, headers, body } = getLastRequest()
    expect([method, url, headers['x-http-method-override']]).toEqual(['POST', '/v1/sources/open/data', 'GET'])
    expect(body.length).toBeGreaterThan(4000)
  })

  test('the key of such a query is in its body, and authenticates it', async () => {
    const options = {
      filters: [
        { $or: wide.map((_each, n) => ({ id: `id-${n}-of-a-source` })).concat({ id: 'inner' } as never) },
      ],
    }
    expect(await ask('viewer', 'source.find', { options })).toMatchObject({ results: [{ id: 'inner' }] })
    expect(JSON.parse(getLastRequest().body)).toMatchObject({ key: keys.get('viewer') })
    expect(getLastRequest().url).not.toContain('key=')
    expect(await ask('', 'source.find', { options })).toMatchObject({ results: [] })
    const wrong = stae(`cpk_${'x'.repeat(43)}`, listener.root)
    expect((await catchError(getClientMethod(wrong, 'source.find')({ options }))).status).toBe(401)
  })

  test('a short one has it in the query string', async () => {
    await ask('viewer', 'source.find', { options: { limit: 1 } })
    expect([getLastRequest().method, getLastRequest().url]).toEqual([
      'GET',
      expect.stringContaining(`key=${keys.get('viewer')}`),
    ])
  })

  test('null, dots, empty texts and lists survive', async () => {
    const options = { filters: { 'data.type': 'Noise' }, exclusions: ['geometry'], search: null, limit: 2 }
    const { results } = (await ask('', 'source.datum.find', { sourceId: 'open', options })) as {
      results: { data: { type: string } }[]
    }
    expect(results.map(({ data }) => data.type)).toEqual(['Noise', 'Noise'])
  })

  test('errors have status, headers and body', async () => {
    const invalid = await catchError(
      ask('organization_admin', 'source.create', { data: { nme: 'x', placeId: 'oakton' } }),
    )
    expect(invalid.status).toBe(400)
    expect(invalid.res.body ?? JSON.parse((invalid.res as { text: string }).text)).toMatchObject({
      error: { status: 400, kind: 'invalid' },
      fields: expect.arrayContaining([
        { path: ['nme'], message: 'Unknown field.', validator: 'unknown' },
      ]) as unknown,
    })
    expect((await catchError(ask('', 'user.find'))).status).toBe(401)
    expect((await catchError(ask('viewer', 'user.find'))).status).toBe(403)
    expect((await catchError(ask('', 'source.findById', { sourceId: 'inner' }))).status).toBe(404)
  })

  test('response=false omits the body', async () => {
    const call = { placeId: 'oakton', data: { name: 'Quiet' }, options: { response: false }, simple: false }
    expect(await ask('organization_admin', 'place.collection.create', call)).toMatchObject({
      status: 201,
      text: '',
    })
    const read = { placeId: 'oakton', options: { response: false }, simple: false }
    expect(await ask('', 'place.collection.find', read)).toMatchObject({ status: 204 })
  })

  test('errors can be handled by a function', async () => {
    const caught: unknown[] = []
    await catchError(
      getClientMethod(
        createClient('', { onError: (error: ClientError) => caught.push(error.status) }),
        'user.find',
      )(),
    )
    expect(caught).toEqual([401])
  })
})

describe('the newest client of its framework', () => {
  const client = async (who: string, more: Record<string, unknown> = {}) => {
    const map = await (await fetch(`${listener.root}/v1`)).json()
    const options = { key: keys.get(who) ?? '' }
    return sutroClient(map, { root: listener.root, rewriteLargeRequests: true, options, retry: 0, ...more })
  }

  test('is built from our own map, and reads and writes', async () => {
    const admin = await client('organization_admin', { simple: true })
    const collection = (await getClientMethod(
      admin,
      'place.collection.create',
    )({ placeId: 'oakton', data: { name: 'By ky' } })) as { id: string }
    const one = { placeId: 'oakton', collectionId: collection.id }
    expect(
      await getClientMethod(admin, 'place.collection.updateById')({ ...one, data: { notes: 'Changed.' } }),
    ).toMatchObject({ notes: 'Changed.' })
    expect(await getClientMethod(admin, 'place.collection.deleteById')(one)).toEqual({ id: collection.id })
  })

  test('gives status, headers and body without `simple`', async () => {
    const answer = await getClientMethod(await client(''), 'place.findById')({ placeId: 'oakton' })
    expect(answer).toMatchObject({ ok: true, status: 200, body: { id: 'oakton' } })
  })

  test('rewrites a large query, and reports an error by its status', async () => {
    const wide = Array.from({ length: 300 }, (_none, n) => ({
      name: `A place with a long name, number ${n}`,
    }))
    const answer = await getClientMethod(
      await client('', { simple: true }),
      'place.find',
    )({ options: { filters: [{ $or: [...wide, { id: 'oakton' }] }] } })
    expect(answer).toMatchObject({ results: [{ id: 'oakton' }] })
    expect(getLastRequest().method).toBe('POST')
    const error = await catchError(getClientMethod(await client(''), 'user.find')())
    expect([error.status, error.res.status]).toEqual([401, 401])
  })
})
