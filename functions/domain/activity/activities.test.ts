import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sweepActivities } from './activities.ts'
import { call, type CallInput } from '#functions/api/call.ts'
import { requireConforming } from '#functions/api/conform.ts'
import type { Endpoint } from '#functions/api/endpoint.ts'
import { routes } from '#functions/api/routes.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { asWithReason } from '#functions/v1/testing/with-reason.testing.ts'
import { openWorld, type TestWorld, type Person, type TestContext } from '#db/worlds/world.ts'

let world: TestWorld
/** One connection a person, however often they ask. */
const people = new Map<Person, TestContext>()
function openContext(person: Person): TestContext {
  const context = people.get(person) ?? world.as(person)
  people.set(person, context)
  return context
}

beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const params = { placeId: 'oakton' }
const trail = async (limit = 100) => {
  const page = await call(v1.place.activity.find, openContext('viewer'), { params, options: { limit } })
  requireConforming({ name: 'find', endpoint: v1.place.activity.find }, page)
  return page.results
}

const record = (type: string) => ({ type, minutes: 1, receivedAt: '2026-01-01T00:00:00Z' })
const insight = {
  dataTypeId: 'call',
  query: { aggregations: [{ alias: 'total', value: { function: 'count' } }] },
  visualization: { type: 'number' },
}

/** One call of every endpoint that writes a noun of these, in order, and the line it must leave. */
const steps: [name: string, input: CallInput, line: object][] = [
  ['place.updateById', { params, data: { description: 'x' } }, { verb: 'updated', targetType: 'place' }],
  [
    'place.source.create',
    { params, data: { id: 's1', name: 'S', dataTypeId: 'call' } },
    { verb: 'created', targetId: 's1', targetName: 'S' },
  ],
  [
    'place.source.updateById',
    { params: { ...params, sourceId: 's1' }, data: { name: 'S1' } },
    { verb: 'updated', targetName: 'S1' },
  ],
  [
    'source.create',
    { data: { id: 's2', name: 'S2', dataTypeId: 'call', placeId: 'oakton' } },
    { verb: 'created', targetId: 's2' },
  ],
  [
    'source.updateById',
    { params: { sourceId: 's2' }, data: { notes: 'n' } },
    { verb: 'updated', targetId: 's2' },
  ],
  [
    'source.datum.create',
    { params: { sourceId: 's1' }, data: [record('a'), record('b')] },
    {
      verb: 'updated',
      targetType: 'source',
      targetName: 'S1',
      counts: { created: 2, updated: 0, removed: 0 },
    },
  ],
  [
    'source.datum.updateById',
    { params: { sourceId: 's1', datumId: '1' }, data: { minutes: 5 } },
    { verb: 'updated', counts: { created: 0, updated: 1, removed: 0 } },
  ],
  [
    'source.datum.deleteById',
    { params: { sourceId: 's1', datumId: '1' } },
    { verb: 'updated', counts: { created: 0, updated: 0, removed: 1 } },
  ],
  [
    'source.datum.deleteMany',
    { params: { sourceId: 's1' }, data: { ids: ['2', '999'] } },
    { verb: 'updated', counts: { created: 0, updated: 0, removed: 1 } },
  ],
  [
    'source.datum.create',
    { params: { sourceId: 's1' }, data: record('c') },
    { verb: 'updated', counts: { created: 1, updated: 0, removed: 0 } },
  ],
  [
    'source.wipe',
    { params: { sourceId: 's1' } },
    { verb: 'wiped', counts: { created: 0, updated: 0, removed: 1 } },
  ],
  [
    'place.source.deleteById',
    { params: { ...params, sourceId: 's1' } },
    { verb: 'deleted', targetId: 's1', counts: null },
  ],
  ['place.source.restore', { params: { ...params, sourceId: 's1' } }, { verb: 'restored', targetId: 's1' }],
  ['source.deleteById', { params: { sourceId: 's2' } }, { verb: 'deleted', targetId: 's2' }],
  [
    'dataType.create',
    { data: { id: 'd1', name: 'D', ownerPlaceId: 'oakton', schema: { a: { name: 'A', type: 'text' } } } },
    { verb: 'created', targetType: 'dataType' },
  ],
  [
    'dataType.updateById',
    { params: { dataTypeId: 'd1' }, data: { notes: 'n' } },
    { verb: 'updated', targetType: 'dataType' },
  ],
  [
    'dataType.schema',
    {
      params: { dataTypeId: 'd1' },
      data: { schema: { b: { name: 'B', type: 'text' } }, renames: { a: 'b' } },
    },
    { verb: 'updated', targetType: 'dataType' },
  ],
  ['dataType.deleteById', { params: { dataTypeId: 'd1' } }, { verb: 'deleted', targetType: 'dataType' }],
  [
    'place.dataType.restore',
    { params: { ...params, dataTypeId: 'd1' } },
    { verb: 'restored', targetId: 'd1' },
  ],
  [
    'insight.create',
    { data: { id: 'i1', name: 'I', placeId: 'oakton', ...insight } },
    { verb: 'created', targetType: 'insight' },
  ],
  [
    'insight.updateById',
    { params: { insightId: 'i1' }, data: { notes: 'n' } },
    { verb: 'updated', targetType: 'insight' },
  ],
  [
    'place.collection.create',
    { params, data: { id: 'c1', name: 'C' } },
    { verb: 'created', targetType: 'collection' },
  ],
  [
    'place.collection.updateById',
    { params: { ...params, collectionId: 'c1' }, data: { notes: 'n' } },
    { verb: 'updated' },
  ],
  [
    'place.collection.insight.updateById',
    { params: { ...params, collectionId: 'c1', insightId: 'i1' }, data: {} },
    { verb: 'updated', targetType: 'collection', targetId: 'c1' },
  ],
  [
    'place.collection.text.create',
    { params: { ...params, collectionId: 'c1' }, data: { id: 'x1', title: 'X', html: 'x' } },
    { verb: 'created', targetType: 'text', targetId: 'x1', targetName: 'X' },
  ],
  [
    'place.collection.text.updateById',
    { params: { ...params, collectionId: 'c1', textId: 'x1' }, data: { title: 'X1' } },
    { verb: 'updated', targetType: 'text', targetName: 'X1' },
  ],
  [
    'place.collection.text.deleteById',
    { params: { ...params, collectionId: 'c1', textId: 'x1' } },
    { verb: 'deleted', targetType: 'text' },
  ],
  ['place.collection.deleteById', { params: { ...params, collectionId: 'c1' } }, { verb: 'deleted' }],
  ['place.collection.restore', { params: { ...params, collectionId: 'c1' } }, { verb: 'restored' }],
  ['insight.deleteById', { params: { insightId: 'i1' } }, { verb: 'deleted', targetType: 'insight' }],
  ['place.insight.restore', { params: { ...params, insightId: 'i1' } }, { verb: 'restored', targetId: 'i1' }],
  [
    'place.page.create',
    { params, data: { id: 'p1', title: 'P', type: 'storytelling' } },
    { verb: 'created', targetType: 'page' },
  ],
  [
    'place.page.updateById',
    { params: { ...params, pageId: 'p1' }, data: { title: 'P1' } },
    { verb: 'updated', targetName: 'P1' },
  ],
  ['place.page.publish', { params: { ...params, pageId: 'p1' } }, { verb: 'published' }],
  [
    'place.page.content.create',
    { params: { ...params, pageId: 'p1' }, data: { id: 't1', kind: 'text', settings: { html: 'x' } } },
    { verb: 'created', targetType: 'content', targetId: 't1', targetName: 'P1' },
  ],
  [
    'place.page.content.updateById',
    { params: { ...params, pageId: 'p1', contentId: 't1' }, data: { settings: { html: 'y' } } },
    { verb: 'updated', targetType: 'content' },
  ],
  [
    'place.page.content.deleteById',
    { params: { ...params, pageId: 'p1', contentId: 't1' } },
    { verb: 'deleted', targetType: 'content' },
  ],
  [
    'place.content.create',
    { params, data: { id: 't2', pageId: 'p1', kind: 'text', settings: { html: 'x' } } },
    { verb: 'created', targetId: 't2' },
  ],
  [
    'place.content.updateById',
    { params: { ...params, contentId: 't2' }, data: { settings: { html: 'y' } } },
    { verb: 'updated', targetId: 't2' },
  ],
  [
    'place.content.deleteById',
    { params: { ...params, contentId: 't2' } },
    { verb: 'deleted', targetId: 't2' },
  ],
  [
    'place.source.saveCustomFields',
    { params, data: { fields: [{ key: 'method', title: 'How', kind: 'text' }] } },
    { verb: 'updated', targetType: 'place' },
  ],
  ['place.page.deleteById', { params: { ...params, pageId: 'p1' } }, { verb: 'deleted', targetType: 'page' }],
  ['place.page.restore', { params: { ...params, pageId: 'p1' } }, { verb: 'restored', targetType: 'page' }],
]

const endpoints = new Map(routes(v1).map(({ name, endpoint }) => [name, endpoint]))

describe('the activity log', () => {
  test.each(steps)('%s writes exactly one entry', async (name, input, line) => {
    const endpoint = endpoints.get(name) as Endpoint
    const before = await trail()
    await call(endpoint, openContext('organization_admin'), input)
    const after = await trail()
    expect(after).toHaveLength(before.length + 1)
    expect(after[0]).toMatchObject({
      actorId: 'organization_admin',
      actorName: 'organization_admin',
      ...line,
    })
  })

  test('every writing endpoint of these nouns is tested above', () => {
    const own = 'place|source|dataType|insight'
    const below =
      'source.datum|place.(?:source|page|page.content|content|collection|collection.insight|collection.text|dataType)'
    const nouns = new RegExp(`^(?:${own}|${below})\\.[a-zA-Z]+$`)
    // These endpoints store nothing.
    const asks = /\.(validate|test|swagger)$/
    const endpointNames = routes(v1)
      .filter(({ name, method }) => method !== 'get' && nouns.test(name) && !asks.test(name))
      .map(({ name }) => name)
    const testedNames = new Set(steps.map(([name]) => name))
    // Retrying pending work changes nothing in the place. Single sign-on needs a provider: its entries are
    // tested in functions/domain/identity/sso/sso.test.ts, those of creating a place in
    // functions/domain/place-request, and those of closing and reopening one in
    // functions/domain/place/closing.test.ts. A dry run of an archive is rolled back; the entry of an import
    // is written in functions/domain/archive/import.ts, those of its review are tested in
    // functions/v1/import-review.test.ts. Sample data are created and deleted by the functions of their nouns,
    // each with its entry.
    const elsewhere = [
      ...['place.publishHub', 'place.saveSso', 'place.removeSso', 'place.start'],
      ...['place.close', 'place.reopen', 'place.tryArchive', 'place.importArchive'],
      ...['place.trySwitchOn', 'place.switchOn', 'place.finishImportReview'],
      ...['place.addSample', 'place.removeSample', 'place.create'],
    ]
    expect(endpointNames.filter((name) => !testedNames.has(name))).toEqual(elsewhere)
  })

  test('writes no entry when nothing changed', async () => {
    const before = await trail()
    await call(v1.source.wipe, openContext('content_admin'), { params: { sourceId: 'open' } })
    expect(await trail()).toHaveLength(before.length)
  })
})

describe('an entry', () => {
  const hideEntry = (
    activityId: string,
    person: 'organization_admin' | 'content_admin' | 'stranger' = 'organization_admin',
  ) => call(v1.place.activity.deleteById, openContext(person), { params: { ...params, activityId } })

  test('is hidden for everyone in the place, and stays in the table', async () => {
    const { total } = (await call(v1.place.activity.find, openContext('viewer'), { params })).meta
    await expect(hideEntry('line', 'content_admin')).rejects.toMatchObject({ kind: 'forbidden' })
    await expect(hideEntry('line', 'stranger')).rejects.toMatchObject({ kind: 'notFound' })
    expect(await hideEntry('line')).toEqual({ id: 'line' })
    await expect(hideEntry('line')).rejects.toMatchObject({ kind: 'notFound' })
    await expect(hideEntry('far-line')).rejects.toMatchObject({ kind: 'notFound' })
    const page = await call(v1.place.activity.find, openContext('organization_admin'), { params })
    expect(page.meta.total).toBe(total - 1)
    expect(page.results.map(({ id }) => id)).not.toContain('line')
    const storedRows = await openContext('system')
      .db.selectFrom('activity')
      .select('id')
      .where('id', '=', 'line')
      .execute()
    expect(storedRows).toEqual([{ id: 'line' }])
  })

  test('cannot be changed or deleted through the application', async () => {
    for (const person of ['organization_admin', 'super_admin', 'system'] as const) {
      const { db } = openContext(person)
      await expect(db.deleteFrom('activity').execute()).rejects.toThrow(/permission denied/)
      await expect(db.updateTable('activity').set({ verb: 'x' }).execute()).rejects.toThrow(
        /permission denied/,
      )
    }
    await expect(sql`select sweep_activity()`.execute(openContext('organization_admin').db)).rejects.toThrow(
      /only the product/,
    )
  })

  test('is deleted after one year, hidden or not, and no sooner', async () => {
    const system = openContext('system')
    const getPastDate = (days: number) => new Date(Date.now() - days * 86_400_000)
    const line = { placeId: 'oakton', actorId: null, verb: 'created', targetType: 'source', targetId: 'x' }
    await system.db
      .insertInto('activity')
      .values([
        { id: 'old', at: getPastDate(367), ...line },
        { id: 'old-hidden', at: getPastDate(400), ...line },
        { id: 'younger', at: getPastDate(364), ...line },
      ])
      .execute()
    await hideEntry('old-hidden')
    expect(await sweepActivities(system)).toBe(2)
    const left = await system.db.selectFrom('activity').select('id').where('targetId', '=', 'x').execute()
    expect(left).toEqual([{ id: 'younger' }])
  })
})

test('an entry about something private is shown to those who may see it, even after its deletion', async () => {
  const admin = openContext('organization_admin')
  const secret = { placeId: 'oakton', pageId: 'secret-page' }
  await call(v1.place.page.updateById, admin, { params: secret, data: { title: 'Dismissals' } })
  await call(v1.place.page.content.deleteById, admin, { params: { ...secret, contentId: 'hidden' } })
  await call(v1.place.source.updateById, admin, {
    params: { placeId: 'oakton', sourceId: 'mine' },
    data: { notes: 'n' },
  })
  await call(v1.place.page.deleteById, admin, { params: secret })
  const reasons = { placeId: 'oakton', collectionId: 'reasons', textId: 'why' }
  const isPrivate = { id: 'reasons', name: 'Reasons', visibility: 'private' as const }
  await call(v1.place.collection.create, admin, { params, data: isPrivate })
  await call(v1.place.collection.text.create, admin, {
    params: reasons,
    data: { id: 'why', title: 'Why they go' },
  })
  await call(v1.place.collection.text.deleteById, admin, { params: reasons })
  await call(v1.place.collection.deleteById, admin, { params: reasons })
  const feed = await call(v1.source.importer.create, admin, {
    params: { sourceId: 'mine' },
    data: {
      name: 'Payroll',
      sources: [{ url: 'https://data.example.org/pay.csv', parser: 'csv' }],
      mapping: {},
    },
  })
  const feedParams = { sourceId: 'mine', importerId: feed.id }
  await call(v1.source.importer.run, admin, { params: feedParams, options: {} })
  const { results: runs } = await call(v1.source.importer.job.find, admin, { params: feedParams })
  const targets = async (person: Person) => {
    const { results } = await call(v1.place.activity.find, openContext(person), {
      params,
      options: { limit: 500 },
    })
    return new Set(results.map(({ targetId }) => targetId))
  }
  const [seenByAdmin, seenByMember, seenByViewer] = await Promise.all(
    (['content_admin', 'member', 'viewer'] as const).map(targets),
  )
  expect(runs).toHaveLength(1)
  for (const id of ['secret-page', 'hidden', 'reasons', 'why', 'mine', feed.id, ...runs.map(({ id }) => id)])
    expect([id, seenByAdmin?.has(id), seenByViewer?.has(id)]).toEqual([id, true, false])
  // Its maker sees it.
  expect([seenByMember?.has('mine'), seenByMember?.has('secret-page')]).toEqual([true, false])
})

test('an unknown place or boundary is rejected by its name', async () => {
  const nowhere = { data: { ...insight, name: 'Calls', placeId: 'nowhere' } }
  await expect(call(v1.insight.create, openContext('super_admin'), nowhere)).rejects.toMatchObject({
    kind: 'invalid',
    issues: [{ path: ['placeId'] }],
  })
  const data = { id: 'ashford', name: 'Ashford', boundaryId: 'nowhere' }
  await expect(call(v1.place.create, openContext('super_admin'), { data })).rejects.toMatchObject({
    kind: 'invalid',
    issues: [{ path: ['boundaryId'] }],
  })
  const change = { params, data: { boundaryId: 'nowhere' } }
  await expect(call(v1.place.updateById, openContext('organization_admin'), change)).rejects.toMatchObject({
    kind: 'invalid',
    issues: [{ path: ['boundaryId'] }],
  })
})

test('names a key only to those who may see the keys of the place', async () => {
  const key = await call(v1.source.key.create, openContext('content_admin'), {
    params: { sourceId: 'open' },
    data: { name: 'Payroll robot' },
  })
  const namesTo = async (person: Person) => {
    const options = { filters: { targetId: key.id } }
    const { results } = await call(v1.place.activity.find, openContext(person), { params, options })
    return results.map(({ verb, targetName }) => [verb, targetName])
  }
  for (const person of ['content_admin', 'organization_admin', 'super_admin'] as const)
    expect([person, await namesTo(person)]).toEqual([person, [['created', 'Payroll robot']]])
  people.set('support', await asWithReason(world, 'support'))
  for (const person of ['viewer', 'member', 'support'] as const)
    expect([person, await namesTo(person)]).toEqual([person, [['created', '']]])
})

test('the people of the log are those whose entries one sees, also after they left the organization', async () => {
  const { db } = openContext('system')
  const entry = (actorId: string, targetType: string, targetId: string, placeId = 'oakton') => ({
    ...{ id: `of ${actorId} ${targetId}`, verb: 'updated', targetType, targetId, targetName: 'A', placeId },
    ...{ actorId, at: new Date() },
  })
  const user = (id: string, name: string) => ({
    ...{
      id,
      name,
      email: `${id}@example.com`,
      image: null,
      emailVerified: true,
      role: null,
      onboarding: '{}',
    },
  })
  await db
    .insertInto('user')
    .values([
      user('left-10', 'Walker 10'),
      user('left-9', 'walker 9'),
      user('far', 'Far'),
      user('put', 'Put'),
    ])
    .execute()
  await db
    .insertInto('activity')
    .values([
      entry('left-10', 'source', 'open'),
      entry('left-9', 'source', 'secret'),
      entry('far', 'source', 'far-open', 'elmsford'),
      entry('put', 'source', 'open'),
    ])
    .execute()
  await call(v1.place.activity.deleteById, openContext('organization_admin'), {
    params: { ...params, activityId: 'of put open' },
  })
  const walkers = async (person: Person) => {
    const { results } = await call(v1.place.activity.actors, openContext(person), { params })
    return results.map(({ name }) => name).filter((name) => /walker|far|put/i.test(name))
  }
  expect(await walkers('organization_admin')).toEqual(['walker 9', 'Walker 10'])
  // Only administrators see what concerns a private source of nobody.
  expect(await walkers('viewer')).toEqual(['Walker 10'])
  await expect(call(v1.place.activity.actors, openContext('stranger'), { params })).rejects.toMatchObject({
    kind: 'notFound',
  })
})
