import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessScreen } from './access.server.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

/** The name that is asked about, or where one is led instead. */
const openScreen = (person: Person, placeId: string | null) => {
  const request = new Request('http://localhost:8787/access?redirectTo=%2Fpages')
  const args = { request, params: {}, context: { ctx: world.as(person, { placeId }) } }
  return accessScreen(args as unknown as LoaderFunctionArgs).then(
    ({ name }) => name,
    (response: Response) => response.headers.get('location'),
  )
}

test('asks support staff for a reason for the chosen place, and redirects everyone else', async () => {
  expect(await openScreen('support', 'oakton')).toBe('Oakton')
  expect(await openScreen('support', null)).toBe('/pages')
  // This one has said why.
  expect(await openScreen('super_admin', 'oakton')).toBe('/pages')
  expect(await openScreen('viewer', 'oakton')).toBe('/pages')
})

test('leaves a deleted place instead of redirecting in a circle', async () => {
  expect(await openScreen('support', 'demolished')).toBe('/explore')
})
