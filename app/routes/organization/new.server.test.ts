import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { actOnOrganization } from './new.server.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestContext, type TestWorld } from '#db/worlds/world.ts'
import { loadGrants } from '#functions/domain/access/grants.ts'

let world: TestWorld
let ctx: TestContext
let system: TestContext
beforeAll(async () => {
  world = await openWorld(city)
  ctx = world.as('none')
  await loadGrants(ctx)
  system = world.as('system')
  const place = { timeZone: 'UTC', theme: '{}', mapConfiguration: '{}', boundaryId: null, createdBy: null }
  await system.db
    .insertInto('place')
    .values(
      // An organization whose id is the first label of the hosts of others.
      ['data', 'quiet'].map((id) => ({ ...place, id, name: id, displayName: id, isHub: id === 'data' })),
    )
    .execute()
  const verifiedAt = new Date()
  await system.db
    .insertInto('placeDomain')
    .values([
      { placeId: 'oakton', host: 'data.oakton.example', token: 'a', verifiedAt },
      { placeId: 'oakton', host: 'unproven.oakton.example', token: 'b', verifiedAt: null },
      { placeId: 'elmsford', host: 'data.elmsford.example', token: 'c', verifiedAt },
    ])
    .execute()
})
afterAll(() => world.close())
beforeEach(async () => {
  await system.db.deleteFrom('placeRequest').execute()
})

/** The organization that a newcomer asks by this text, or what the input says instead. */
async function ask(placeId: string) {
  const body = new URLSearchParams({ intent: 'join', placeId, joinNote: 'I count trees.' })
  const { origin } = ctx.site
  const request = new Request(`${origin}/organization/new`, { method: 'POST', body, headers: { origin } })
  const outcome = await actOnOrganization({ request, params: {}, context: { ctx, nonce: '' } } as never)
  const requests = await system.db.selectFrom('placeRequest').select('placeId').execute()
  return { outcome, asked: requests.map((row) => row.placeId) }
}

test.each([
  'oakton',
  ' Oakton ',
  'oakton.localhost',
  'http://oakton.localhost:8787/',
  'data.oakton.example',
  'https://Data.Oakton.example/domains/call?page=2#top',
  'www.data.oakton.example',
])('%s asks Oakton', async (text) => {
  expect(await ask(text)).toMatchObject({ outcome: { ok: true }, asked: ['oakton'] })
})

const noHub = /No organization has a public hub at this address/
test.each([
  ['a foreign host that begins with an id', 'data.seattle.gov', noHub],
  ['an id below a foreign host', 'https://oakton.example/', noHub],
  ['a host that is not proven', 'unproven.oakton.example', noHub],
  ['the host of an organization without a hub', 'data.elmsford.example', noHub],
  ['the place of an organization without a hub', 'quiet.localhost', noHub],
  ['the workspace itself', 'http://localhost:8787', noHub],
  ['more labels than an id has', 'www.data.oakton.localhost', noHub],
  ['no address', 'http://', noHub],
  ['an unknown id', 'nobody', /There is no organization with this id/],
])('%s asks nobody: %s', async (_what, text, why) => {
  const { outcome, asked: placeIds } = await ask(text)
  expect(placeIds).toEqual([])
  expect(outcome).toMatchObject({
    ...{ ok: false, intent: 'join' },
    issues: [{ path: ['placeId'], message: expect.stringMatching(why) }],
    formValues: { placeId: text, joinNote: 'I count trees.' },
  })
})
