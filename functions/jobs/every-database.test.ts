import { allLanguages } from '#functions/shapes/locale.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem, freshDatabase, type TestDatabase } from '#db/testing.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { seedRoles } from '#functions/domain/access/seed.ts'
import { forEachDatabase, mirrorEverywhere } from './every-database.ts'
import { call } from '#functions/api/call.ts'
import { find } from '#functions/domain/dataset/dataset.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import * as sources from '#functions/domain/source/sources.ts'
import { toIdentity } from '#functions/domain/access/identity.ts'
import { anonymous, type Actor } from '#functions/context.ts'
import { create } from '#functions/domain/identity/place-access.ts'
import { openRequest, openVisit } from '#functions/api/request-context.ts'
import { v1 } from '#functions/v1/index.ts'
import type { Env } from '#functions/settings.ts'
import type { VisitPath } from './publish/make-hub.ts'
import { publishOutbox } from './publish/publish.ts'

const schema = { id: { name: 'Id', type: 'text' }, cost: { name: 'Cost', type: 'number' } }

let home: TestDatabase
let north: TestDatabase
let env: Env
const main = { mode: 'main', host: 'app.test', origin: 'https://app.test' } as const
const hub = (placeId: string) =>
  ({
    mode: 'hub',
    locale: 'en',
    languages: allLanguages,
    host: `${placeId}.test`,
    origin: `https://${placeId}.test`,
    placeId,
    canonicalHost: `${placeId}.test`,
  }) as const

beforeAll(async () => {
  home = await freshDatabase()
  north = await freshDatabase()
  const hubs = memoryBucket()
  env = {
    ...home.env,
    DATABASES: JSON.stringify({ north: north.env.DATABASE_URL }),
    PLACE_DATABASES: JSON.stringify({ oak: 'north', lost: 'west' }),
    HUBS: hubs,
    FILES: memoryBucket(),
    TILES: memoryBucket(),
    QUEUE: { send: async () => {} },
    JOBS: { send: async () => {} },
    ENVIRONMENT: 'test',
    APP_HOST: 'app.test',
    PUBLIC_HOST: 'hub.test',
    SCHEME: 'https',
    AUTH_SECRET: 'a secret that only tests know, long enough',
    MAIL_FROM: 'hub@example.org',
    SUPPORT_URL: 'https://support.test',
  } as unknown as Env
  const { db, transaction, end } = home.connect(asSystem)
  await transaction(async (tx) => {
    await seedRoles(tx)
    const place = (id: string) => ({
      id,
      name: id,
      displayName: id,
      isHub: true,
      theme: '{}',
      mapConfiguration: '{}',
      createdBy: null,
    })
    await tx.insertInto('place').values(['oak', 'elm', 'lost'].map(place)).execute()
    const user = {
      email: 'ann@example.org',
      name: 'Ann',
      image: null,
      emailVerified: true,
      role: null,
      onboarding: '{}',
    }
    await tx
      .insertInto('user')
      .values({ id: 'ann', ...user })
      .execute()
    await tx
      .insertInto('placeUser')
      .values({ placeId: 'oak', userId: 'ann', role: 'organization_admin' })
      .execute()
    const type = { name: 'Call', schema: JSON.stringify(schema), createdBy: null }
    await tx
      .insertInto('dataType')
      .values([
        { id: 'call', ...type },
        { id: 'of-oak', ownerPlaceId: 'oak', ...type },
        { id: 'of-elm', ownerPlaceId: 'elm', ...type },
      ])
      .execute()
  })
  expect((await db.selectFrom('place').selectAll().execute()).length).toBe(3)
  await end()
})
afterAll(async () => {
  await home.close()
  await north.close()
})

/** The number of rows about a place in each table, including all tables of records. */
async function countRows(database: TestDatabase, placeId: string) {
  const { db, end } = database.connect(asSystem)
  const { rows } = await sql<{ name: string; schema: string }>`
    select c.relname as name, n.nspname as schema from pg_attribute a join pg_class c on c.oid = a.attrelid
    join pg_namespace n on n.oid = c.relnamespace
    where a.attname = 'place_id' and c.relkind = 'r' and n.nspname in ('public', 'data') order by 1`.execute(
    db,
  )
  const counts: Record<string, number> = {}
  for (const { name, schema: space } of rows) {
    const countResult = await sql<{ n: number }>`
      select count(*)::int as n from ${sql.id(space, name)} where place_id = ${placeId}`.execute(db)
    if (countResult.rows[0]?.n) counts[name] = countResult.rows[0].n
  }
  await end()
  return counts
}

async function runWithRequest<Result>(
  path: string,
  work: (openedRequest: Awaited<ReturnType<typeof openRequest>>) => Promise<Result>,
  site: Parameters<typeof openRequest>[2] = main,
): Promise<Result> {
  const it = await openRequest(new Request(`${site.origin}${path}`), env, site)
  try {
    return await work(it)
  } finally {
    await it.close()
  }
}

/** Runs work for a place as the product, in the database where the place lives. */
async function runInPlace(placeId: string, work: Parameters<typeof forEachDatabase>[1]) {
  await forEachDatabase(env, async (there) => {
    if (there.isHere(placeId)) await work(there)
  })
}

test('a place is copied to its database, with the shared data', async () => {
  await mirrorEverywhere(env)
  const { db, end } = north.connect(asSystem)
  expect(await db.selectFrom('place').select('id').execute()).toEqual([{ id: 'oak' }])
  const types = await db.selectFrom('dataType').select(['id', 'ownerPlaceId']).orderBy('id').execute()
  expect(types).toEqual([
    { id: 'call', ownerPlaceId: null },
    { id: 'of-oak', ownerPlaceId: 'oak' },
  ])
  expect((await db.selectFrom('roleOperation').selectAll().execute()).length).toBeGreaterThan(50)
  expect(await db.selectFrom('user').select('id').execute()).toEqual([{ id: 'ann' }])
  await end()
})

test('the data of a place are in its own database, and none of them in the other', async () => {
  let sourceId = ''
  for (const placeId of ['oak', 'elm'])
    await runInPlace(placeId, async ({ ctx }) => {
      const data = {
        name: `Calls of ${placeId}`,
        dataTypeId: 'call',
        visibility: 'public' as const,
        notes: '',
      }
      const source = await sources.create(ctx, { params: { placeId }, options: {}, data, placeId } as never)
      const rows = Array.from({ length: 20 }, (_, i) => ({ id: String(i), cost: i }))
      if (!source) throw new Error('The source was not made.')
      await ingest(ctx, source.id, rows)
      if (placeId === 'oak') sourceId = source.id
    })
  expect(await countRows(home, 'oak')).toEqual({ place_user: 1 })
  expect(await countRows(north, 'elm')).toEqual({})
  expect(await countRows(north, 'oak')).toMatchObject({ source: 1, source_stat: 1, t_call: 20 })
  expect(await countRows(home, 'elm')).toMatchObject({ source: 1, source_stat: 1, t_call: 20 })

  const ask = (path: string, placeId: string, site?: Parameters<typeof openRequest>[2]) =>
    runWithRequest(
      path,
      async ({ ctx, rejection }) => {
        expect(rejection).toBeNull()
        const { results } = await sources.find(ctx, { params: { placeId }, options: {}, placeId } as never)
        const [source] = results
        if (!source) return []
        const { meta } = await find(
          ctx,
          { placeId, sourceId: source.id as string },
          { filters: { 'data.cost': { $lt: 5 } } },
        )
        return [source.name, meta.total]
      },
      site,
    )
  expect(await ask('/v1/places/oak/sources', 'oak')).toEqual(['Calls of oak', 5])
  expect(await ask('/v1/places/elm/sources', 'elm')).toEqual(['Calls of elm', 5])
  // Requested through the other place, neither exists.
  expect(await ask('/v1/places/elm/sources', 'oak')).toEqual([])
  expect(await ask('/v1/places/oak/sources', 'elm')).toEqual([])
  // The hostname of a hub identifies the place as well; the URL of a source alone does not.
  expect(await ask('/', 'oak', hub('oak'))).toEqual(['Calls of oak', 5])
  await runWithRequest(`/v1/sources/${sourceId}`, async ({ ctx }) => {
    expect(
      await sources.findById(ctx, { params: { sourceId }, options: {}, placeId: null } as never),
    ).toBeUndefined()
  })
  // Memberships are in the home database.
  await runWithRequest('/v1/places/oak/users', async ({ ctx }) => {
    expect(ctx.actor.kind).toBe('anonymous')
    const { rows } = await sql<{ n: string }>`select count(*) as n from place where id = 'elm'`.execute(
      ctx.db,
    )
    expect(rows).toEqual([{ n: '1' }])
  })
})

test('each hub is rendered from its own database, by its own outbox', async () => {
  const visited: string[] = []
  await forEachDatabase(env, async ({ ctx, isHere }) => {
    const visit: VisitPath = async ({ placeId }, path, languages) => {
      visited.push(`${placeId}${path}`)
      const { ctx: visitContext, close } = openVisit(
        new Request(`https://${placeId}.test${path}`),
        env,
        hub(placeId),
      )
      const { results } = await sources.find(visitContext, {
        params: { placeId },
        options: {},
        placeId,
      } as never)
      await close()
      const body = results.map(({ name }) => name).join()
      return languages.map((locale) => ({
        locale,
        status: 200,
        type: 'text/html',
        body,
        tags: [],
        files: [],
      }))
    }
    await publishOutbox(ctx, visit, () => {}, [], isHere)
  })
  const hubObjects = await env.HUBS.list({ prefix: 'hubs/' })
  const pages = hubObjects.objects.filter(({ key }) => key.includes('/pages/'))
  const texts = await Promise.all(
    pages.map(async ({ key }) => [key.split('/')[1], await (await env.HUBS.get(key))?.text()]),
  )
  expect(new Set(texts.map(String))).toEqual(new Set(['oak,Calls of oak', 'elm,Calls of elm']))
  expect(new Set(visited.map((path) => path.split('/')[0]))).toEqual(new Set(['oak', 'elm']))
})

test('changes are copied once, in both directions', async () => {
  await runInPlace('oak', async ({ ctx }) => {
    await ctx.db.updateTable('place').set({ displayName: 'Oak Town' }).where('id', '=', 'oak').execute()
  })
  const product = home.connect(asSystem)
  await product.db.deleteFrom('roleOperation').where('roleId', '=', 'viewer').execute()
  await mirrorEverywhere(env)
  const places = await product.db.selectFrom('place').select(['id', 'displayName']).orderBy('id').execute()
  expect(places.find(({ id }) => id === 'oak')?.displayName).toBe('Oak Town')
  const there = north.connect(asSystem)
  const left = await there.db.selectFrom('roleOperation').selectAll().where('roleId', '=', 'viewer').execute()
  expect(left).toEqual([])
  // The table of records belongs to each database.
  const table = await there.db
    .selectFrom('dataType')
    .select('tableName')
    .where('id', '=', 'call')
    .executeTakeFirst()
  expect(table?.tableName).toBe('t_call')
  await product.end()
  await there.end()
})

test('a place whose database is not configured is unavailable with a reason, and others are not affected', async () => {
  await runWithRequest('/v1/places/lost/sources', async ({ rejection }) => {
    expect(rejection).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('"west"') as string,
    })
  })
  await runWithRequest(
    '/',
    async ({ rejection }) => expect(rejection).toMatchObject({ kind: 'unavailable' }),
    hub('lost'),
  )
  await runWithRequest('/v1/places/elm/sources', async ({ rejection }) => expect(rejection).toBeNull())
})

test('a request for a place in the home database opens no other, and is not delayed by a broken one', async () => {
  const DATABASES = JSON.stringify({ north: 'postgres://app:app@127.0.0.1:1/nowhere' })
  const brokenEnv = { ...env, DATABASES }
  const it = await openRequest(new Request('https://app.test/v1/places/elm/sources'), brokenEnv, main)
  const { results } = await sources.find(it.ctx, {
    params: { placeId: 'elm' },
    options: {},
    placeId: 'elm',
  } as never)
  expect(results.length).toBe(1)
  await it.close()
  const done: string[] = []
  const failing = forEachDatabase({ ...env, DATABASES: '{"a":"postgres://x@h/a"}' }, async ({ isHere }) => {
    done.push(isHere('elm') ? 'home' : 'a')
    if (isHere('elm')) throw new Error('broken')
  })
  await expect(failing).rejects.toThrow('broken')
  expect(done).toEqual(['home', 'a'])
})

test("access by support staff is in the audit log in the place's own database, once", async () => {
  const user = {
    id: 'sue',
    name: 'Sue',
    email: 'sue@example.org',
    image: null,
    verified: true,
    welcomed: true,
  }
  const session = {
    id: 'of-sue',
    token: 'of-sue',
    expiresAt: new Date('2100-01-01'),
    provedAt: null,
    ssoPlaceId: null,
  }
  const actor: Actor = { ...anonymous, kind: 'user', user: { ...user, role: 'support' }, session }
  const product = home.connect(asSystem)
  const { verified: emailVerified, welcomed: _welcomed, ...columns } = user
  await product.db
    .insertInto('user')
    .values({ ...columns, emailVerified, role: 'support', onboarding: '{}' })
    .execute()
  const agent = { ipAddress: null, userAgent: null }
  await product.db
    .insertInto('session')
    .values({ ...session, ...agent, userId: 'sue' })
    .execute()
  await product.end()
  const asSue = home.connect(toIdentity(actor))
  await runWithRequest('/v1/places/oak/access', async ({ ctx }) => {
    const data = { reason: 'A ticket' }
    await create(
      { ...ctx, ...asSue, actor },
      { params: { placeId: 'oak' }, options: {}, data, placeId: 'oak' },
    )
  })
  await asSue.end()
  await mirrorEverywhere(env)
  await mirrorEverywhere(env)
  await runInPlace('oak', async ({ ctx }) => {
    const input = { params: { placeId: 'oak' }, options: { filters: { verb: 'accessOpened' } } }
    const { results } = await call(v1.place.activity.find, ctx, input)
    expect(results).toMatchObject([
      { actorName: 'Sue', targetName: expect.stringMatching(/^A ticket \(support, until/) as string },
    ])
  })
})
