import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendAs } from './testing/http.testing.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

const day = 86_400_000
const noCreator = { createdBy: null }
const takenUuid = '0b8f6f0e-5a5c-4a6e-9d7c-0f5d9f2b7c11'
const longId = 'l'.repeat(64)

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
  const { db } = world.as('system')
  const far = { placeId: 'elmsford', ...noCreator }
  await db
    .insertInto('collection')
    .values([
      { id: 'far-ours', name: 'Far', visibility: 'place', ...far },
      { id: 'far-best', name: 'Far', visibility: 'public', ...far },
    ])
    .execute()
  const text = { collectionId: 'far-ours', title: 'Far', position: 0, ...far }
  await db
    .insertInto('collectionText')
    .values([
      { id: 'far-text', ...text },
      { id: 'far-public-text', ...text, collectionId: 'far-best' },
    ])
    .execute()
  const page = { title: 'Far', type: 'blank', publish: 'published', ...far } as const
  await db
    .insertInto('page')
    .values([
      { id: 'far-story', visibility: 'public', ...page },
      { id: 'far-gone', visibility: 'public', deletedAt: new Date(), ...page },
      { id: takenUuid, visibility: 'place', ...page },
      { id: longId, visibility: 'place', ...page },
    ])
    .execute()
  await db
    .insertInto('content')
    .values({ id: 'far-part', pageId: 'far-story', kind: 'divider', settings: '{}', position: 0, ...far })
    .execute()
  const insight = await db
    .selectFrom('insight')
    .selectAll()
    .where('id', '=', 'far-calls')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('insight')
    .values({
      ...insight,
      ...{ id: 'far-public-calls', visibility: 'public' },
      ...{ visualization: '{"type":"number"}', query: JSON.stringify(insight.query) },
    })
    .execute()
  // A public source of Elmsford makes its data type visible.
  await db
    .insertInto('dataType')
    .values({ id: 'far-shown', name: 'Shown', schema: '{}', ownerPlaceId: 'elmsford', ...noCreator })
    .execute()
  await db
    .insertInto('source')
    .values({ id: 'far-shows', dataTypeId: 'far-shown', name: 'Shows', visibility: 'public', ...far })
    .execute()
})
afterAll(() => world.close())

const admin = (changes = {}) => world.as('organization_admin', changes)
const ending = '[b-df-hj-np-tv-z2-9]{5}'

interface Noun {
  /** The paths of creation, and of reading and deletion. */
  at: string
  one?: string
  body: object
  table:
    | 'source'
    | 'insight'
    | 'page'
    | 'collection'
    | 'collectionText'
    | 'content'
    | 'importer'
    | 'observer'
    | 'dataType'
    | 'assetFolder'
  /** A row of another place that is not visible; one that is public. */
  unseen: string
  visibleId: string | null
}

const count = { aggregations: [{ alias: 'n', value: { function: 'count' } }] }
const nouns: Record<string, Noun> = {
  source: {
    at: '/sources',
    body: { name: 'New', dataTypeId: 'call', placeId: 'oakton' },
    ...{ table: 'source', unseen: 'far-inner', visibleId: 'far-open' },
  },
  'source of a place': {
    at: '/places/oakton/sources',
    body: { name: 'New', dataTypeId: 'call' },
    ...{ table: 'source', unseen: 'far-inner', visibleId: 'far-open' },
  },
  insight: {
    at: '/insights',
    body: {
      name: 'New',
      dataTypeId: 'call',
      placeId: 'oakton',
      visualization: { type: 'number' },
      query: count,
    },
    ...{ table: 'insight', unseen: 'far-calls', visibleId: 'far-public-calls' },
  },
  page: {
    at: '/places/oakton/pages',
    body: { title: 'New', type: 'blank' },
    ...{ table: 'page', unseen: 'far-page', visibleId: 'far-story' },
  },
  content: {
    at: '/places/oakton/pages/story/contents',
    body: { kind: 'divider', settings: {} },
    ...{ table: 'content', unseen: 'far-content', visibleId: 'far-part' },
  },
  'content by its place': {
    at: '/places/oakton/contents',
    body: { kind: 'divider', settings: {}, pageId: 'story' },
    ...{ table: 'content', unseen: 'far-content', visibleId: 'far-part' },
  },
  collection: {
    at: '/places/oakton/collections',
    body: { name: 'New' },
    ...{ table: 'collection', unseen: 'far-ours', visibleId: 'far-best' },
  },
  text: {
    at: '/places/oakton/collections/best/texts',
    body: { title: 'New' },
    ...{ table: 'collectionText', unseen: 'far-text', visibleId: 'far-public-text' },
  },
  importer: {
    at: '/sources/open/importers',
    body: {
      name: 'New',
      sources: [
        {
          url: 'https://data.example.org/a.csv',
          parser: 'csv',
          headers: { authorization: 'Bearer 123456789' },
        },
      ],
    },
    ...{ table: 'importer', unseen: 'far-feed', visibleId: null },
  },
  observer: {
    at: '/places/oakton/observers',
    body: {
      ...{ name: 'New', dataTypeId: 'call' },
      condition: { operator: 'gt', aggregation: { function: 'count' }, value: 1 },
    },
    ...{ table: 'observer', unseen: 'far-watch', visibleId: null },
  },
  'data type': {
    at: '/dataTypes',
    body: { name: 'New', ownerPlaceId: 'oakton', schema: { a: { name: 'A', type: 'text' } } },
    ...{ table: 'dataType', unseen: 'lamp', visibleId: 'far-shown' },
  },
  'folder of media': {
    at: '/assets/oakton/folders',
    body: { name: 'New' },
    ...{ table: 'assetFolder', unseen: 'far-photos', visibleId: null },
  },
}

const everything = (table: Noun['table'], id: string) =>
  world
    .as('system')
    .db.selectFrom(table as 'source')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()

describe.each(Object.entries(nouns))('%s', (_name, { at, body, table, unseen, visibleId }) => {
  const make = (id: string, changes = {}, headers = {}) =>
    sendAs(admin(changes), 'POST', at, { ...body, id }, headers)

  test('the id of an invisible row gets a suffix, and that row is unchanged', async () => {
    const before = await everything(table, unseen)
    const [first, second] = [await make(unseen), await make(unseen)]
    expect([first.status, second.status, first.text]).toEqual([201, 201, expect.any(String)])
    for (const { json } of [first, second]) expect(json.id).toMatch(new RegExp(`^${unseen}-${ending}$`))
    expect(first.json.id).not.toBe(second.json.id)
    const one = at === '/places/oakton/contents' ? '/places/oakton/pages/story/contents' : at
    expect(await sendAs(admin(), 'GET', `${one}/${String(first.json.id)}`)).toMatchObject({
      status: 200,
      json: { id: first.json.id },
    })
    expect(await everything(table, unseen)).toEqual(before)
    const { db } = world.as('system')
    const trail = await db
      .selectFrom('activity')
      .select(['verb', 'placeId'])
      .where('targetId', 'in', [unseen, String(first.json.id)])
      .where('actorId', '=', 'organization_admin')
      .execute()
    expect(trail).toEqual([{ verb: 'created', placeId: 'oakton' }])
  })

  test('the id of a visible row is rejected, in this place and in another', async () => {
    const own = `own-${table.toLowerCase()}-${at.split('/').length}`
    expect(await make(own)).toMatchObject({ status: 201, json: { id: own } })
    for (const id of [own, ...(visibleId === null ? [] : [visibleId])])
      expect(await make(id), id).toMatchObject({ status: 409, json: { error: { kind: 'conflict' } } })
    // Super admins see every row.
    expect(
      await sendAs(world.as('super_admin', { placeId: 'oakton' }), 'POST', at, { ...body, id: unseen }),
    ).toMatchObject({
      status: 409,
    })
  })

  test('a repetition with the same idempotency key returns the first id', async () => {
    const key = { 'idempotency-key': `again-${table}-${at}` }
    const [first, again] = [await make(unseen, {}, key), await make(unseen, {}, key)]
    expect([first.status, again.status]).toEqual([201, 201])
    expect(first.json.id).not.toBe(unseen)
    // A secret that is shown once is not stored for a repetition.
    if (table !== 'observer') expect(again.json.id).toBe(first.json.id)
  })
})

describe('the id of something deleted', () => {
  const restorable = ['source', 'insight', 'page', 'collection', 'data type']
  test.each(restorable)('of a %s of the place is rejected while it can be restored', async (name) => {
    const { at, body, table } = nouns[name] as Noun
    const id = `deleted-${table.toLowerCase()}`
    expect(await sendAs(admin(), 'POST', at, { ...body, id })).toMatchObject({ status: 201 })
    const setDeleted = (deletedAt: Date) =>
      world
        .as('system')
        .db.updateTable(table as 'source')
        .set({ deletedAt })
        .where('id', '=', id)
        .execute()
    await setDeleted(new Date(Date.now() - 29 * day))
    expect(await sendAs(admin(), 'POST', at, { ...body, id })).toMatchObject({ status: 409 })
    await setDeleted(new Date(Date.now() - 31 * day))
    const { status, json } = await sendAs(admin(), 'POST', at, { ...body, id })
    expect([status, json.id]).toEqual([201, expect.stringMatching(new RegExp(`^${id}-${ending}$`))])
  })

  test('of another place is unknown, even to those who could see it before', async () => {
    const { at, body } = nouns.page as Noun
    const { status, json } = await sendAs(admin(), 'POST', at, { ...body, id: 'far-gone' })
    expect([status, json.id]).toEqual([201, expect.stringMatching(new RegExp(`^far-gone-${ending}$`))])
  })

  test('of a page are restored with its older versions', async () => {
    const at = '/places/oakton/pages/story/contents'
    const part = { id: 'taken-off', kind: 'divider', settings: {} }
    expect(await sendAs(admin(), 'POST', at, part)).toMatchObject({ status: 201 })
    expect(await sendAs(admin(), 'DELETE', `${at}/taken-off`)).toMatchObject({ status: 200 })
    expect(await sendAs(admin(), 'POST', at, part)).toMatchObject({ status: 409 })
  })
})

describe('the suffixed id', () => {
  const { at, body } = nouns.page as Noun
  test('of a UUID is a UUID', async () => {
    const { json } = await sendAs(admin(), 'POST', at, { ...body, id: takenUuid })
    expect(json.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(json.id).not.toBe(takenUuid)
  })

  test('is no longer than the maximum', async () => {
    const { json } = await sendAs(admin(), 'POST', at, { ...body, id: longId })
    expect(json.id).toMatch(new RegExp(`^l{58}-${ending}$`))
  })

  test('is used for the secrets of an importer', async () => {
    const { at: path, body: importer } = nouns.importer as Noun
    const { json } = await sendAs(admin(), 'POST', path, { ...importer, id: 'far-feed' })
    const { readEncrypted } = await import('#functions/domain/importer/of-source.ts')
    const { readImporterSecrets } = await import('#functions/domain/importer/check.ts')
    const id = String(json.id)
    const secrets = await readImporterSecrets(admin(), { id, secrets: await readEncrypted(admin(), id) })
    expect(JSON.stringify(secrets)).toContain('123456789')
  })

  test('is used for the webhook signatures of an observer', async () => {
    const { at: path, body: observer } = nouns.observer as Noun
    const { json } = await sendAs(admin(), 'POST', path, { ...observer, id: 'far-watch' })
    const { decrypt } = await import('#functions/domain/secrets/encrypt.ts')
    const id = String(json.id)
    const row = await world
      .as('system')
      .db.selectFrom('observer')
      .select('secret')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(await decrypt(admin().settings, { purpose: 'observer', id }, row.secret ?? '')).toBe(json.secret)
  })

  test('of a content has its position in the page once', async () => {
    const pageId = String((await sendAs(admin(), 'POST', at, body)).json.id)
    const parts = `${at}/${pageId}/contents`
    const part = (id: string, position?: number) =>
      sendAs(admin(), 'POST', parts, { id, kind: 'divider', settings: {}, position })
    const ids = [await part('last'), await part('far-content', 0)].map(({ json }) => json.id)
    expect(await part('last', 0)).toMatchObject({ status: 409 })
    const { json } = await sendAs(admin(), 'GET', parts)
    const rows = (json.results as { id: string; position: number }[]).map(({ id, position }) => [
      id,
      position,
    ])
    expect(rows).toEqual([
      [ids[1], 0],
      [ids[0], 1],
    ])
  })
})

describe('a data type created by name', () => {
  const schema = { a: { name: 'A', type: 'text' } }
  const name = (
    person: 'organization_admin' | 'stranger' | 'super_admin',
    typeName: string,
    ownerPlaceId: string | null,
  ) => sendAs(world.as(person), 'POST', '/dataTypes', { name: typeName, schema, ownerPlaceId })

  test('gets separate ids in two cities, and the official one keeps the plain id', async () => {
    const first = await name('stranger', 'Airport', 'elmsford')
    const second = await name('organization_admin', 'Airport', 'oakton')
    const third = await name('organization_admin', 'Airport', 'oakton')
    for (const { status, json } of [first, second, third])
      expect([status, json.id]).toEqual([201, expect.stringMatching(new RegExp(`^airport-${ending}$`))])
    expect(new Set([first, second, third].map(({ json }) => json.id)).size).toBe(3)
    expect(await name('super_admin', 'Airport', null)).toMatchObject({ status: 201, json: { id: 'airport' } })
    expect(await name('super_admin', 'Airport', null)).toMatchObject({
      status: 409,
      json: { error: { fields: [{ path: ['name'], value: 'airport' }] } },
    })
  })

  test('with a long name gets a valid id, and a table of its own', async () => {
    const long = `${'Street lamp '.repeat(10)}end`
    const { json } = await name('organization_admin', long, 'oakton')
    expect(String(json.id)).toMatch(new RegExp(`^street-lamp-[a-z-]+[a-z]-${ending}$`))
    expect(String(json.id).length).toBeLessThanOrEqual(63)
    const { json: source } = await sendAs(admin(), 'POST', '/sources', {
      name: 'Lamps',
      dataTypeId: json.id,
      placeId: 'oakton',
    })
    expect(await sendAs(admin(), 'POST', `/sources/${String(source.id)}/data`, { a: 'x' })).toMatchObject({
      status: 201,
    })
  })

  test('without a letter or digit needs an id', async () => {
    expect(await name('organization_admin', '空港', 'oakton')).toMatchObject({
      status: 400,
      json: { error: { fields: [{ path: ['id'] }] } },
    })
  })
})
