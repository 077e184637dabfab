import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeSource } from './change.server.ts'
import { sourceScreen } from './source.server.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type Opened, type Person } from '#db/worlds/world.ts'

let world: Opened
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const argsOf = (person: Person, fields?: Record<string, string>) => {
  const ctx = world.as(person)
  const { origin } = ctx.site
  const init = fields ? { method: 'POST', headers: { origin }, body: new URLSearchParams(fields) } : {}
  const request = new Request(`${origin}/sources/open?tab=settings`, init)
  return { request, params: { sourceId: 'open' }, context: { ctx } } as never
}
const names = async (person: Person) =>
  (await sourceScreen(argsOf(person))).keys?.map(({ name }) => name) ?? null

test('a key of a source is made, shown once and revoked in its settings', async () => {
  const made = await changeSource(
    argsOf('content_admin', { intent: 'makeKey', name: 'Sensor', expiresInDays: '30' }),
  )
  expect(made).toMatchObject({ ok: true, result: { name: 'Sensor', key: expect.any(String) } })
  const { expiresAt } = (made as { result: { expiresAt: Date } }).result
  expect((Number(expiresAt) - Date.now()) / 86_400_000).toBeCloseTo(30, 1)
  const { keys } = await sourceScreen(argsOf('content_admin'))
  expect(keys).toEqual([expect.not.objectContaining({ key: expect.anything() })])
  const id = keys?.[0]?.id ?? ''
  expect(await changeSource(argsOf('content_admin', { intent: 'revokeKey', id }))).toMatchObject({ ok: true })
  expect(await names('content_admin')).toEqual([])
})

test('who may not change the source sees no keys and makes none', async () => {
  expect(await names('viewer')).toBeNull()
  const refused = await changeSource(argsOf('viewer', { intent: 'makeKey', name: 'Mine' }))
  expect(refused).toMatchObject({ ok: false, status: 403 })
  expect(await names('content_admin')).toEqual([])
})
