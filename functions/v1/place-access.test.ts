import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { v1 } from './index.ts'
import { serveV1 } from './serve.ts'
import { toIdentity } from '#functions/domain/access/identity.ts'
import { sweepIdentity } from '#functions/domain/identity/sweep.ts'
import type { Actor } from '#functions/context.ts'
import { call } from '#functions/api/call.ts'
import { city } from '#db/worlds/city.ts'
import { actorWithReason } from '#functions/v1/testing/with-reason.testing.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())
afterEach(async () => {
  await sql`delete from place_access`.execute(world.as('system').db)
})

const lowered = () => world.as('support').actor
const reason = 'Ticket 4711: the importer of parking meters stops'

async function ask(actor: Actor, method: string, path: string, data?: unknown) {
  const init: RequestInit = { method, headers: { 'content-type': 'application/json' } }
  if (data !== undefined) init.body = JSON.stringify(data)
  const ctx = world.as('support', { actor })
  const response = await serveV1(new Request(`http://localhost:8787/v1${path}`, init), ctx)
  const body = (await response.json()) as {
    error?: { reason?: string; kind: string; fields: { path: unknown[] }[] }
    results?: { id: string }[]
  }
  return { status: response.status, reason: body.error?.reason, body }
}
const listVisibleIds = async (actor: Actor, path: string) =>
  ((await ask(actor, 'GET', path)).body.results ?? []).map(({ id }) => id).sort()

/** Endpoints that require a role in the place, and are readable by support staff. */
const workspace = [
  '/places/oakton/usage',
  '/places/oakton/hubUsage',
  '/places/oakton/attention',
  '/places/oakton/hubStatus',
  '/places/oakton/activities',
  '/places/oakton/users',
  '/places/oakton/observers',
  '/assets/oakton/folders',
]

describe('without a reason', () => {
  test.each(workspace)('%s is rejected, and says what is missing', async (path) => {
    expect(await ask(lowered(), 'GET', path)).toMatchObject({ status: 403, reason: 'reason' })
  })

  test('what no reason would allow is forbidden as before', async () => {
    const response = await ask(lowered(), 'PATCH', '/places/oakton', { description: 'x' })
    expect(response).toMatchObject({ status: 403, reason: undefined })
  })

  test('support staff see what any signed-in stranger sees', async () => {
    const stranger = world.as('none').actor
    for (const noun of ['sources', 'pages', 'insights', 'collections', 'dataTypes']) {
      const path = `/places/oakton/${noun}?limit=1000`
      const visibleIds = await listVisibleIds(lowered(), path)
      expect([noun, visibleIds]).toEqual([noun, await listVisibleIds(stranger, path)])
    }
    expect(await listVisibleIds(lowered(), '/places/oakton/sources')).toEqual(['open'])
    for (const path of ['/sources/inner', '/sources/secret', '/places/oakton/pages/inner-page'])
      expect([path, (await ask(lowered(), 'GET', path)).status]).toEqual([path, 404])
  })

  test('row-level security shows no more either', async () => {
    const connection = world.database.connect(toIdentity(lowered()))
    const sources = await connection.db.selectFrom('source').select('id').orderBy('id').execute()
    const importers = await connection.db.selectFrom('importer').select('id').execute()
    const invites = await connection.db.selectFrom('invite').select('id').execute()
    await connection.end()
    expect(sources.map(({ id }) => id)).toEqual(['far-open', 'open'])
    expect([importers, invites]).toEqual([[], []])
  })

  test('lists that belong to no place work: places, people', async () => {
    expect(await listVisibleIds(lowered(), '/places')).toEqual(['elmsford', 'oakton'])
    expect(await ask(lowered(), 'GET', '/users')).toMatchObject({ status: 200 })
  })
})

describe('with a reason', () => {
  test('the place is readable including private rows, and no other place', async () => {
    const actor = await actorWithReason(world, 'support', ['oakton'], reason)
    for (const path of workspace) expect([path, (await ask(actor, 'GET', path)).status]).toEqual([path, 200])
    expect(await listVisibleIds(actor, '/places/oakton/sources')).toEqual(['inner', 'mine', 'open', 'secret'])
    expect(await ask(actor, 'GET', '/sources/secret')).toMatchObject({ status: 200 })
    expect(await ask(actor, 'GET', '/places/elmsford/usage')).toMatchObject({ status: 403, reason: 'reason' })
    expect(await listVisibleIds(actor, '/places/elmsford/sources')).toEqual(['far-open'])
  })

  test('nothing of it is writable: neither by endpoints nor in the database', async () => {
    const actor = await actorWithReason(world, 'support', ['oakton'], reason)
    expect(await ask(actor, 'PATCH', '/sources/inner', { notes: 'x' })).toMatchObject({ status: 403 })
    expect(await ask(actor, 'GET', '/sources/inner/keys')).toMatchObject({ status: 403 })
    const connection = world.database.connect(toIdentity(actor))
    for (const table of ['source', 'importer', 'observer', 'invite', 'page'] as const) {
      const updateResult =
        await sql`update ${sql.table(table)} set place_id = place_id where place_id = 'oakton'`.execute(
          connection.db,
        )
      expect([table, Number(updateResult.numAffectedRows)]).toEqual([table, 0])
    }
    await connection.end()
  })

  test('it is in the audit log of the place, for its members, and in the person’s own', async () => {
    const actor = await actorWithReason(world, 'support', ['oakton'], reason)
    await call(v1.place.access.leave, world.as('support', { actor }), { params: { placeId: 'oakton' } })
    const placeActivity = await call(v1.place.activity.find, world.as('organization_admin'), {
      params: { placeId: 'oakton' },
      options: { filters: { actorId: 'support' } },
    })
    const until =
      /^Ticket 4711: the importer of parking meters stops \(support, until \d{4}-\d\d-\d\d \d\d:\d\d UTC\)$/
    const newest = placeActivity.results.slice(0, 2)
    expect(newest.map(({ verb, targetId, actorName }) => ({ verb, targetId, actorName }))).toEqual([
      { verb: 'accessEnded', targetId: 'oakton', actorName: 'support' },
      { verb: 'accessOpened', targetId: 'oakton', actorName: 'support' },
    ])
    expect(newest[1]?.targetName).toMatch(until)
    const own = await call(v1.user.activity.find, world.as('support'), { params: { userId: 'support' } })
    expect(own.results.slice(0, 2).map(({ verb }) => verb)).toEqual(['accessEnded', 'accessOpened'])
    expect(own.results[1]?.targetName).toMatch(until)
  })

  test('it ends when they leave, after an hour, and with the session', async () => {
    const { db } = world.as('system')
    const open = async () => (await actorWithReason(world, 'support', [])).opened?.length
    const actor = await actorWithReason(world, 'support', ['oakton', 'elmsford'], reason)
    expect(actor.opened).toHaveLength(2)
    const left = await ask(actor, 'POST', '/places/oakton/access/leave')
    expect(left.body).toEqual({ count: 1 })
    expect(await open()).toBe(1)
    expect((await ask(actor, 'POST', '/places/oakton/access/leave')).body).toEqual({ count: 0 })
    await sql`update place_access set opened_at = opened_at - interval '61 minutes', ends_at = ends_at - interval '61 minutes'`.execute(
      db,
    )
    expect(await open()).toBe(0)
    await actorWithReason(world, 'support', ['oakton'], reason)
    await db.deleteFrom('session').where('id', '=', 'session-of-support').execute()
    expect(await open()).toBe(0)
  })

  test('a new reason starts a new hour, and one row is open', async () => {
    await actorWithReason(world, 'support', ['oakton'], 'First')
    const { opened: openPlaces } = await actorWithReason(world, 'support', ['oakton'], 'Second')
    expect(openPlaces).toHaveLength(1)
    const { until } = openPlaces?.[0] ?? { until: new Date(0) }
    expect(Math.abs(until.getTime() - Date.now() - 60 * 60_000)).toBeLessThan(60_000)
  })

  test('rows are deleted a month after they ended; log entries stay', async () => {
    const { db } = world.as('system')
    await actorWithReason(world, 'support', ['oakton'], 'Long ago')
    await sql`update place_access set opened_at = now() - interval '31 days', ends_at = now() - interval '31 days'`.execute(
      db,
    )
    await actorWithReason(world, 'support', ['elmsford'], 'Lately')
    await sweepIdentity(db)
    const rows = await db.selectFrom('placeAccess').select('reason').execute()
    expect(rows).toEqual([{ reason: 'Lately' }])
    const lines = await db
      .selectFrom('activity')
      .select('placeId')
      .where('targetName', 'like', 'Long ago%')
      .execute()
    expect(lines.map(({ placeId }) => placeId).sort()).toEqual(['oakton', null].sort())
  })
})

describe('giving a reason', () => {
  test.each<[string, unknown]>([
    ['none', {}],
    ['empty', { reason: '  ' }],
    ['too long', { reason: 'x'.repeat(501) }],
    ['a control character', { reason: 'a\u0007b' }],
    ['two lines', { reason: 'a\nb' }],
    ['markup', { reason: 'a <b>' }],
    ['no text', { reason: 7 }],
  ])('%s is rejected at its field', async (_name, data) => {
    const { status, body } = await ask(lowered(), 'POST', '/places/oakton/access', data)
    expect([status, body.error?.fields[0]?.path]).toEqual([400, ['reason']])
  })

  test('of up to 500 characters is accepted and trimmed', async () => {
    await actorWithReason(world, 'support', ['oakton'], ` ${'x'.repeat(500)} `)
    const rows = await world.as('system').db.selectFrom('placeAccess').select('reason').execute()
    expect(rows).toEqual([{ reason: 'x'.repeat(500) }])
  })

  test.each<[Person, number]>([
    ['anonymous', 401],
    ['none', 404],
    ['stranger', 404],
    ['viewer', 403],
    ['organization_admin', 403],
  ])('is not for %s', async (person, status) => {
    expect(await ask(world.as(person).actor, 'POST', '/places/oakton/access', { reason })).toMatchObject({
      status,
    })
  })

  test('an API key can neither give one nor benefit from one', async () => {
    const supportActor = await actorWithReason(world, 'support', ['oakton'], reason)
    const key: Actor = { ...lowered(), session: null, key: { id: 'k', scope: 'account' } }
    expect(supportActor.opened).toHaveLength(1)
    expect(await ask(key, 'POST', '/places/oakton/access', { reason })).toMatchObject({ status: 403 })
    expect(await ask(key, 'GET', '/places/oakton/usage')).toMatchObject({ status: 403, reason: 'reason' })
  })

  test('for an unknown place is 404', async () => {
    expect(await ask(lowered(), 'POST', '/places/nowhere/access', { reason })).toMatchObject({ status: 404 })
  })
})

describe('super admins', () => {
  /** An actor who has not given a reason yet. */
  const createActorWithoutReason = (): Actor => {
    const { opened: _, ...actor } = world.as('super_admin').actor
    return actor
  }

  test('need one too, before they read or change a place: it is in its log', async () => {
    for (const path of workspace)
      expect([path, await ask(createActorWithoutReason(), 'GET', path)]).toMatchObject([
        path,
        { status: 403, reason: 'reason' },
      ])
    for (const [method, path, data] of [
      ['PATCH', '/places/oakton', { description: 'x' }],
      ['PATCH', '/sources/open', { notes: 'x' }],
      ['DELETE', '/places/oakton/pages/inner-page', undefined],
      ['POST', '/invites', { email: 'guest@example.org', role: 'viewer', placeId: 'oakton' }],
    ] as const)
      expect([path, (await ask(createActorWithoutReason(), method, path, data)).status]).toEqual([path, 403])
    expect(await listVisibleIds(createActorWithoutReason(), '/places/oakton/sources')).toEqual(['open'])
    expect(await listVisibleIds(createActorWithoutReason(), '/sources')).toEqual(['far-open', 'open'])
    expect(await listVisibleIds(createActorWithoutReason(), '/invites')).toEqual([])
    const { opened: openPlaces } = await actorWithReason(world, 'super_admin', ['oakton'], reason)
    const after = { ...createActorWithoutReason(), ...(openPlaces && { opened: openPlaces }) }
    expect(await ask(after, 'PATCH', '/sources/open', { notes: 'x' })).toMatchObject({ status: 200 })
    expect(await listVisibleIds(after, '/places/oakton/sources')).toEqual(['inner', 'mine', 'open', 'secret'])
    expect(await ask(after, 'PATCH', '/places/elmsford', { description: 'x' })).toMatchObject({
      status: 403,
      reason: 'reason',
    })
    const log = await call(v1.place.activity.find, world.as('organization_admin'), {
      params: { placeId: 'oakton' },
      options: { filters: { actorId: 'super_admin' }, limit: 2 },
    })
    expect(log.results.map(({ verb }) => verb)).toEqual(['updated', 'accessOpened'])
    expect(log.results[1]?.targetName).toMatch(/\(super admin, until /)
  })

  test('a data type needs the reason of the place it belongs to', async () => {
    const { opened: openPlaces } = await actorWithReason(world, 'super_admin', ['oakton'], reason)
    const here = { ...createActorWithoutReason(), ...(openPlaces && { opened: openPlaces }) }
    const far = await ask(here, 'PATCH', '/dataTypes/lamp', { name: 'Mine now' })
    expect(far).toMatchObject({ status: 403, reason: 'reason' })
  })

  test('what belongs to no place needs no reason: creating one, users, roles', async () => {
    for (const path of ['/users', '/roles', '/places', '/internals/hubs'])
      expect([path, (await ask(createActorWithoutReason(), 'GET', path)).status]).toEqual([path, 200])
    expect(
      await ask(createActorWithoutReason(), 'POST', '/places', { id: 'birchwood', name: 'Birchwood' }),
    ).toMatchObject({
      status: 201,
    })
  })

  test('their keys cannot have one: programs give no reasons', async () => {
    const key: Actor = { ...createActorWithoutReason(), session: null, key: { id: 'k', scope: 'internals' } }
    expect(await ask(key, 'GET', '/places/oakton/usage')).toMatchObject({ status: 200 })
    expect(await ask(key, 'POST', '/places/oakton/access', { reason })).toMatchObject({ status: 403 })
  })
})

test('a member of the place acts as such and needs no reason', async () => {
  const actor = { ...lowered(), memberships: [{ placeId: 'oakton', role: 'viewer' }] }
  expect(await ask(actor, 'GET', '/places/oakton/activities')).toMatchObject({ status: 200 })
  expect(await listVisibleIds(actor, '/places/oakton/sources')).toEqual(['inner', 'open'])
  expect(await ask(actor, 'GET', '/places/oakton/usage')).toMatchObject({ status: 403, reason: undefined })
})

test('the actor of another role has no opened places', async () => {
  const actor = await actorWithReason(world, 'support', ['oakton'], reason)
  const demoted = { ...actor, user: actor.user && { ...actor.user, role: null } }
  expect(toIdentity(demoted)).toEqual({ user: 'support', places: [], global: '' })
  expect(await listVisibleIds(demoted, '/places/oakton/sources')).toEqual(['open'])
})

describe('the database', () => {
  test('has no policy on a place’s table that shows every row to support staff', async () => {
    const { rows } = await sql<{ name: string }>`
      select p.schemaname || '.' || p.tablename as name from pg_policies p
        join pg_attribute a on a.attrelid = format('%I.%I', p.schemaname, p.tablename)::regclass
          and a.attname = 'place_id' and not a.attisdropped
      where p.schemaname in ('public', 'data') and p.tablename not in ('place_user', 'api_key')
        and concat(p.qual, p.with_check) like '%app_reads_all()%' order by 1`.execute(world.as('system').db)
    expect(rows).toEqual([])
  })

  test('accepts log entries of a place from support staff only about access, and only their own', async () => {
    const add = async (verb: string, actorId: string) => {
      const { db, end } = world.database.connect(toIdentity(lowered()))
      const line = { placeId: 'oakton', targetType: 'place', targetId: 'oakton', at: new Date() }
      const insertOutcome = await db
        .insertInto('activity')
        .values({ id: crypto.randomUUID(), verb, actorId, ...line, personId: null, ipPrefix: null })
        .execute()
        .then(
          () => 'added',
          ({ code }: { code: string }) => code,
        )
      await end()
      return insertOutcome
    }
    expect(await add('updated', 'support')).toBe('42501')
    expect(await add('accessOpened', 'member')).toBe('42501')
    expect(await add('accessOpened', 'support')).toBe('added')
  })

  test.each<Person>(['system', 'super_admin', 'support', 'organization_admin'])(
    'lets %s change and delete no entry of the audit log',
    async (person) => {
      const { db, end } = world.database.connect(toIdentity(world.as(person).actor))
      for (const statement of [
        sql`update activity set target_name = 'x'`,
        sql`delete from activity`,
        sql`truncate activity`,
      ])
        await expect(statement.execute(db)).rejects.toMatchObject({ code: '42501' })
      await end()
    },
  )

  test('grants the app role no change of the audit log', async () => {
    const { rows } = await sql<{ verb: string }>`
      select verb from unnest(array['select', 'insert', 'update', 'delete', 'truncate']) verb
      where has_table_privilege('commonplace_app', 'activity', verb)
        or (verb in ('insert', 'update') and has_any_column_privilege('commonplace_app', 'activity', verb))
      order by 1`.execute(world.as('system').db)
    expect(rows.map(({ verb }) => verb)).toEqual(['insert', 'select'])
  })

  test('allows nobody to open a place in another’s name, nor for longer than an hour', async () => {
    const insert = async (person: Person, row: object) => {
      const { db, end } = world.database.connect(toIdentity(world.as(person).actor))
      const openedAt = new Date()
      const values = { id: crypto.randomUUID(), placeId: 'oakton', reason: 'x', openedAt, sessionId: null }
      const code = await db
        .insertInto('placeAccess')
        .values({ ...values, userId: person, endsAt: openedAt, ...row })
        .execute()
        .then(
          () => 'added',
          (error: { code: string }) => error.code,
        )
      await end()
      return code
    }
    expect(await insert('support', { userId: 'viewer' })).toBe('42501')
    expect(await insert('viewer', {})).toBe('42501')
    expect(await insert('support', { endsAt: new Date(Date.now() + 62 * 60_000) })).toBe('23514')
    expect(await insert('support', {})).toBe('added')
  })
})
