import { afterAll, beforeAll, expect, test } from 'vitest'
import { v1 } from './index.ts'
import { serveV1 } from './serve.ts'
import type { OperationName } from '#functions/domain/access/operations.ts'
import { routes } from '#functions/api/routes.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

/**
 * Operations that require re-authentication: changing roles, the internals, deleting an organization's data, creating keys, and the
 * own second factor.
 */
const kinds: OperationName[] = [
  'role.create',
  'role.update',
  'role.delete',
  'operation.update',
  'internal.act',
  'source.wipe',
  'source.delete',
  'dataType.delete',
  'key.create',
  'sourceKey.create',
]
/** These restore something, or remove only sample data, which can be restored. */
const harmless = ['place.source.restore', 'place.dataType.restore', 'place.removeSample']

test('every endpoint of these kinds declares it, and no other except those named here', () => {
  const all = routes(v1)
  for (const kind of kinds) expect(all.some(({ endpoint }) => endpoint.allow === kind)).toBe(true)
  const must = all.filter(({ name, endpoint }) => kinds.includes(endpoint.allow) && !harmless.includes(name))
  expect(must.filter(({ endpoint }) => endpoint.stepUp !== true).map(({ name }) => name)).toEqual([])
  const others = all.filter((route) => route.endpoint.stepUp && !must.includes(route))
  expect(others.map(({ name }) => name).sort()).toEqual([
    'core.auth.changeEmail',
    'core.factor.remove',
    'core.factor.renewCodes',
    'core.passkey.begin',
    'core.passkey.deleteById',
    'core.sso.deleteById',
    'core.sso.link',
    'place.archive.create',
    'place.close',
    'place.mailDomain.create',
    'place.mailDomain.deleteById',
    'place.mailDomain.updateById',
    'place.removeSso',
    'place.saveSso',
    'place.user.handOver',
    'user.updateById',
  ])
})

/** The response to a person who re-authenticated so many minutes ago (null: never). */
async function asks(minutes: number | null, method: string, path: string, data?: unknown) {
  const ctx = world.as('super_admin')
  const provedAt = minutes === null ? null : new Date(ctx.now().getTime() - minutes * 60_000)
  const actor = { ...ctx.actor, session: ctx.actor.session && { ...ctx.actor.session, provedAt } }
  const init: RequestInit = { method, headers: { 'content-type': 'application/json' } }
  if (data !== undefined) init.body = JSON.stringify(data)
  const response = await serveV1(new Request(`http://localhost:8787/v1${path}`, init), { ...ctx, actor })
  const { error } = (await response.json()) as { error?: { reason?: string; message: string } }
  return { status: response.status, reason: error?.reason }
}
const refusal = { status: 403, reason: 'stepUp' }

test('a session without it, or with one of more than ten minutes ago, is rejected with the reason', async () => {
  for (const age of [null, 10, 600]) {
    expect(await asks(age, 'POST', '/sources/open/wipe')).toEqual(refusal)
    expect(await asks(age, 'DELETE', '/dataTypes/call')).toEqual(refusal)
    expect(await asks(age, 'PATCH', '/users/member', { role: 'support' })).toEqual(refusal)
    expect(await asks(age, 'POST', '/places/oakton/users/member/handOver', { role: null })).toEqual(refusal)
  }
  expect(await asks(9, 'POST', '/sources/open/keys', { name: 'k' })).toEqual({ status: 201 })
})

test('only for the data that requires it: a name is changed without', async () => {
  expect(await asks(null, 'PATCH', '/users/member', { name: 'Ann' })).toEqual({ status: 200 })
  expect(await asks(9, 'PATCH', '/users/member', { role: 'support' })).toEqual({ status: 200 })
})

test('of a person’s keys only one with the scope `internals` may do these operations', async () => {
  const statusWith = async (scope: 'read' | 'account' | 'internals', path: string) => {
    const ctx = world.as('super_admin')
    const actor = { ...ctx.actor, session: null, key: { id: 'k', scope } }
    const request = new Request(`http://localhost:8787/v1${path}`, { method: 'POST' })
    return (await serveV1(request, { ...ctx, actor })).status
  }
  expect(await statusWith('read', '/sources/open/wipe')).toBe(403)
  expect(await statusWith('account', '/sources/open/wipe')).toBe(403)
  expect(await statusWith('internals', '/sources/open/wipe')).toBe(200)
})
