import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from './assets.testing.ts'
import type { Context } from '#functions/context.ts'
import { followLink } from '#functions/edge/media/follow-link.ts'
import { writeSnapshot } from '#functions/edge/hub/snapshot.ts'
import { city } from '#db/worlds/city.ts'
import { asWithReason } from '#functions/v1/testing/with-reason.testing.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const openContext = (person: Person, changes: Partial<Context> = {}) => world.as(person, changes)

test('short links: one code per page, followed without the database, to no other site', async () => {
  const ctx = openContext('viewer')
  const hosts = { appHost: 'localhost:8787', publicHost: 'localhost:8787', scheme: 'http' }
  const link = (data: object, person = ctx) =>
    ask<{ code: string; url: string }>(person, 'place.link.create', { placeId: 'oakton' }, { data })
  const shortLink = await link({ path: '/data?type=call#map' })
  expect(shortLink.url).toBe(`http://localhost:8787/s/${shortLink.code}`)
  expect(
    await link(
      { path: '/data?type=call#map', onHub: true },
      await asWithReason(world, 'support', { hubs: ctx.hubs }),
    ),
  ).toEqual(shortLink)
  const inner = await link({ path: '/data?type=call#map', onHub: false })
  expect(inner.code).not.toBe(shortLink.code)
  const follow = async (code: string) => {
    const answer = await followLink(new Request(`http://localhost:8787/s/${code}`), ctx.hubs, hosts)
    return [answer?.status, answer?.headers.get('location')]
  }
  expect(await follow(inner.code)).toEqual([302, 'http://localhost:8787/data?type=call#map'])
  expect(await follow(shortLink.code)).toEqual([404, null])
  const snapshot = {
    placeId: 'oakton',
    isHub: true,
    canonicalHost: 'data.oakton.test',
    manifest: 1,
    sources: {},
  }
  await new Promise((resolve) => setTimeout(resolve, 2100))
  await writeSnapshot(ctx.hubs, 'oakton.localhost', snapshot)
  expect(await follow(shortLink.code)).toEqual([302, 'http://data.oakton.test:8787/data?type=call#map'])
  for (const code of ['nothing1', '..%2fsite', 'a', 'constructor'])
    expect(await follow(code)).toEqual([404, null])
  for (const path of [
    '',
    'data',
    'https://evil.test',
    '//evil.test',
    '/\\evil.test',
    '/..//evil.test',
    '/%0a/..//evil.test',
    '/\t/evil.test',
    '\\\\evil.test',
    '/a\0',
  ])
    await expect(link({ path }), path).rejects.toMatchObject({
      kind: 'invalid',
      issues: [{ path: ['path'] }],
    })
  await expect(
    ask(openContext('stranger'), 'place.link.create', { placeId: 'elmsford' }, { data: { path: '/data' } }),
  ).rejects.toMatchObject({ issues: [{ path: ['onHub'] }] })
})
