import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '#functions/api/call.ts'
import { requireConforming } from '#functions/api/conform.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
  const { db } = world.as('system')
  const commonColumns = { placeId: 'oakton', createdBy: null }
  const importer = { ...commonColumns, sources: '[]', mapping: '{}' }
  await db
    .insertInto('importer')
    .values([
      { id: 'of-secret', name: 'Feed of secret', sourceId: 'secret', ...importer },
      { id: 'of-open', name: 'Nightly feed', sourceId: 'open', enabled: false, ...importer },
    ])
    .execute()
  await db
    .insertInto('boundarySet')
    .values({
      ...{ id: 'wards', placeId: 'oakton', name: 'Wards', visibility: 'place', createdBy: null },
      ...{ nameField: null, codeField: null, areaCount: 0, vertexCount: 0, findingCount: 0 },
      ...{ bounds: '[0,0,1,1]', fields: '[]', findings: '[]' },
    })
    .execute()
  await db
    .insertInto('asset')
    .values([
      {
        ...{
          id: 'bridge',
          placeId: 'oakton',
          userId: null,
          name: 'bridge.jpg',
          alt: 'The feed mill',
          key: 'm/x',
        },
        ...{ purpose: 'library', type: 'image/jpeg', size: 1, state: 'ready', createdBy: null },
      },
      {
        ...{ id: 'waiting', placeId: 'oakton', userId: null, name: 'feed.jpg', alt: '', key: 'm/y' },
        ...{ purpose: 'library', type: 'image/jpeg', size: 1, state: 'waiting', createdBy: null },
      },
    ])
    .execute()
})
afterAll(() => world.close())

async function find(person: Person, text: string, placeId = 'oakton') {
  const { search } = v1.place
  const response = await call(search, world.as(person), { params: { placeId }, options: { search: text } })
  requireConforming({ name: 'place.search', endpoint: search }, response)
  return response.results
}

const listIds = async (person: Person, search: string, noun?: string) =>
  (await find(person, search))
    .filter((each) => noun === undefined || each.noun === noun)
    .map(({ id }) => id)
    .sort()

test('every noun of a place is found by its name', async () => {
  const { db } = world.as('system')
  const names = new Map<string, string>()
  for (const search of ['open', 'tree', 'calls', 'best', 'draft', 'feed', 'watch', 'wards', 'bridge'])
    for (const { noun, id } of await find('organization_admin', search)) names.set(noun, id)
  const invite = await db
    .selectFrom('invite')
    .select('email')
    .where('placeId', '=', 'oakton')
    .executeTakeFirst()
  for (const search of [invite?.email ?? '?', 'viewer'])
    for (const { noun, id } of await find('organization_admin', search)) names.set(noun, id)
  expect([...names.keys()].sort()).toEqual([...Object.keys(allNouns)].sort())
})

const allNouns = {
  ...{ source: 1, dataType: 1, insight: 1, collection: 1, page: 1, importer: 1, observer: 1 },
  ...{ boundarySet: 1, asset: 1, user: 1, invite: 1 },
}

test('what a person may not see is not found, by no word of it', async () => {
  expect(await listIds('organization_admin', 'secret')).toEqual(['of-secret', 'secret', 'secret-page'])
  expect(await listIds('viewer', 'secret')).toEqual([])
  expect(await listIds('member', 'mine', 'source')).toEqual(['mine'])
  expect(await listIds('viewer', 'mine', 'source')).toEqual([])
  expect(await listIds('organization_admin', 'far')).toEqual([])
  // Without a role there, as everyone without an account, what is public.
  const far = await find('organization_admin', 'far', 'elmsford')
  expect(far.map(({ id, visibility }) => [id, visibility])).toEqual([['far-open', 'public']])
  for (const person of ['none', 'anonymous'] as const) {
    const open = await find(person, 'open')
    expect(new Set(open.map(({ visibility }) => visibility)), person).toEqual(new Set(['public']))
    for (const hidden of ['secret', 'mine', 'watch', 'feed', 'wards', 'bridge'])
      expect(await listIds(person, hidden), `${person}: ${hidden}`).toEqual([])
  }
  await expect(find('anonymous', 'open', 'nowhere')).rejects.toMatchObject({ kind: 'notFound' })
})

test('invitations and addresses of people are found only by those whose lists have them', async () => {
  const { db } = world.as('system')
  const { email } = await db
    .selectFrom('user')
    .select('email')
    .where('id', '=', 'viewer')
    .executeTakeFirstOrThrow()
  expect(await listIds('organization_admin', email, 'user')).toEqual(['viewer'])
  expect(await listIds('member', email, 'user')).toEqual([])
  const invites = await db
    .selectFrom('invite')
    .select(['id', 'email'])
    .where('placeId', '=', 'oakton')
    .where('status', '=', 'pending')
    .execute()
  const [first] = invites
  expect(await listIds('organization_admin', first?.email ?? '?', 'invite')).toEqual([first?.id])
  expect(await listIds('content_admin', first?.email ?? '?', 'invite')).toEqual([])
})

test('a revoked grant takes the noun away', async () => {
  expect(await listIds('content_admin', 'watch', 'observer')).toEqual(['watch'])
  const { db } = world.as('system')
  await db.deleteFrom('roleOperation').where('operationId', '=', 'observer.read').execute()
  expect(await listIds('content_admin', 'watch', 'observer')).toEqual([])
})

test('all words must be there, in any order and place; the name counts more than other texts', async () => {
  const results = await find('organization_admin', 'feed')
  expect(results.map(({ id }) => id)).toEqual(['feed', 'of-secret', 'of-open', 'bridge'])
  expect(await listIds('organization_admin', 'FEED nightly')).toEqual(['of-open'])
  expect(await listIds('organization_admin', 'feed nothing')).toEqual([])
  // Signs of patterns are letters like others.
  expect(await listIds('organization_admin', '%%')).toEqual([])
  expect(await listIds('organization_admin', '__')).toEqual([])
})

test('a file that did not arrive is not found, and a found importer says whether it is on, and of which source', async () => {
  expect(await listIds('organization_admin', 'feed', 'asset')).toEqual(['bridge'])
  const [importer] = await find('organization_admin', 'nightly')
  expect(importer).toMatchObject({ noun: 'importer', under: 'open', enabled: false })
})

test('at most five of a noun, and one statement', async () => {
  const { db } = world.as('system')
  const values = Array.from({ length: 9 }, (_, n) => ({
    ...{ id: `well-${n}`, placeId: 'oakton', dataTypeId: 'call', name: `Well ${n}`, createdBy: null },
    visibility: 'public' as const,
  }))
  await db.insertInto('source').values(values).execute()
  expect(await listIds('viewer', 'well', 'source')).toEqual([
    'well-0',
    'well-1',
    'well-2',
    'well-3',
    'well-4',
  ])
  await expect(find('viewer', ' w ')).rejects.toMatchObject({
    issues: [{ path: ['search'], message: 'Must be at least two characters.' }],
  })
})
