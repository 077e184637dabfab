import { afterAll, beforeAll, expect, test } from 'vitest'
import { load } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import { switchPlace } from './switch-place.server.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

async function answer(work: () => Promise<Response>): Promise<Response> {
  return work().catch((error: unknown) => {
    if (error instanceof Response) return error
    throw error
  })
}

/** Sends the form that leads to another place. */
function switched(fields: Record<string, string>, person: Person = 'viewer', from?: string) {
  const ctx = world.as(person)
  const headers = { origin: from ?? ctx.site.origin }
  const init = { method: 'POST', headers, body: new URLSearchParams(fields) }
  const request = new Request(`${ctx.site.origin}/switch`, init)
  return answer(() => switchPlace({ request, params: {}, context: { ctx, nonce: '' } } as never))
}

test('the place is chosen for the next request, which goes to the wanted page', async () => {
  const response = await switched({ placeId: 'oakton', to: '/insights/calls?tab=table' })
  expect([response.status, response.headers.get('location')]).toEqual([302, '/insights/calls?tab=table'])
  expect(response.headers.get('set-cookie')).toMatch(/^place=oakton; Path=\/; Max-Age=\d+; SameSite=Lax$/)
})

test.each(['https://evil.test/', '//evil.test', '/\\evil.test', '/logout', ''])(
  'from %j it redirects to / instead',
  async (to) => {
    expect((await switched({ placeId: 'oakton', to })).headers.get('location')).toBe('/')
  },
)

test("another person's place is rejected, and so is a form of another site; signed-out people sign in first", async () => {
  const fields = { placeId: 'elmsford', to: '/home' }
  for (const response of [
    await switched(fields),
    await switched({ to: '/home' }),
    await switched({ placeId: 'oakton', to: '/home' }, 'viewer', 'https://evil.test'),
  ])
    expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null])
  expect((await switched(fields, 'support')).headers.get('set-cookie')).toContain('place=elmsford;')
  const signedOut = await switched(fields, 'anonymous')
  expect(signedOut.headers.get('location')).toMatch(/^\/login\?/)
  expect(signedOut.headers.get('set-cookie')).toBeNull()
})

test('a screen whose address names the place is shown in it, to its members', async () => {
  const visit = (person: Person, placeId: string, query: string) => {
    const ctx = { ...world.as(person), placeId }
    const request = new Request(`${ctx.site.origin}/insights/calls/sharing${query}`)
    return answer(() =>
      Promise.resolve().then(() => {
        guard({ request, params: {}, context: { ctx, nonce: '' } } as never, 'withPlace')
        return new Response('stays')
      }),
    )
  }
  const moved = await visit('viewer', 'elsewhere', '?placeId=oakton&tab=code')
  expect([moved.status, moved.headers.get('location')]).toEqual([302, '/insights/calls/sharing?tab=code'])
  expect(moved.headers.get('set-cookie')).toMatch(/^place=oakton;/)
  for (const query of ['', '?placeId=oakton'])
    expect(await (await visit('viewer', 'oakton', query)).text()).toBe('stays')
  for (const other of ['elmsford', '', 'nowhere;Path=/evil'])
    expect((await visit('viewer', 'oakton', `?placeId=${encodeURIComponent(other)}`)).status).toBe(403)
})

test('a screen that finds nothing says where it is to members of that place, and to no one else', async () => {
  const loadInsight = async (person: Person, memberships?: { placeId: string; role: string }[]) => {
    const { actor } = world.as(person)
    const ctx = world.as(person, {
      placeId: 'elmsford',
      ...(memberships && { actor: { ...actor, memberships } }),
    })
    const request = new Request(`${ctx.site.origin}/insights/inner-calls`)
    const args = { request, params: { insightId: 'inner-calls' }, context: { ctx, nonce: '' } } as never
    const response = await answer(async () => {
      await load(args, { insight: v1.place.insight.findById })
      return new Response()
    })
    return { status: response.status, ...((await response.json()) as object) }
  }
  const both = ['oakton', 'elmsford'].map((placeId) => ({ placeId, role: 'viewer' }))
  expect(await loadInsight('viewer', both)).toMatchObject({
    status: 404,
    elsewhere: { id: 'oakton', displayName: 'Oakton' },
  })
  const stranger = await loadInsight('stranger')
  expect(stranger).toMatchObject({ status: 404 })
  expect(stranger).not.toHaveProperty('elsewhere')
})
