import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { readManifest, manifestKey } from '#functions/edge/hub/manifest.ts'
import type { VisitPath } from './make-hub.ts'
import { readPlaceState } from '#functions/edge/hub/place-state.ts'
import { publishOutbox } from './publish.ts'
import type { readSnapshot } from '#functions/edge/hub/snapshot.ts'
import { counters, jump, recover } from '#functions/domain/internals/recovery.ts'
import { endAllSessions } from '#functions/domain/identity/sessions.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld, type TestContext } from '#db/worlds/world.ts'

let world: TestWorld
let ctx: TestContext
const hubs = memoryBucket()
const host = 'oakton.localhost'

beforeAll(async () => {
  world = await openWorld(city)
  ctx = world.as('system', { hubs, files: memoryBucket() })
  await ctx.db.updateTable('place').set({ isHub: true }).where('id', '=', 'oakton').execute()
  await publish(['oakton', 'elmsford'])
})
afterAll(() => world.close())

const statuses: Record<string, number> = { '/error': 500, '/404': 404 }
let words = 'of before'
const visit: VisitPath = async (_hub, path, languages) =>
  languages.map((locale) => ({
    ...{ locale, status: statuses[path] ?? 200, type: 'text/html', tags: ['source:open'] },
    body: `${locale} ${path} ${words}`,
    files: [],
  }))
const publish = (whole: string[] = []) => publishOutbox(ctx, visit, () => {}, whole)
const snapshot = async () => {
  const object = await hubs.get(`site/${host}.json`)
  return object?.json<NonNullable<Awaited<ReturnType<typeof readSnapshot>>>>()
}
const readVisibility = async (noun: 'source' | 'page', id: string) =>
  (await ctx.db.selectFrom(noun).select('visibility').where('id', '=', id).executeTakeFirstOrThrow())
    .visibility
const bodies = async () => {
  const { objects } = await hubs.list({ prefix: 'hubs/oakton/manifests/', limit: 1000 })
  return new Map(
    await Promise.all(objects.map(async ({ key }) => [key, await (await hubs.get(key))?.text()] as const)),
  )
}

/** Saves the rows of these tables, and returns a function that restores them. */
async function saveRows(tables: ('hub' | 'source' | 'page' | 'insight' | 'place')[]) {
  const rows = await Promise.all(tables.map((table) => ctx.db.selectFrom(table).selectAll().execute()))
  return async () => {
    for (const [i, table] of tables.entries())
      for (const row of rows[i] ?? []) {
        const key = 'placeId' in row && table === 'hub' ? 'place_id' : 'id'
        const id = key === 'id' ? (row as { id: string }).id : (row as { placeId: string }).placeId
        const old = Object.fromEntries(Object.entries(row).filter(([name]) => restoredColumns.has(name)))
        await ctx.db
          .updateTable(table)
          .set(old as never)
          .where(sql.ref(key), '=', id)
          .execute()
      }
  }
}
const restoredColumns = new Set([
  ...['visibility', 'publish', 'version', 'dataVersion', 'isHub', 'manifest', 'allocated'],
  ...['builds', 'buildsOf', 'deletedAt'],
])

test('content withdrawn since the backup stays withdrawn, and no number is used twice', async () => {
  const bringBack = await saveRows(['hub', 'source', 'page', 'insight', 'place'])
  const atBackup = await snapshot()
  const [page = ''] = atBackup?.pages ?? []
  expect(atBackup?.sources.open?.public).toBe(true)
  // After the backup one source and one page are withdrawn, and the hub is published twice.
  await ctx.db.updateTable('source').set({ visibility: 'private' }).where('id', '=', 'open').execute()
  await ctx.db.updateTable('page').set({ visibility: 'private' }).where('id', '=', page).execute()
  words = 'of after'
  await publish(['oakton'])
  words = 'of even later'
  await publish(['oakton'])
  const snapshotBefore = await snapshot()
  const before = await bodies()
  expect(snapshotBefore?.manifest).toBeGreaterThan(atBackup?.manifest ?? 0)

  await bringBack()
  expect(await readVisibility('source', 'open')).toBe('public')
  await recover(ctx)
  words = 'of the restored database'
  ctx.reported.length = 0
  await publish()

  expect([await readVisibility('source', 'open'), await readVisibility('page', page)]).toEqual([
    'place',
    'place',
  ])
  const now = await snapshot()
  expect(now?.sources.open?.public).toBe(false)
  expect(now?.pages).not.toContain(page)
  expect(Object.keys((await readPlaceState(hubs, 'oakton'))?.sources ?? {})).not.toContain('open')
  expect(String(ctx.reported[0])).toContain('source open')
  const lines = await ctx.db
    .selectFrom('activity')
    .select('targetId')
    .where('verb', '=', 'unpublished')
    .execute()
  expect(lines.map(({ targetId }) => targetId).sort()).toEqual(['open', page].sort())
  // Existing manifests are unchanged; the published one has a new number.
  const after = await bodies()
  for (const [key, body] of before) expect([key, after.get(key) ?? body]).toEqual([key, body])
  expect(now?.manifest).toBeGreaterThan(jump)
  expect(before.has(manifestKey('oakton', now?.manifest ?? 0))).toBe(false)
  const manifest = await readManifest(hubs, 'oakton', now?.manifest ?? 0)
  expect(Object.keys(manifest?.pages ?? {}).length).toBeGreaterThan(10)
  expect(now?.sources.inner?.version ?? 0).toBeGreaterThanOrEqual(jump)
})

test('while the storage cannot be read nothing is published; afterwards it is compared', async () => {
  await ctx.db.updateTable('source').set({ visibility: 'public' }).where('id', '=', 'open').execute()
  await recover(ctx)
  const snapshotBefore = await snapshot()
  const down = { ...hubs, get: async () => Promise.reject(new Error('R2 is down')) } as unknown as R2Bucket
  await publishOutbox({ ...ctx, hubs: down }, visit, () => {}, []).catch(() => {})
  expect(await readVisibility('source', 'open')).toBe('public')
  expect(await snapshot()).toEqual(snapshotBefore)
  await ctx.db.deleteFrom('publishFailure').execute()
  await publish(['oakton'])
  expect(await readVisibility('source', 'open')).toBe('place')
  // Content that is published afterwards is public: the storage is not compared again.
  await ctx.db.updateTable('source').set({ visibility: 'public' }).where('id', '=', 'open').execute()
  await publish(['oakton'])
  expect((await snapshot())?.sources.open?.public).toBe(true)
})

test('ends every session', async () => {
  const { accounts } = ctx
  const session = {
    ...{ id: 'one', token: 'one', userId: 'viewer', expiresAt: new Date('2100-01-01') },
    ...{ createdAt: new Date(), updatedAt: new Date() },
  }
  await accounts.db.insertInto('session').values(session).execute()
  expect(await endAllSessions(ctx)).toBe(1)
  expect(await accounts.db.selectFrom('session').select('id').execute()).toEqual([])
})

/** Counters that are not visible outside of the database, or that name something in it. */
const within = [
  'data_history.version',
  'data_type_move_source.version',
  'field_profile.data_version',
  'job.data_version',
  'hub.manifest',
  'operation.version',
  'source_stat.changed_version',
  // Versions are allocated from the counter of their source, which is raised.
  'source_version.version',
]

test('every counter of the schema is raised, or listed as internal to the database', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type in ('integer', 'bigint')
      and column_name ~ '(^|_)(version|allocated|manifest)$' order by name`.execute(ctx.db)
  const raisedCounters = Object.entries(counters).flatMap(([table, columns]) =>
    columns.map((each) => `${table}.${each}`),
  )
  expect(rows.map(({ name }) => name).sort()).toEqual([...raisedCounters, ...within].sort())
})
