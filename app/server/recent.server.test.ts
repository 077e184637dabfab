import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordOpened, listRecentlyOpened, type OpenedNoun } from './recent.server.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

/** A browser that keeps its cookies, whoever uses it. */
function browser() {
  const jar = new Map<string, string>()
  const buildArgs = (person: Person, placeId = 'oakton') => {
    const ctx = world.as(person, { placeId, responseHeaders: new Headers() })
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const request = new Request(`${ctx.site.origin}/home`, { headers: { cookie } })
    return { args: { request, params: {}, context: { ctx, nonce: '' } } as never, ctx, request }
  }
  return {
    open(person: Person, noun: OpenedNoun, id: string, placeId?: string) {
      const { ctx, request } = buildArgs(person, placeId)
      recordOpened({ request, context: { ctx } }, noun, id)
      for (const line of ctx.responseHeaders.getSetCookie()) {
        const [pair = ''] = line.split(';')
        jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
      }
    },
    last: async (person: Person, placeId?: string) =>
      (await listRecentlyOpened(buildArgs(person, placeId).args)).map(({ to, name }) => `${to} ${name}`),
    cookies: jar,
  }
}

test('opened things are listed newest first, once each, by their current names', async () => {
  const { open, last } = browser()
  open('organization_admin', 'source', 'open')
  open('organization_admin', 'page', 'story')
  open('organization_admin', 'insight', 'calls')
  open('organization_admin', 'source', 'open')
  await world
    .as('system')
    .db.updateTable('insight')
    .set({ name: 'Renamed' })
    .where('id', '=', 'calls')
    .execute()
  expect(await last('organization_admin')).toEqual([
    '/sources/open open',
    '/insights/calls Renamed',
    '/pages/storytelling/story story',
  ])
})

test('the list is of one person in one place, without things that are no longer visible', async () => {
  const { open, last } = browser()
  open('organization_admin', 'source', 'secret')
  open('organization_admin', 'source', 'inner')
  expect(await last('viewer')).toEqual([])
  expect(await last('organization_admin', 'elmsford')).toEqual([])
  open('viewer', 'source', 'secret')
  open('viewer', 'collection', 'ours')
  expect(await last('viewer')).toEqual(['/collections/ours Ours'])
})

test('at most twelve are stored, and only valid ids', async () => {
  const { open, cookies } = browser()
  for (let n = 0; n < 30; n++) open('viewer', 'source', `source-${n}`)
  open('viewer', 'source', 'a.b;c')
  const [value = ''] = cookies.values()
  expect(value.split('.').slice(1)).toEqual(Array.from({ length: 12 }, (_, n) => `ssource-${29 - n}`))
})
