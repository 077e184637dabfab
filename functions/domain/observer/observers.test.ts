import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as alerts from '#functions/domain/alert/alerts.ts'
import * as observers from './observers.ts'
import { analytics, exportData } from './observers-data.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { decrypt } from '#functions/domain/secrets/encrypt.ts'
import type { NewObserver } from '#functions/shapes/observer.ts'
import { city } from '#db/worlds/city.ts'
import { asReader } from '#functions/v1/testing/with-reason.testing.ts'
import { openWorld, settings, type TestWorld } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
  const ctx = world.as('system')
  const calls = (type: string, count: number) =>
    Array.from({ length: count }, (_, i) => ({ type, minutes: i }))
  await ingest(ctx, 'open', [...calls('noise', 4), ...calls('fire', 2)])
  await ingest(ctx, 'inner', calls('noise', 3))
  await ingest(ctx, 'secret', calls('canary', 9))
  await ingest(ctx, 'far-open', calls('far', 5))
})
afterAll(() => world.close())

const admin = () => world.as('organization_admin')
const buildRequest = <Data, Options = object>(
  ids: Record<string, string>,
  data: Data,
  options = {} as Options,
) => ({
  params: { placeId: 'oakton', ...ids },
  options,
  data,
  placeId: 'oakton',
})
const count = { function: 'count' }
const body = (changes: Partial<NewObserver> = {}): NewObserver => ({
  name: 'Noise',
  dataTypeId: 'call',
  condition: { operator: 'gt', aggregation: count, value: 5 },
  filters: { 'data.type': 'noise' },
  ...changes,
})
const createObserver = async (changes: Partial<NewObserver> = {}) => {
  const observer = await observers.create(admin(), buildRequest({}, body(changes)))
  if (!observer) throw new Error('Nothing was made.')
  return observer
}

describe('an observer', () => {
  test('is created with the defaults; its secret is shown once and stored encrypted', async () => {
    const { secret, ...observer } = await createObserver()
    expect(observer).toMatchObject({
      placeId: 'oakton',
      dataTypeId: 'call',
      sourceId: null,
      schedule: 'onData',
      cooldown: null,
      channels: [],
      recipients: [],
      enabled: true,
      isCrossed: false,
      evaluatedAt: null,
      unreadCount: 0,
      version: 1,
    })
    expect(secret).toMatch(/^whsec_[\w+/=]{44}$/)
    const { id } = observer
    const row = await world
      .as('system')
      .db.selectFrom('observer')
      .select('secret')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.secret).not.toContain(secret)
    expect(await decrypt(settings, { purpose: 'observer', id }, row.secret ?? '')).toBe(secret)
    const answers = [
      await observers.findById(admin(), buildRequest({ observerId: id }, undefined)),
      await observers.find(admin(), buildRequest({}, undefined)),
      await observers.updateById(admin(), buildRequest({ observerId: id }, { name: 'x' })),
    ]
    expect(JSON.stringify(answers)).not.toContain('whsec')
    expect(JSON.stringify(answers)).not.toContain('"secret"')
  })

  test('resets its state when it watches something else; rejects an old version', async () => {
    const { id } = await createObserver()
    const change = (data: Parameters<typeof observers.updateById>[1]['data']) =>
      observers.updateById(admin(), buildRequest({ observerId: id }, data))
    const { db } = world.as('system')
    await db
      .updateTable('observer')
      .set({ isCrossed: true, evaluatedAt: new Date() })
      .where('id', '=', id)
      .execute()
    expect(await change({ name: 'Loud', version: 1 })).toMatchObject({ isCrossed: true, version: 2 })
    expect(await change({ filters: null })).toMatchObject({
      isCrossed: false,
      evaluatedAt: null,
      filters: null,
      condition: { operator: 'gt', value: 5 },
    })
    await expect(change({ name: 'x', version: 1 })).rejects.toMatchObject({ kind: 'conflict' })
  })

  test('is deleted with its alerts', async () => {
    const { id } = await createObserver()
    expect(await observers.deleteById(admin(), buildRequest({ observerId: id }, undefined))).toEqual({ id })
    expect(await observers.findById(admin(), buildRequest({ observerId: id }, undefined))).toBeUndefined()
    expect(await alerts.find(admin(), buildRequest({ observerId: id }, undefined))).toBeUndefined()
  })

  test('of another place is not found', async () => {
    const far = buildRequest({ observerId: 'far-watch' }, undefined)
    expect(await observers.findById(admin(), far)).toBeUndefined()
    expect(await observers.updateById(admin(), { ...far, data: { name: 'x' } })).toBeUndefined()
    expect(await observers.deleteById(admin(), far)).toBeUndefined()
    expect(await analytics(admin(), far)).toBeUndefined()
    expect(await exportData(admin(), far)).toBeUndefined()
    await expect(createObserver({ id: 'watch' })).rejects.toMatchObject({ kind: 'conflict' })
    expect((await createObserver({ id: 'far-watch' })).id).toMatch(/^far-watch-[b-z2-9]{5}$/)
  })

  test('shows the full address of its webhook only to those who may change it', async () => {
    const webhookUrl = 'https://hooks.example.com/services/T1/canary'
    const { id } = await createObserver({ channels: ['webhook'], webhookUrl })
    const readWebhookUrl = async (person: 'viewer' | 'content_admin' | 'support' | 'organization_admin') =>
      (await observers.findById(await asReader(world, person), buildRequest({ observerId: id }, undefined)))
        ?.webhookUrl
    expect(await readWebhookUrl('organization_admin')).toBe(webhookUrl)
    for (const person of ['viewer', 'content_admin', 'support'] as const)
      expect(await readWebhookUrl(person)).toBe('https://hooks.example.com')
  })
})

describe('invalid observers', () => {
  const average = { function: 'average', arguments: [{ field: 'data.minutes' }] }
  test.each<[Partial<NewObserver>, (string | number)[]]>([
    [{ dataTypeId: 'nothing' }, ['dataTypeId']],
    [{ dataTypeId: 'lamp' }, ['dataTypeId']],
    [{ sourceId: 'far-open' }, ['sourceId']],
    [{ sourceId: 'secret' }, ['sourceId']],
    [{ sourceId: 'nothing' }, ['sourceId']],
    [{ filters: { 'data.nothing': 1 } }, ['filters', 'data', 'nothing']],
    [{ filters: [{}, { 'data.minutes': { $explode: 1 } }] }, ['filters', 1, 'data', 'minutes']],
    [
      { condition: { operator: 'gt', value: 1, aggregation: { function: 'explode' } } },
      ['condition', 'aggregation', 'function'],
    ],
    [
      {
        condition: {
          operator: 'gt',
          value: 1,
          aggregation: { ...average, arguments: [{ field: 'data.x' }] },
        },
      },
      ['condition', 'aggregation', 'arguments', 0, 'field'],
    ],
    [
      { condition: { operator: 'gt', value: 1, aggregation: { field: 'data.minutes' } } },
      ['condition', 'aggregation'],
    ],
    [{ condition: { operator: 'gt', value: 1, aggregation: 5 } }, ['condition', 'aggregation']],
    [
      {
        condition: {
          operator: 'gt',
          value: 1,
          aggregation: { function: 'max', arguments: [{ field: 'data.receivedAt' }] },
        },
      },
      ['condition', 'aggregation'],
    ],
    [{ schedule: '* * * * *' }, ['schedule']],
    [{ schedule: 'every morning' }, ['schedule']],
    [{ schedule: '0 25 * * *' }, ['schedule']],
    [{ schedule: '0 0 31 2 *' }, ['schedule']],
    [{ channels: ['email'] }, ['recipients']],
    [{ recipients: ['viewer', 'stranger'] }, ['recipients', 1]],
    [{ recipients: ['no_role'] }, ['recipients', 0]],
    [{ channels: ['webhook'] }, ['webhookUrl']],
    [{ webhookUrl: 'http://169.254.169.254/' }, ['webhookUrl']],
  ])('%j is rejected with its path, by create and validate', async (changes, path) => {
    const expected = { kind: 'invalid', issues: [{ path }] }
    await expect(createObserver(changes)).rejects.toMatchObject(expected)
    await expect(observers.check(admin(), buildRequest({}, body(changes)))).rejects.toMatchObject(expected)
  })

  test.each<Partial<NewObserver>>([
    { condition: { operator: 'lte', value: 1, aggregation: average }, sourceId: 'inner' },
    {
      condition: {
        operator: 'change',
        aggregation: { function: 'max', arguments: [{ field: 'data.receivedAt' }] },
      },
    },
    { condition: { operator: 'each' }, schedule: '0 8 * * *', cooldown: 'PT1H' },
    { channels: ['email', 'webhook'], recipients: ['viewer'], webhookUrl: 'https://hooks.example.com/x' },
    { dataTypeId: 'tree', filters: null },
  ])('%j is accepted', async (changes) => {
    expect(await observers.check(admin(), buildRequest({}, body(changes)))).toBeUndefined()
    expect(await createObserver(changes)).toMatchObject(changes)
  })
})

describe('the records that an observer watches', () => {
  const ask = async (observerId: string, options: object, person: 'viewer' | 'content_admin' = 'viewer') =>
    (await analytics(world.as(person), buildRequest({ observerId }, undefined, options)))?.results

  test('are answered by its own question, with what all in the place may see', async () => {
    const { id } = await createObserver()
    expect(await ask(id, {})).toEqual([{ value: 7 }])
    expect(await ask(id, {}, 'content_admin')).toEqual([{ value: 7 }])
    const { id: all } = await createObserver({ filters: null })
    expect(await ask(all, {}, 'content_admin')).toEqual([{ value: 9 }])
  })

  test('can be narrowed by the reader, but not widened', async () => {
    const { id } = await createObserver()
    expect(await ask(id, { filters: { 'data.minutes': { $gte: 2 } } })).toEqual([{ value: 3 }])
    expect(await ask(id, { filters: { 'data.type': 'fire' } })).toEqual([{ value: 0 }])
    expect(await ask(id, { where: [{ 'data.type': 'fire' }] })).toEqual([{ value: 0 }])
    expect(await ask(id, { filters: { $or: [{ 'data.type': 'fire' }, { 'data.type': 'noise' }] } })).toEqual([
      { value: 7 },
    ])
    expect(await ask(id, { maxVisibility: 'public' })).toEqual([{ value: 4 }])
    const { id: inner } = await createObserver({ sourceId: 'inner' })
    expect(await ask(inner, {})).toEqual([{ value: 3 }])
  })

  test('can be queried by another question', async () => {
    const { id } = await createObserver({ filters: null })
    const grouped = {
      aggregations: [
        { alias: 'type', value: { field: 'data.type' } },
        { alias: 'n', value: count },
      ],
      groupings: [{ field: 'data.type' }],
      orderings: [{ value: { field: 'n' }, direction: 'desc' }],
    }
    expect(await ask(id, grouped)).toEqual([
      { type: 'noise', n: 7 },
      { type: 'fire', n: 2 },
    ])
    const { id: each } = await createObserver({ condition: { operator: 'each' } })
    expect(await ask(each, { limit: 2 })).toMatchObject([
      { data: { type: 'noise' } },
      { data: { type: 'noise' } },
    ])
  })

  test('reports errors of the reader’s question where the reader wrote it', async () => {
    const { id } = await createObserver()
    await expect(ask(id, { filters: { 'data.nothing': 1 } })).rejects.toMatchObject({
      issues: [{ path: ['filters', 'data', 'nothing'] }],
    })
  })

  test('can be downloaded as a file', async () => {
    const { id } = await createObserver()
    const ctx = world.as('viewer')
    const options = { format: 'json' as const, filters: { 'data.minutes': { $gte: 2 } } }
    const file = await exportData(ctx, buildRequest({ observerId: id }, undefined, options))
    const rows = (await new Response(file?.body).json()) as { type: string }[]
    expect(rows.map(({ type }) => type)).toEqual(['noise', 'noise', 'noise'])
    expect(ctx.responseHeaders.get('x-row-count')).toBe('3')
  })
})

describe('alerts', () => {
  const plant = async (observerId: string, ...ids: string[]) => {
    const { db } = world.as('system')
    const rows = ids.map((id, i) => ({
      ...{ id, observerId, placeId: 'oakton', title: `Alert ${id}`, datumIds: '["1"]' },
      ...{ kind: 'alert' as const, value: i, threshold: 5, createdAt: new Date(Date.UTC(2026, 0, i + 1)) },
    }))
    await db.insertInto('alert').values(rows).execute()
  }
  const asViewer = () => world.as('viewer')

  test('are listed, the newest first; marked as read only for the person who opens one', async () => {
    const { id: observerId } = await createObserver()
    await plant(observerId, 'a1', 'a2', 'a3')
    const list = async (person: 'viewer' | 'member' = 'viewer') =>
      (await alerts.find(world.as(person), buildRequest({ observerId }, undefined)))?.results.map(
        ({ id, read }) => [id, read],
      )
    expect(await list()).toEqual([
      ['a3', false],
      ['a2', false],
      ['a1', false],
    ])
    const openAlert = () =>
      alerts.findById(asViewer(), buildRequest({ observerId, alertId: 'a2' }, undefined))
    expect(await openAlert()).toMatchObject({ id: 'a2', read: true, value: 1, threshold: 5, datumIds: ['1'] })
    expect(await openAlert()).toMatchObject({ read: true })
    expect(await list()).toEqual([
      ['a3', false],
      ['a2', true],
      ['a1', false],
    ])
    expect(await list('member')).toContainEqual(['a2', false])
    expect(await observers.findById(asViewer(), buildRequest({ observerId }, undefined))).toMatchObject({
      unreadCount: 2,
    })
    const support = await asReader(world, 'support')
    expect(
      await alerts.findById(support, buildRequest({ observerId, alertId: 'a1' }, undefined)),
    ).toMatchObject({
      read: true,
    })
  })

  test('are counted by observer while they exist and are unread', async () => {
    const { id: one } = await createObserver()
    const { id: other } = await createObserver()
    await plant(one, 'b1', 'b2')
    await plant(other, 'b3')
    const countUnread = async () => alerts.countUnreadAlerts(asViewer(), buildRequest({}, undefined))
    const before = await countUnread()
    expect(before.byObserver).toMatchObject({ [one]: 2, [other]: 1, watch: 1 })
    expect(before.total).toBe(Object.values(before.byObserver).reduce((sum, n) => sum + n, 0))
    expect(before.byObserver).not.toHaveProperty('far-watch')
    await alerts.findById(asViewer(), buildRequest({ observerId: one, alertId: 'b1' }, undefined))
    expect(
      await alerts.deleteById(admin(), buildRequest({ observerId: one, alertId: 'b2' }, undefined)),
    ).toEqual({
      id: 'b2',
    })
    await observers.deleteById(admin(), buildRequest({ observerId: other }, undefined))
    const after = await countUnread()
    expect(after.byObserver).not.toHaveProperty(one)
    expect(after.byObserver).not.toHaveProperty(other)
    expect(after.total).toBe(before.total - 3)
  })

  test('belong to their observer and its place', async () => {
    const { id: observerId } = await createObserver()
    for (const ids of [
      { observerId, alertId: 'rang' },
      { observerId: 'far-watch', alertId: 'far-rang' },
      { observerId: 'watch', alertId: 'far-rang' },
    ]) {
      expect(await alerts.findById(asViewer(), buildRequest(ids, undefined))).toBeUndefined()
      expect(await alerts.deleteById(admin(), buildRequest(ids, undefined))).toBeUndefined()
    }
    expect(
      await alerts.find(asViewer(), buildRequest({ observerId: 'far-watch' }, undefined)),
    ).toBeUndefined()
  })
})
