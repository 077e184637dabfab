import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from './testing/wire.testing.ts'
import { operationNames } from '#functions/domain/access/operations.ts'
import { seedRoles } from '#functions/domain/access/seed.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const askAs = (person: Person, requestLine: string, body?: unknown) =>
  ask(world.as(person), requestLine, body)
const root = (requestLine: string, body?: unknown) => askAs('super_admin', requestLine, body)
const readOperations = async (role: string) =>
  (await root(`GET /roles/${role}`)).body.operations as unknown as string[]
const paths = ({ body }: Awaited<ReturnType<typeof ask>>) => body.error?.fields?.map(({ path }) => path)

describe('roles', () => {
  test('are created, changed, and deleted once unused', async () => {
    const postResponse = await root('POST /roles', {
      id: 'data_steward',
      name: 'Data steward',
      operations: ['source.create', 'datum.create', 'source.create'],
    })
    expect(postResponse).toMatchObject({
      status: 201,
      body: {
        id: 'data_steward',
        scope: 'place',
        isBuiltIn: false,
        version: 1,
        operations: ['datum.create', 'source.create'],
      },
    })
    expect((await root('POST /roles', { id: 'data_steward', name: 'Again' })).status).toBe(409)
    const patchResponse = await root('PATCH /roles/data_steward', { name: 'Steward', version: 1 })
    expect(patchResponse.body).toMatchObject({
      name: 'Steward',
      version: 2,
      operations: ['datum.create', 'source.create'],
    })
    expect(await root('PATCH /roles/data_steward', { name: 'Late', version: 1 })).toMatchObject({
      status: 409,
    })

    // In use by a person, then by a pending invitation, then unused.
    const admin = 'organization_admin'
    expect((await askAs(admin, 'PATCH /places/oakton/users/viewer', { role: 'data_steward' })).status).toBe(
      200,
    )
    expect((await root('DELETE /roles/data_steward')).status).toBe(409)
    expect((await askAs(admin, 'PATCH /places/oakton/users/viewer', { role: 'viewer' })).status).toBe(200)
    const about = { email: 'guest@example.org', role: 'data_steward' }
    const { body: invite } = await askAs(admin, 'POST /places/oakton/invites', about)
    expect((await root('DELETE /roles/data_steward')).status).toBe(409)
    expect((await askAs(admin, `DELETE /invites/${invite.id as unknown as string}`)).status).toBe(200)
    expect(await root('DELETE /roles/data_steward')).toMatchObject({
      status: 200,
      body: { id: 'data_steward' },
    })
    expect((await root('GET /roles/data_steward')).status).toBe(404)
    expect((await askAs(admin, `GET /invites?filters[status]=revoked`)).body).toMatchObject({
      results: [{ role: 'data_steward' }],
    })

    const trail = await world
      .as('system')
      .db.selectFrom('activity')
      .select(['verb', 'placeId', 'actorId'])
      .where('targetId', '=', 'data_steward')
      .orderBy('at')
      .execute()
    expect(trail).toEqual(
      ['created', 'updated', 'deleted'].map((verb) => ({ verb, placeId: null, actorId: 'super_admin' })),
    )
  })

  test('of a place have no operation that is not about one place', async () => {
    for (const operation of [
      'internal.act',
      'role.update',
      'user.list',
      'user.update',
      'place.create',
      'operation.create',
    ]) {
      const answer = await root('POST /roles', {
        id: 'climber',
        name: 'Climber',
        operations: ['source.create', operation],
      })
      expect([operation, answer.status, paths(answer)]).toEqual([operation, 400, [['operations', 1]]])
    }
    const member = await readOperations('member')
    const rejectedUpdate = await root('PATCH /roles/member', {
      operations: [...member, 'internal.read', 'nonsense.do'],
    })
    expect([rejectedUpdate.status, paths(rejectedUpdate)]).toEqual([
      400,
      [
        ['operations', member.length],
        ['operations', member.length + 1],
      ],
    ])
    expect(await readOperations('member')).toEqual(member)
  })

  test('never grant operations on one’s own things: else a role could create keys of others', async () => {
    const all = await readOperations('super_admin')
    for (const operation of ['key.create', 'key.read', 'session.read', 'auth.use']) {
      const answer = await root('PATCH /roles/super_admin', { operations: [...all, operation] })
      expect([operation, answer.status, paths(answer)]).toEqual([
        operation,
        400,
        [['operations', all.length]],
      ])
    }
  })

  test('built-in ones cannot be deleted, and super admins keep all operations', async () => {
    for (const role of ['super_admin', 'support', 'organization_admin', 'content_admin', 'member', 'viewer'])
      expect([role, (await root(`DELETE /roles/${role}`)).status]).toEqual([role, 409])
    const all = await readOperations('super_admin')
    const less = await root('PATCH /roles/super_admin', {
      operations: all.filter((name) => name !== 'role.update'),
    })
    expect([less.status, paths(less)]).toEqual([400, [['operations']]])
    const support = await readOperations('support')
    expect((await root('PATCH /roles/support', { operations: [...support, 'source.wipe'] })).status).toBe(400)
    expect((await root('PATCH /roles/support', { operations: [...support, 'invite.read'] })).status).toBe(200)
    expect((await askAs('support', 'GET /invites')).status).toBe(200)
    expect((await root('PATCH /roles/support', { operations: support })).status).toBe(200)
  })

  test('accept no id in another format, no global scope, no internal column', async () => {
    const newRole = { id: 'fine', name: 'Fine' }
    for (const wrong of [
      { id: 'Not-snake' },
      { id: '__proto__' },
      { id: 'a__b' },
      { scope: 'global' },
      { isBuiltIn: true },
      { version: 3 },
      { operations: [1] },
    ])
      expect([wrong, (await root('POST /roles', { ...newRole, ...wrong })).status]).toEqual([wrong, 400])
    for (const wrong of [{ id: 'other' }, { scope: 'global' }, { isBuiltIn: false }])
      expect([wrong, (await root('PATCH /roles/member', wrong)).status]).toEqual([wrong, 400])
  })

  test('are readable by all signed-in people and changed by super admins', async () => {
    expect((await askAs('viewer', 'GET /roles')).status).toBe(200)
    expect((await askAs('anonymous', 'GET /roles')).status).toBe(401)
    for (const person of ['viewer', 'organization_admin', 'support'] as const) {
      expect((await askAs(person, 'POST /roles', { id: 'mine', name: 'Mine' })).status).toBe(403)
      expect((await askAs(person, 'PATCH /roles/viewer', { operations: ['source.wipe'] })).status).toBe(403)
      // Row-level security, without the application's check.
      const { db } = world.as(person)
      const grant = { roleId: 'viewer', operationId: 'source.wipe' }
      await expect(db.insertInto('roleOperation').values(grant).execute()).rejects.toThrow(
        /row-level security/,
      )
      const deleteResult = await db.deleteFrom('roleOperation').executeTakeFirstOrThrow()
      expect(deleteResult.numDeletedRows).toBe(0n)
    }
  })
})

describe('a change takes effect from the next request on', () => {
  const create = () => askAs('content_admin', 'POST /places/oakton/collections', { name: 'Trees' })

  test('for a revoked operation, and for one granted again', async () => {
    expect((await create()).status).toBe(201)
    const before = await readOperations('content_admin')
    const without = before.filter((name) => name !== 'collection.create')
    await root('PATCH /roles/content_admin', { operations: without })
    expect((await create()).status).toBe(403)
    await root('PATCH /operations/collection.create', {
      roles: ['super_admin', 'organization_admin', 'content_admin'],
    })
    expect((await create()).status).toBe(201)
    expect(await readOperations('content_admin')).toEqual(before)
  })
})

describe('operations', () => {
  test('are listed by area, each with its roles', async () => {
    const { body } = await root('GET /operations?limit=1000')
    expect(body.meta).toEqual({ results: operationNames.length, total: operationNames.length })
    const { body: one } = await root('GET /operations/source.wipe')
    expect(one).toMatchObject({ area: 'source', isBuiltIn: true })
    expect(one.roles).toEqual(['content_admin', 'organization_admin', 'super_admin'])
    const { body: groups } = await root('GET /operations/group')
    const results = groups.results as unknown as {
      area: string
      operations: { id: string; area: string }[]
    }[]
    expect(results.flatMap(({ operations }) => operations)).toHaveLength(operationNames.length)
    for (const { area, operations } of results)
      expect(new Set(operations.map((o) => o.area))).toEqual(new Set([area]))
    const { body: few } = await root('GET /operations/group?filters[area]=key&limit=1')
    expect(few).toMatchObject({ results: [{ area: 'key' }], meta: { results: 1, total: 1 } })
  })

  test('of the product keep their name and cannot be deleted; description and roles are editable', async () => {
    expect((await root('DELETE /operations/source.wipe')).status).toBe(409)
    expect((await root('PATCH /operations/source.wipe', { id: 'source.burn' })).status).toBe(400)
    const edited = await root('PATCH /operations/source.wipe', { sentence: 'Empty a source', version: 1 })
    expect(edited.body).toMatchObject({ sentence: 'Empty a source', version: 2, isBuiltIn: true })
    const late = await root('PATCH /operations/source.wipe', { sentence: 'x', version: 1 })
    expect(late.status).toBe(409)
    const rejectedUpdate = await root('PATCH /operations/source.wipe', { roles: ['organization_admin'] })
    expect([rejectedUpdate.status, paths(rejectedUpdate)]).toEqual([400, [['roles']]])
    const global = await root('PATCH /operations/internal.act', {
      roles: ['super_admin', 'organization_admin'],
    })
    expect([global.status, paths(global)]).toEqual([400, [['roles', 1]]])
    const before = (await root('GET /roles/content_admin')).body.version as unknown as number
    expect(
      (await root('PATCH /operations/source.wipe', { roles: ['super_admin', 'organization_admin'] })).status,
    ).toBe(200)
    expect((await root('GET /roles/content_admin')).body.version).toBe(before + 1)
  })

  test('custom ones are created and deleted, and grant nothing', async () => {
    const response = await root('POST /operations', {
      id: 'report.sign',
      sentence: 'Sign the yearly report',
      roles: ['viewer'],
    })
    expect(response).toMatchObject({
      status: 201,
      body: { area: 'report', isBuiltIn: false, roles: ['viewer'] },
    })
    expect((await root('POST /operations', { id: 'report.sign', sentence: 'x' })).status).toBe(409)
    expect((await root('POST /operations', { id: 'source.wipe', sentence: 'x' })).status).toBe(409)
    for (const id of ['report', 'report.', 'Report.sign', 'a.b.c', '__proto__.x', "x'.y"])
      expect([id, (await root('POST /operations', { id, sentence: 'x' })).status]).toEqual([id, 400])
    // People who assign roles are not affected.
    const hand = await askAs('organization_admin', 'PATCH /places/oakton/users/member', { role: 'viewer' })
    expect(hand.status).toBe(200)
    await askAs('organization_admin', 'PATCH /places/oakton/users/member', { role: 'member' })
    expect((await root('DELETE /operations/report.sign')).status).toBe(200)
    expect(await readOperations('viewer')).not.toContain('report.sign')
  })
})

describe('seeding a database that is in use', () => {
  test('adds what is new in the table and keeps changes', async () => {
    const { db } = world.as('system')
    const trimmed = (await readOperations('member')).slice(1)
    await root('PATCH /roles/member', { operations: trimmed })
    // Simulates an operation that is new in the code, and was created by hand before and granted to viewers.
    await db.deleteFrom('operation').where('id', '=', 'place.usage').execute()
    const operation = { id: 'place.usage', area: 'place', sentence: 'Old', isBuiltIn: false }
    await db.insertInto('operation').values(operation).execute()
    await db.insertInto('roleOperation').values({ roleId: 'viewer', operationId: 'place.usage' }).execute()
    await world.as('system').transaction(seedRoles)
    expect((await root('GET /operations/place.usage')).body).toMatchObject({
      isBuiltIn: true,
      roles: ['content_admin', 'organization_admin', 'super_admin', 'support'],
    })
    expect(await readOperations('member')).toEqual(trimmed)
  })

  test('gives a new role the operations in the table', async () => {
    const { db } = world.as('system')
    const before = await readOperations('support')
    await db.deleteFrom('role').where('id', '=', 'support').execute()
    await world.as('system').transaction(seedRoles)
    expect(await readOperations('support')).toEqual(before)
  })
})
