import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveV1 } from './serve.ts'
import { wholeCity } from './testing/rows.testing.ts'
import type { Context } from '#functions/context.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { sourceSeenBy, type Row } from '#db/worlds/readers.ts'
import { openWorld, people, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
const rows = new Map<string, Row & { dataTypeId: string }>()

/** Each source has one record of type `shared` and one named after the source; the second has 100 minutes. */
beforeAll(async () => {
  world = await openWorld(wholeCity)
  const system = world.as('system')
  const sources = await system.db.selectFrom('source').selectAll().where('deletedAt', 'is', null).execute()
  for (const { id, dataTypeId, ...source } of sources) {
    const accessColumns = {
      place_id: source.placeId,
      visibility: source.visibility,
      created_by: source.createdBy,
    }
    rows.set(id, { id, deleted_at: null, dataTypeId, ...accessColumns })
    await ingest(system, id, [
      { id: `${id}-1`, type: 'shared', minutes: 1 },
      { id: `${id}-2`, type: `of ${id}`, minutes: 100 },
    ])
  }
})
afterAll(() => world.close())

type Question = Record<string, unknown>
interface Body {
  results: Record<string, unknown>[]
  meta: { results: number; total?: number }
  fields?: { path: unknown[]; message: string }[]
}

/** Requests everything short of a socket. */
async function get(
  path: string,
  question: Question,
  person: Person = 'anonymous',
  changes: Partial<Context> = {},
) {
  const options = Object.entries(question).map(
    ([name, value]) =>
      `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
  )
  const url = `http://localhost:8787/v1${path}?${options.join('&')}`
  const response = await serveV1(new Request(url), world.as(person, changes))
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body }
}

async function post(path: string, body: unknown, person: Person) {
  const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await serveV1(new Request(`http://localhost:8787/v1${path}`, init), world.as(person))
  return { status: response.status, body: (await response.json()) as Body }
}

const field = (name: string) => ({ field: name })
const fn = (name: string, ...values: unknown[]) => ({ function: name, arguments: values })
const sameType = { 'data.type': field('~parent.data.type') }
const types = (alias = 'j') => ({
  aggregations: [{ alias: 'type', value: field(`~${alias}.data.type`) }],
  groupings: [field('type')],
  orderings: [{ value: field('type'), direction: 'asc' }],
})
const analytics = '/places/oakton/sources/open/analytics'
const refusals = ({ body }: { body: Body }) =>
  body.fields?.map(({ path, message }) => `${path.join(',')}: ${message}`)

describe('two sources in one query', () => {
  const joins = [{ alias: 'j', sourceId: 'spots', filters: sameType }]
  const question = {
    joins,
    aggregations: [
      { alias: 'pairs', value: fn('count') },
      { alias: 'calls', value: fn('distinctCount', field('id')) },
      { alias: 'minutes', value: fn('sum', field('~j.data.minutes')) },
    ],
  }

  test.each(['anonymous', 'member', 'stranger'] as const)(
    '%s gets the same of what is public',
    async (person) => {
      const { status, body } = await get(analytics, question, person)
      expect([status, body.results]).toEqual([200, [{ pairs: 2, calls: 2, minutes: 1 }]])
    },
  )

  test('required, as a query string', async () => {
    const ask = (required: string) => get(analytics, { ...question, joins: [{ ...joins[0], required }] })
    expect((await ask('true')).body.results).toEqual([{ pairs: 1, calls: 1, minutes: 1 }])
    expect((await ask('false')).body.results).toEqual([{ pairs: 2, calls: 2, minutes: 1 }])
    expect(refusals(await ask('perhaps'))).toEqual(['joins,0,required: Not a valid boolean value'])
  })

  test('is also available as a file, and for insights', async () => {
    const path = '/places/oakton/sources/open/export'
    const searchParams = new URLSearchParams(
      Object.entries({ ...question, format: 'csv' }).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    )
    const request = new Request(`http://localhost:8787/v1${path}?${searchParams}`)
    const file = await serveV1(request, world.as('anonymous'))
    expect((await file.text()).trim().split(/\r?\n/)).toEqual(['pairs,calls,minutes', '2,2,1'])
    const testResponse = await post(
      '/places/oakton/insights/test',
      { dataTypeId: 'call', sourceId: 'open', query: question },
      'member',
    )
    expect([testResponse.status, testResponse.body.results]).toEqual([
      200,
      [{ pairs: 2, calls: 2, minutes: 1 }],
    ])
  })

  test('an answer is computed again when the joined data change, and not before', async () => {
    const { headers } = await get(analytics, question)
    const tag = headers.get('etag') ?? ''
    const revalidateAnswer = async () => {
      const { request } = world.as('anonymous')
      const contextRequest = { ...request, headers: new Headers({ 'if-none-match': tag }) }
      const url = Object.entries(question).map(
        ([name, value]) => `${name}=${encodeURIComponent(JSON.stringify(value))}`,
      )
      const httpRequest = new Request(`http://localhost:8787/v1${analytics}?${url.join('&')}`, {
        headers: contextRequest.headers,
      })
      return (await serveV1(httpRequest, world.as('anonymous', { request: contextRequest }))).status
    }
    expect(await revalidateAnswer()).toBe(304)
    await ingest(world.as('system'), 'spots', [{ id: 'more', type: 'other', minutes: 5 }])
    expect(await revalidateAnswer()).toBe(200)
  })
})

describe('records that are not visible are never revealed', () => {
  const everyone = people.filter((person) => person !== 'system')

  test.each(everyone)('by a source that it names: %s', async (person) => {
    const { actor } = world.as(person)
    const wrong: string[] = []
    for (const [id, row] of rows) {
      const maySee = sourceSeenBy(row)(actor) && row.place_id === 'oakton'
      const joins = [{ alias: 'j', sourceId: id }]
      const questions: [string, Question][] = [
        [analytics, { joins, ...types() }],
        ['/places/oakton/sources/open/data', { joins }],
        ['/sources/open/analytics', { joins, ...types() }],
        ['/places/oakton/dataTypes/call/analytics', { joins, ...types() }],
      ]
      const isThorough = ['anonymous', 'stranger', 'member'].includes(person)
      for (const [path, question] of questions.slice(0, isThorough ? 4 : 2)) {
        const answer = await get(path, question, person)
        const isRevealed = JSON.stringify(answer.body).includes(`of ${id}"`)
        const isRight = maySee
          ? answer.status === 200 && isRevealed
          : refusals(answer)?.join() === 'joins,0,alias: Must be a defined join!' && !isRevealed
        if (!isRight) wrong.push(`${path} ${id}: ${answer.status}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test.each(everyone)('by a data type: %s', async (person) => {
    const { actor } = world.as(person)
    const mayRead = [...rows.values()].filter(
      (row) => row.dataTypeId === 'spot' && row.place_id === 'oakton' && sourceSeenBy(row)(actor),
    )
    const expected = ['shared', ...mayRead.map(({ id }) => `of ${String(id)}`)].sort()
    const { body } = await get(analytics, { joins: [{ alias: 'j', dataTypeId: 'spot' }], ...types() }, person)
    const visibleTypes = body.results.map(({ type }) => String(type)).filter((type) => type !== 'other')
    expect(visibleTypes.sort()).toEqual(expected)
  })

  test('`maxVisibility` restricts joins like everything else', async () => {
    const ask = (maxVisibility: string, sourceId: string) =>
      get(analytics, { joins: [{ alias: 'j', sourceId }], ...types(), maxVisibility }, 'organization_admin')
    expect((await ask('public', 'spots')).status).toBe(200)
    expect(refusals(await ask('public', 'inner-spots'))).toEqual(['joins,0,alias: Must be a defined join!'])
    expect((await ask('place', 'inner-spots')).status).toBe(200)
    expect((await ask('place', 'secret-spots')).status).toBe(400)
    const all = { joins: [{ alias: 'j', dataTypeId: 'spot' }], ...types(), maxVisibility: 'public' }
    expect(JSON.stringify((await get(analytics, all, 'organization_admin')).body)).not.toMatch(/inner|secret/)
  })

  test('unknown and invisible sources are rejected alike', async () => {
    const ask = (join: object) => get(analytics, { joins: [{ alias: 'j', ...join }], ...types() })
    const none = await ask({ sourceId: 'there-is-none' })
    expect(refusals(none)).toEqual(['joins,0,alias: Must be a defined join!'])
    for (const join of [
      { sourceId: 'secret' },
      { sourceId: 'far-open' },
      { dataTypeId: 'lamp' },
      { dataTypeId: 'none' },
    ]) {
      const { status, body } = await ask(join)
      expect({ status, fields: body.fields }).toEqual({ status: 400, fields: none.body.fields })
    }
    expect(refusals(await ask({ sourceId: 'spots', dataTypeId: 'call' }))).toHaveLength(1)
    expect(refusals(await ask({}))).toEqual(['joins,0: Must have a dataTypeId or a sourceId.'])
    expect(refusals(await ask({ sourceId: 5 }))).toEqual(['joins,0,sourceId: Must be a string.'])
  })
})

describe('records and joins', () => {
  const path = '/places/oakton/sources/open/data'

  test('the records of each join are listed below the requested ones, with one limit over all', async () => {
    const joins = [{ alias: 'spot', sourceId: 'spots', where: { 'data.type': { $like: '%s%' } } }]
    const { body } = await get(path, { joins, exclusions: 'data.id,geometry,createdAt', limit: 3 })
    expect(body.meta).toEqual({ results: 3 })
    expect(body.results.map(({ _alias, data }) => [_alias, data])).toEqual([
      [null, { type: 'shared', minutes: 1 }],
      [null, { type: 'of open', minutes: 100 }],
      ['spot', { type: 'shared', minutes: 1 }],
    ])
    expect(Object.keys(body.results[0] ?? {})).not.toContain('geometry')
    const next = await get(path, { joins, limit: 3, next: 'x' })
    expect(next.status).toBe(400)
  })

  test('are rejected by endpoints that cannot return them', async () => {
    const joins = [{ alias: 'spot', sourceId: 'spots' }]
    for (const [other, more] of [
      ['/places/oakton/sources/open/values', { field: 'data.type' }],
      ['/places/oakton/sources/open/data/cluster', { zoom: 3 }],
      ['/places/oakton/sources/open/export', { format: 'csv' }],
    ] as const)
      expect(refusals(await get(other, { ...more, joins }))).toEqual([
        'joins: Endpoint does not support joins.',
      ])
  })
})

describe('a saved question', () => {
  const insight = (visibility: string, join: object) => ({
    id: `joined-${crypto.randomUUID()}`,
    name: 'Joined',
    visibility,
    dataTypeId: 'call',
    sourceId: null,
    visualization: { type: 'table' },
    query: { joins: [{ alias: 'j', ...join }], ...types() },
  })
  const save = (visibility: string, join: object, person: Person = 'organization_admin') =>
    post('/insights', { ...insight(visibility, join), placeId: 'oakton' }, person)

  test('joins only what all its readers may see', async () => {
    expect(refusals(await save('public', { sourceId: 'inner-spots' }))).toEqual([
      'query,joins,0,sourceId: The source is place: an insight of it cannot be public.',
    ])
    expect((await save('place', { sourceId: 'secret-spots' })).status).toBe(400)
    expect(refusals(await save('public', { sourceId: 'far-open' }))).toEqual([
      'query,joins,0,alias: Must be a defined join!',
    ])
    expect((await save('public', { sourceId: 'spots' })).status).toBe(201)
    expect((await save('place', { sourceId: 'inner-spots' })).status).toBe(201)
    expect((await save('private', { sourceId: 'secret-spots' })).status).toBe(201)
  })

  test('of a data type gives every reader the same, computed again when the joined data change', async () => {
    const response = await save('public', { dataTypeId: 'spot' })
    const { id } = response.body as unknown as { id: string }
    const path = `/places/oakton/insights/${id}/analytics`
    const readResults = async (person: Person) => JSON.stringify((await get(path, {}, person)).body.results)
    const first = await readResults('organization_admin')
    expect(first).not.toMatch(/inner|secret/)
    expect([
      await readResults('anonymous'),
      await readResults('stranger'),
      await readResults('member'),
    ]).toEqual([first, first, first])
    await ingest(world.as('system'), 'inner-spots', [{ id: 'hidden', type: 'of nobody', minutes: 5 }])
    expect(await readResults('organization_admin')).toBe(first)
    await ingest(world.as('system'), 'spots', [{ id: 'new', type: 'new kind', minutes: 5 }])
    expect(await readResults('anonymous')).toContain('new kind')
    expect(await readResults('member')).toContain('new kind')
  })

  test('is rejected once a source of it is no longer visible to its readers, whoever asks', async () => {
    const response = await save('public', { sourceId: 'spots' })
    const path = `/places/oakton/insights/${(response.body as unknown as { id: string }).id}/analytics`
    expect((await get(path, {})).status).toBe(200)
    const { db } = world.as('system')
    const close = (visibility: 'private' | 'public') =>
      db.updateTable('source').set({ visibility }).where('id', '=', 'spots').execute()
    await close('private')
    expect([(await get(path, {})).status, (await get(path, {}, 'organization_admin')).status]).toEqual([
      400, 400,
    ])
    await close('public')
    expect((await get(path, {})).status).toBe(200)
  })
})

describe('a query over its limits', () => {
  test('too many rows are rejected with advice', async () => {
    const buildRows = (n: number) =>
      Array.from({ length: n }, (_, i) => ({ id: `many-${i}`, type: `t${i}`, minutes: i }))
    await ingest(world.as('system'), 'inner', buildRows(10_001))
    const question = {
      aggregations: [{ alias: 'type', value: field('data.type') }],
      groupings: [field('type')],
    }
    const path = '/places/oakton/sources/inner/analytics'
    const sentence =
      'The answer has more than 10,000 rows. Group by something coarser, filter, or set a limit of at most 10,000.'
    expect(refusals(await get(path, question, 'member'))).toEqual([`groupings: ${sentence}`])
    expect(refusals(await get(path, { ...question, limit: 20_000 }, 'member'))).toEqual([
      `limit: ${sentence}`,
    ])
    const cut = await get(path, { ...question, limit: 10_000 }, 'member')
    expect([cut.status, cut.body.results.length]).toEqual([200, 10_000])
  })
})
