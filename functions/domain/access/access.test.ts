import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toAbilities, groupedOperations } from './abilities.ts'
import { isAllowed, defaultGrants, noSubject } from './allowed.ts'
import { toIdentity } from './identity.ts'
import { operationNames } from './operations.ts'
import { permit } from './permit.ts'
import { printTable } from './print.testing.ts'
import { builtInRoles, rolesFor } from './roles.ts'
import { seedRoles } from './seed.ts'
import { describeWhoMay } from './who-may.ts'
import { anonymous, system, type Actor } from '#functions/context.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

/** With `UPDATE_TABLE=1` the committed table is rewritten. */
test('the access table equals the committed one', () => {
  const file = new URL('./table.txt', import.meta.url)
  if (process.env.UPDATE_TABLE) writeFileSync(file, printTable())
  expect(printTable()).toBe(readFileSync(file, 'utf8'))
})

const sourceKey: Actor = { ...anonymous, kind: 'sourceKey', source: { id: 'open', placeId: 'oakton' } }
const about = { ...noSubject, placeId: 'oakton', sourceId: 'open' }

describe('allowed operations', () => {
  test('a source key writes the data of its source and nothing else', () => {
    const may = operationNames.filter((operation) => isAllowed(sourceKey, operation, about))
    const open = operationNames.filter((operation) => isAllowed(anonymous, operation, about))
    expect(may.filter((operation) => !open.includes(operation))).toEqual([
      'datum.create',
      'datum.update',
      'datum.delete',
    ])
    expect(isAllowed(sourceKey, 'datum.create', { ...about, sourceId: 'inner' })).toBe(false)
    expect(isAllowed(sourceKey, 'datum.create', { ...about, sourceId: null })).toBe(false)
  })

  test('a role counts only in its own place', () => {
    const admin: Actor = {
      ...anonymous,
      kind: 'user',
      user: { id: 'u', email: '', name: '', image: null, verified: true, welcomed: true, role: null },
      memberships: [{ placeId: 'oakton', role: 'organization_admin' }],
    }
    expect(isAllowed(admin, 'place.update', about)).toBe(true)
    expect(isAllowed(admin, 'place.update', { ...about, placeId: 'elmsford' })).toBe(false)
    expect(isAllowed(admin, 'place.update', noSubject)).toBe(false)
  })

  test('a role without grants, or with a name of Object.prototype, has no rights', () => {
    const odd: Actor = {
      ...anonymous,
      kind: 'user',
      user: {
        id: 'u',
        email: '',
        name: '',
        image: null,
        verified: true,
        welcomed: true,
        role: 'constructor',
      },
      memberships: [{ placeId: 'oakton', role: '__proto__' }],
    }
    expect(isAllowed(odd, 'source.create', about, defaultGrants)).toBe(false)
  })
})

test('row-level security opens only places with a role', () => {
  const memberships = [
    { placeId: 'oakton', role: 'viewer' },
    { placeId: 'elmsford', role: null },
  ]
  expect(toIdentity({ ...anonymous, kind: 'user', memberships })).toEqual({
    user: '',
    places: ['oakton'],
    global: '',
  })
  expect(toIdentity(system).global).toBe('system')
  expect(toIdentity(sourceKey)).toEqual({ user: '', places: ['oakton'], global: '' })
})

describe('the abilities of a role in words', () => {
  test('lists each operation that a role of places can have, once', () => {
    const placeOperations = operationNames.filter((operation) =>
      rolesFor(operation).some((role) => builtInRoles[role].scope === 'place'),
    )
    // Permissions of every signed-in person are not part of the table of roles.
    expect([...groupedOperations].sort()).toEqual([...placeOperations].sort())
  })

  test('lists groups that are fully, partly or not allowed', () => {
    const { may, partly, mayNot } = toAbilities(['text.translate', 'datum.create', 'constructor'])
    expect(may).toEqual(['Translate'])
    expect(partly).toEqual([{ group: 'Bring in data and keep it up to date', may: ['Add or replace data'] }])
    expect(mayNot).toContain('Invite people and give them roles')
    expect(toAbilities([...(defaultGrants.get('organization_admin') ?? [])]).mayNot).toEqual([])
  })
})

describe('permit', () => {
  let world: TestWorld
  beforeAll(async () => {
    world = await openWorld(city)
  })
  afterAll(() => world.close())

  const outcome = async (
    person: Person,
    ...request: [Parameters<typeof permit>[1], Record<string, string>, unknown?]
  ) =>
    permit(world.as(person), request[0], request[1], request[2]).then(
      (subject) => subject.placeId ?? 'no place',
      (error: { kind: string }) => error.kind,
    )

  test.each<[Person, string]>([
    ['anonymous', 'unauthenticated'],
    ['none', 'notFound'],
    ['stranger', 'notFound'],
    ['no_role', 'forbidden'],
    ['viewer', 'forbidden'],
    ['member', 'forbidden'],
    ['content_admin', 'oakton'],
    ['organization_admin', 'oakton'],
    ['support', 'forbidden'],
    ['super_admin', 'oakton'],
    ['system', 'oakton'],
  ])('%s changing a public source: %s', async (person, expected) => {
    expect(await outcome(person, 'source.update', { sourceId: 'open' })).toBe(expected)
    expect(await outcome(person, 'source.update', { placeId: 'oakton', sourceId: 'open' })).toBe(expected)
  })

  test('an error can say which roles may, and who holds one', async () => {
    const describeRule = (
      person: Person,
      operation: Parameters<typeof describeWhoMay>[1],
      placeId: string | null = 'oakton',
    ) => describeWhoMay(world.as(person), operation, placeId)
    const rule = 'Only people with the role Organization admin may change an insight.'
    const { name } = await world
      .as('system')
      .db.selectFrom('user')
      .select('name')
      .where('id', '=', 'organization_admin')
      .executeTakeFirstOrThrow()
    expect(await describeRule('viewer', 'insight.update')).toBe(`${rule} Ask ${name}.`)
    // People who may not see the users of the place get the roles only.
    for (const person of ['stranger', 'no_role', 'anonymous'] as const)
      expect(await describeRule(person, 'insight.update')).toBe(rule)
    expect(await describeRule('viewer', 'role.create')).toBe(
      'Only people with the role Super admin may create a role.',
    )
    expect(await describeRule('viewer', 'key.create')).toBeNull()
    const attempt = permit(world.as('viewer'), 'insight.update', { placeId: 'oakton' }, undefined)
    await expect(attempt).rejects.toMatchObject({ lacks: { operation: 'insight.update', placeId: 'oakton' } })
  })

  test('gives notFound for what a stranger may not see', async () => {
    expect(await outcome('stranger', 'source.read', { sourceId: 'inner' })).toBe('notFound')
    expect(await outcome('anonymous', 'source.read', { sourceId: 'inner' })).toBe('notFound')
    expect(await outcome('viewer', 'source.read', { sourceId: 'inner' })).toBe('oakton')
    expect(await outcome('viewer', 'source.read', { placeId: 'nowhere' })).toBe('notFound')
  })

  test('takes the place of something new from the body, else from where the person works', async () => {
    expect(await outcome('content_admin', 'source.create', {}, { placeId: 'oakton' })).toBe('oakton')
    expect(await outcome('content_admin', 'source.create', {}, {})).toBe('oakton')
    expect(await outcome('content_admin', 'source.create', {}, { placeId: 'elmsford' })).toBe('notFound')
  })

  test('allows official data types to super admins only', async () => {
    expect(await outcome('organization_admin', 'dataType.update', { dataTypeId: 'call' })).toBe('forbidden')
    expect(await outcome('organization_admin', 'dataType.update', { dataTypeId: 'tree' })).toBe('oakton')
    expect(await outcome('organization_admin', 'dataType.create', {}, { ownerPlaceId: null })).toBe(
      'forbidden',
    )
    expect(await outcome('super_admin', 'dataType.create', {}, { ownerPlaceId: null })).toBe('no place')
  })

  test('people see themselves, but not whether others exist', async () => {
    expect(await outcome('viewer', 'user.read', { userId: 'viewer' })).toBe('no place')
    expect(await outcome('viewer', 'user.read', { userId: 'member' })).toBe('notFound')
    expect(await outcome('support', 'user.read', { userId: 'member' })).toBe('no place')
    expect(await outcome('support', 'user.update', { userId: 'member' })).toBe('notFound')
  })

  test('a right revoked from a role in the database is gone with the next request', async () => {
    const { db } = world.as('system')
    await db
      .deleteFrom('roleOperation')
      .where('roleId', '=', 'content_admin')
      .where('operationId', '=', 'page.create')
      .execute()
    expect(await outcome('content_admin', 'page.create', { placeId: 'oakton' })).toBe('forbidden')
    expect(await outcome('organization_admin', 'page.create', { placeId: 'oakton' })).toBe('oakton')
    // Seeding again does not give it back.
    await world.as('system').transaction(seedRoles)
    expect(await outcome('content_admin', 'page.create', { placeId: 'oakton' })).toBe('forbidden')
  })
})
