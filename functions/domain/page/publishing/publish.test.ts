import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { call } from '#functions/api/call.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'
import { listHiddenParts } from './hidden-parts.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const { page, insight, source } = v1.place
const place = { placeId: 'oakton' }
let pages = 0
let id = ''
const params = () => ({ ...place, pageId: id })

beforeEach(async () => {
  id = `told-${(pages += 1)}`
  await call(page.create, world.as('content_admin'), {
    params: place,
    data: { id, title: 'Calls', type: 'storytelling', visibility: 'public' },
  })
  const { db } = world.as('system')
  await db.updateTable('insight').set({ visibility: 'place' }).where('id', '=', 'inner-calls').execute()
  await db.updateTable('source').set({ visibility: 'place' }).where('id', '=', 'inner').execute()
})

const add = (kind: 'insight' | 'image' | 'text', settings: Record<string, unknown>, part = 'part') =>
  call(page.content.create, world.as('content_admin'), {
    params: params(),
    data: { id: `${id}-${part}`, kind, settings },
  })
const patch = (data: Record<string, unknown>, person: Person = 'content_admin') =>
  call(page.updateById, world.as(person), { params: params(), data: data as { publish: 'published' } })
const publish = (data?: { hidden: 'leaveOut' | 'makePublic' }, person: Person = 'content_admin') =>
  call(page.publish, world.as(person), { params: params(), data })
const now = () => call(page.findById, world.as('content_admin'), { params: params() })
const visibilities = async () => [
  (
    await call(insight.findById, world.as('content_admin'), {
      params: { ...place, insightId: 'inner-calls' },
    })
  ).visibility,
  (await call(source.findById, world.as('content_admin'), { params: { ...place, sourceId: 'inner' } }))
    .visibility,
]

describe('a page with something that not everyone may see', () => {
  test('is not published for everyone silently: each item is named with its block, and nothing changed', async () => {
    await add('insight', { insightId: 'calls' }, 'open')
    await add('insight', { insightId: 'inner-calls' })
    const issues = [
      {
        path: ['contents', `${id}-part`],
        validator: 'visibility',
        value: { type: 'insight', id: 'inner-calls' },
      },
      { path: ['contents', `${id}-part`], validator: 'visibility', value: { type: 'source', id: 'inner' } },
    ]
    await expect(publish()).rejects.toMatchObject({ kind: 'invalid', issues })
    await expect(patch({ publish: 'published' })).rejects.toMatchObject({ kind: 'invalid', issues })
    expect(await now()).toMatchObject({ publish: 'draft', version: 1 })
    expect(await visibilities()).toEqual(['place', 'place'])
  })

  test('is published without it on request, and its authors are told while that lasts', async () => {
    await add('insight', { insightId: 'inner-calls' })
    expect(await publish({ hidden: 'leaveOut' })).toMatchObject({ publish: 'published' })
    expect(await visibilities()).toEqual(['place', 'place'])
  })

  test('is published with it in one step, with an activity entry for each item made public', async () => {
    await add('insight', { insightId: 'inner-calls' })
    expect(await publish({ hidden: 'makePublic' }, 'organization_admin')).toMatchObject({
      publish: 'published',
    })
    expect(await visibilities()).toEqual(['public', 'public'])
    const lines = await world
      .as('system')
      .db.selectFrom('activity')
      .select(['verb', 'targetType', 'targetId'])
      .orderBy('at', 'desc')
      .execute()
    for (const [verb, targetType, targetId] of [
      ['updated', 'insight', 'inner-calls'],
      ['updated', 'source', 'inner'],
      ['published', 'page', id],
    ])
      expect(lines).toContainEqual({ verb, targetType, targetId })
    const answer = await call(insight.analytics, world.as('anonymous'), {
      params: { ...place, insightId: 'inner-calls' },
      options: {},
    })
    expect(answer.results).toHaveLength(1)
  })

  test('may show it when published to the organization, until it is opened to everyone', async () => {
    await add('insight', { insightId: 'inner-calls' })
    expect(await patch({ publish: 'published', visibility: 'place' })).toMatchObject({ publish: 'published' })
    await expect(patch({ visibility: 'public' })).rejects.toMatchObject({ kind: 'invalid' })
    expect(await patch({ visibility: 'public', hidden: 'leaveOut' })).toMatchObject({ visibility: 'public' })
    // A page that is already public is saved as before.
    expect(await patch({ title: 'More calls' })).toMatchObject({ title: 'More calls' })
  })

  test('gives the same answer for an invisible item as for a missing one, and makes it public for nobody', async () => {
    await world
      .as('system')
      .db.insertInto('insight')
      .values({
        ...{ id: 'own-calls', placeId: 'oakton', name: 'My calls', dataTypeId: 'call', sourceId: null },
        ...{ visibility: 'private', createdBy: null, visualization: '{"type":"number"}', query: '{}' },
        ...{ createdAt: new Date(), updatedAt: new Date() },
      })
      .execute()
    const findHiddenParts = (insightId: string) =>
      listHiddenParts(world.as('viewer'), world.as('viewer').db, 'oakton', [
        { id: 'a', kind: 'insight', settings: { insightId } },
      ])
    const [unseen] = await findHiddenParts('own-calls')
    expect(unseen).toEqual({ ...(await findHiddenParts('never-was'))[0], id: 'own-calls' })
    expect(unseen).toMatchObject({ name: null, visibility: null })
    await add('insight', { insightId: 'never-was' })
    await expect(publish({ hidden: 'makePublic' })).rejects.toMatchObject({ kind: 'invalid' })
    expect(await now()).toMatchObject({ publish: 'draft' })
  })

  test('a person without the right is told who may, and nothing is done partly', async () => {
    await add('insight', { insightId: 'inner-calls' })
    await expect(publish({ hidden: 'makePublic' })).rejects.toMatchObject({
      kind: 'forbidden',
      message: expect.stringMatching(/may not change insights.*Organization admin/),
    })
    expect(await visibilities()).toEqual(['place', 'place'])
    expect(await now()).toMatchObject({ publish: 'draft', visibility: 'public' })
  })

  test('a person who may change insights but not sources makes neither public', async () => {
    await add('insight', { insightId: 'inner-calls' })
    const { db } = world.as('system')
    const right = { roleId: 'organization_admin', operationId: 'source.update' }
    await db
      .deleteFrom('roleOperation')
      .where('roleId', '=', right.roleId)
      .where('operationId', '=', right.operationId)
      .execute()
    try {
      await expect(publish({ hidden: 'makePublic' }, 'organization_admin')).rejects.toMatchObject({
        kind: 'forbidden',
        message: expect.stringMatching(/may not change sources/),
      })
    } finally {
      await db.insertInto('roleOperation').values(right).execute()
    }
    expect(await visibilities()).toEqual(['place', 'place'])
    expect(await now()).toMatchObject({ publish: 'draft' })
  })
})

describe('a page with barriers for some readers', () => {
  test('is rejected by every way of publishing, with its blocks', async () => {
    await add('image', { url: '/m/picture' })
    await add('text', { html: '<p><img src="/m/a"></p>' }, 'text')
    const issues = [
      {
        path: ['contents', `${id}-part`],
        validator: 'accessibility',
        message: expect.stringContaining('describe'),
      },
      { path: ['contents', `${id}-text`], validator: 'accessibility' },
    ]
    await expect(publish()).rejects.toMatchObject({ kind: 'invalid', issues })
    await expect(patch({ publish: 'published' })).rejects.toMatchObject({ kind: 'invalid', issues })
    await call(page.content.updateById, world.as('content_admin'), {
      params: { ...params(), contentId: `${id}-part` },
      data: { settings: { url: '/m/picture', alt: '' } },
    })
    await call(page.content.deleteById, world.as('content_admin'), {
      params: { ...params(), contentId: `${id}-text` },
    })
    expect(await publish()).toMatchObject({ publish: 'published' })
  })
})
