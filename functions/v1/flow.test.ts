import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { v1 } from './index.ts'
import { serveV1 } from './serve.ts'
import { call } from '#functions/api/call.ts'
import { refreshAnswers } from '#functions/domain/insight/refresh.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
  await ingest(world.as('system'), 'open', [record('a', 5), record('b', 15)])
  await ingest(world.as('system'), 'inner', [record('a', 100)])
})
afterAll(() => world.close())

const record = (id: string, minutes: number) => ({
  id,
  type: 'Noise',
  minutes,
  receivedAt: '2026-01-01T00:00:00Z',
})
const params = { placeId: 'oakton' }
const sum = {
  aggregations: [{ alias: 'total', value: { function: 'sum', arguments: [{ field: 'data.minutes' }] } }],
}
const question = {
  name: 'Minutes',
  dataTypeId: 'call',
  query: sum,
  visualization: { type: 'number' as const },
}
const get = async (person: Person, path: string) => {
  const response = await serveV1(new Request(`http://localhost:8787/v1${path}`), world.as(person))
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('an insight', () => {
  test('may query only what everyone who sees it may see', async () => {
    const admin = world.as('organization_admin')
    for (const [id, visibility, total] of [
      ['public-sum', 'public', 20],
      ['place-sum', 'place', 120],
    ] as const) {
      const insight = await call(v1.insight.create, admin, { data: { ...question, id, visibility } })
      expect(insight).toMatchObject({ id, version: 1, output: { schema: { total: { type: 'number' } } } })
      const answer = await call(v1.place.insight.analytics, world.as('viewer'), {
        params: { ...params, insightId: id },
      })
      expect(answer).toMatchObject({
        results: [{ total }],
        meta: { results: 1, total: 1, timeZone: 'America/New_York' },
      })
    }
    expect(await get('anonymous', '/places/oakton/insights/public-sum/analytics')).toMatchObject({
      status: 200,
      body: { results: [{ total: 20 }] },
    })
    expect(await get('anonymous', '/places/oakton/insights/place-sum/analytics')).toMatchObject({
      status: 404,
    })
  })

  test('is served from the cache until the data changes', async () => {
    const answer = async () =>
      (
        await call(v1.place.insight.analytics, world.as('viewer'), {
          params: { ...params, insightId: 'public-sum' },
        })
      ).results
    const { db } = world.as('system')
    await db
      .updateTable('insightResult')
      .set({ rows: JSON.stringify([{ total: -1 }]) })
      .where('insightId', '=', 'public-sum')
      .execute()
    expect(await answer()).toEqual([{ total: -1 }])
    await ingest(world.as('system'), 'open', [record('c', 1)])
    expect(await answer()).toEqual([{ total: 21 }])
  })

  test('is refreshed after new data; a failing one does not block others', async () => {
    const system = world.as('system')
    const invalidQuery = JSON.stringify({ aggregations: [{ alias: 'x', value: { function: 'nope' } }] })
    await system.db.updateTable('insight').set({ query: invalidQuery }).where('id', '=', 'calls').execute()
    await ingest(system, 'open', [record('c', 1)], { mode: 'append' })
    await system.db.deleteFrom('insightResult').where('placeId', '=', 'oakton').execute()
    expect(await refreshAnswers(system, 'oakton')).toBe(3)
    expect(system.reported).toHaveLength(1)
    const storedRows = await system.db
      .selectFrom('insightResult')
      .select(['insightId', 'rows'])
      .orderBy('insightId')
      .execute()
    expect(storedRows).toEqual([
      { insightId: 'inner-calls', rows: [{ total: 4 }] },
      { insightId: 'place-sum', rows: [{ total: 121 }] },
      { insightId: 'public-sum', rows: [{ total: 21 }] },
    ])
  })

  test('can be filtered further by a reader, and nothing else', async () => {
    const path = '/places/oakton/insights/public-sum/analytics'
    expect(await get('anonymous', `${path}?filters[data.minutes][$lt]=10`)).toMatchObject({
      body: { results: [{ total: 6 }] },
    })
    expect(await get('anonymous', `${path}?aggregations[0][alias]=x`)).toMatchObject({ status: 400 })
    expect(await get('anonymous', `${path}?filters[nope]=1`)).toMatchObject({ status: 400 })
  })

  test('cannot be saved if its query fails; the path says where', async () => {
    const query = { aggregations: [{ alias: 'x', value: { function: 'nope' } }] }
    const insightPromise = call(v1.insight.create, world.as('organization_admin'), {
      data: { ...question, query },
    })
    await expect(insightPromise).rejects.toMatchObject({ kind: 'invalid' })
    const issues = await insightPromise.catch((failure: { issues: { path: unknown[] }[] }) => failure.issues)
    expect((issues as { path: unknown[] }[])[0]?.path.slice(0, 3)).toEqual(['query', 'aggregations', 0])
  })

  test('cannot be more visible than its source', async () => {
    const data = { ...question, visibility: 'public', sourceId: 'inner' }
    await expect(call(v1.insight.create, world.as('organization_admin'), { data })).rejects.toMatchObject({
      kind: 'invalid',
      issues: [{ path: ['sourceId'] }],
    })
  })

  test('keeps its position in a collection until it is removed', async () => {
    const admin = world.as('content_admin')
    const entry = { ...params, collectionId: 'best', insightId: 'public-sum' }
    await call(v1.place.collection.insight.updateById, admin, {
      params: entry,
      data: { position: 3, notes: 'look' },
    })
    await call(v1.place.collection.insight.updateById, admin, {
      params: { ...entry, insightId: 'place-sum' },
      data: {},
    })
    const readCollection = async (person: Person) =>
      (await call(v1.place.collection.findById, world.as(person), {
        params: { ...params, collectionId: 'best' },
        options: { includes: ['insights'] },
      })) as unknown as { insights: { id: string; position: number }[] }
    expect((await readCollection('viewer')).insights.map(({ id, position }) => [id, position])).toEqual([
      ['public-sum', 3],
      ['place-sum', 4],
    ])
    expect((await readCollection('anonymous')).insights.map(({ id }) => id)).toEqual(['public-sum'])
    await call(v1.place.collection.insight.updateById, admin, { params: entry, data: { removed: true } })
    expect((await readCollection('viewer')).insights.map(({ id }) => id)).toEqual(['place-sum'])
  })
})

describe('queries of the hub', () => {
  test('data types with their public sources of this place', async () => {
    const query =
      'maxVisibility=public&includes[0][resource]=sources&includes[0][attributes][0]=id&includes[0][attributes][1]=name' +
      '&includes[0][filters][placeId]=oakton&includes[0][filters][visibility]=public'
    const { status, body } = await get('anonymous', `/places/oakton/dataTypes?${query}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      results: [{ id: 'call', sources: [{ id: 'open', name: 'open' }] }],
      meta: { total: 1 },
    })
  })

  test('the number of public sources', async () => {
    expect(
      await get('organization_admin', '/places/oakton/sources?maxVisibility=public&limit=1'),
    ).toMatchObject({
      body: { meta: { results: 1, total: 1 } },
    })
  })

  test('published stories that match', async () => {
    const filters =
      'filters[0][publish]=published&filters[1][$or][0][type]=blank&filters[1][$or][1][type]=storytelling'
    const { body } = await get('viewer', `/places/oakton/pages?search=sto&visibility=public&${filters}`)
    expect(body).toMatchObject({ results: [{ id: 'story' }], meta: { total: 1 } })
  })

  test('a story with its contents', async () => {
    const { body } = await get('anonymous', '/places/oakton/pages/story?includes=contents')
    expect(body).toMatchObject({ contents: [{ id: 'hello', settings: { html: '<p>Hello</p>' } }] })
  })
})
