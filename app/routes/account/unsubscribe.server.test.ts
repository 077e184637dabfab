import { afterAll, beforeAll, expect, test } from 'vitest'
import { stopEmails, findSubscription } from './unsubscribe.server.ts'
import { stopPath, stopToken } from '#functions/domain/observer/unsubscribe.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, settings, type TestWorld } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
  const change = { channels: '["email"]', recipients: '["member"]' }
  await world.as('system').db.updateTable('observer').set(change).where('id', '=', 'watch').execute()
})
afterAll(() => world.close())

const letters = { placeId: 'oakton', observerId: 'watch', userId: 'member' }
/** What the page is asked: by a person's browser, or by a mail program that has no session and no origin. */
const args = (path: string, init?: RequestInit) =>
  ({
    request: new Request(`http://localhost:8787${path}`, init),
    params: { placeId: 'oakton', observerId: 'watch' },
    context: { ctx: world.as('anonymous') },
  }) as unknown as Parameters<typeof stopEmails>[0]

test('a visit changes nothing; the POST of a mail program unsubscribes, with the link alone', async () => {
  const path = stopPath(letters, await stopToken(settings.authSecret, letters, new Date()))
  const still = { observerId: 'watch', name: 'watch', isRecipient: true }
  expect(await findSubscription(args(path))).toEqual(still)
  const oneClick = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }
  expect(await stopEmails(args(path, oneClick))).toEqual({ ...still, isRecipient: false })
  expect(await findSubscription(args(path))).toMatchObject({ isRecipient: false })
  expect(await stopEmails(args(path, oneClick))).toMatchObject({ isRecipient: false })
  for (const bad of [path.slice(0, -1), path.split('?')[0] ?? '', path.replace('token=', 'token=1')])
    expect(await stopEmails(args(bad, oneClick)), bad).toBeNull()
})
