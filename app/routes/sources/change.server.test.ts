import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeSource } from './change.server.ts'
import { importersScreen, recordsScreen, settingsScreen } from './source.server.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const buildArgs = (person: Person, fields?: Record<string, string>, at = '/sources/open/settings') => {
  const ctx = world.as(person)
  const { origin } = ctx.site
  const init = fields ? { method: 'POST', headers: { origin }, body: new URLSearchParams(fields) } : {}
  const request = new Request(origin + at, init)
  return { request, params: { sourceId: 'open' }, context: { ctx } } as never
}
const names = async (person: Person) =>
  (await settingsScreen(buildArgs(person))).keys?.map(({ name }) => name) ?? null

test('a key of a source is created, shown once and revoked in its settings', async () => {
  const outcome = await changeSource(
    buildArgs('content_admin', { intent: 'makeKey', name: 'Sensor', expiresInDays: '30' }),
  )
  expect(outcome).toMatchObject({ ok: true, result: { name: 'Sensor', key: expect.any(String) } })
  const { expiresAt } = (outcome as { result: { expiresAt: Date } }).result
  expect((Number(expiresAt) - Date.now()) / 86_400_000).toBeCloseTo(30, 1)
  const { keys } = await settingsScreen(buildArgs('content_admin'))
  expect(keys).toEqual([expect.not.objectContaining({ key: expect.anything() })])
  const id = keys?.[0]?.id ?? ''
  expect(await changeSource(buildArgs('content_admin', { intent: 'revokeKey', id }))).toMatchObject({
    ok: true,
  })
  expect(await names('content_admin')).toEqual([])
})

test('people who may not change the source see no keys and create none', async () => {
  await expect(names('viewer')).rejects.toMatchObject({ status: 302 })
  const outcome = await changeSource(buildArgs('viewer', { intent: 'makeKey', name: 'Mine' }))
  expect(outcome).toMatchObject({ ok: false, status: 403 })
  expect(await names('content_admin')).toEqual([])
})

test('an old address of a tab redirects to its current one', async () => {
  const findRedirect = async (query: string) => {
    const screen = recordsScreen(buildArgs('content_admin', undefined, `/sources/open?${query}`))
    return screen.then(
      () => null,
      (answer: Response) => answer.headers.get('location'),
    )
  }
  expect(await findRedirect('tab=importers')).toBe('/sources/open/importers')
  expect(await findRedirect('tab=map&search=oak')).toBe('/sources/open/map?search=oak')
  expect(await findRedirect('tab=records&sort=name')).toBe('/sources/open?sort=name')
  expect(await findRedirect('tab=unknown')).toBe('/sources/open')
  expect(await findRedirect('sort=name')).toBeNull()
})

test('a tab requests nothing that only another one shows', async () => {
  expect(await importersScreen(buildArgs('content_admin'))).toEqual({
    ...{ sourceId: 'open', mayImport: true, importers: expect.any(Array) },
  })
})
