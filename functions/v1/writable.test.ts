import { readFileSync, writeFileSync } from 'node:fs'
import { sql } from 'kysely'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { v1 } from './index.ts'
import { send } from './testing/ask.testing.ts'
import { bodyFor } from './testing/bodies.testing.ts'
import { fill, buildIdSets } from './testing/ids.testing.ts'
import { changes, hashState } from './testing/state.testing.ts'
import { openProofWorld, type ProofWorld } from './testing/world.testing.ts'
import { routes } from '#functions/api/routes.ts'

let world: ProofWorld
beforeAll(async () => {
  world = await openProofWorld()
})
afterAll(() => world.close())

/** Names related to identity and permission, whether a table has such a column or not. */
const tempting = [
  'places',
  'verified',
  'isVerified',
  'authId',
  'isAdmin',
  'admin',
  'permissions',
  'owner',
  'superAdmin',
]

/** All endpoints with a body. */
const taking = routes(v1).filter(({ method, endpoint }) => method !== 'get' && endpoint.data)

/** All columns of the database by their API names, and other tempting names. */
async function columns(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct column_name::text as name from information_schema.columns where table_schema = 'public'`.execute(
    world.as('system').db,
  )
  const apiNames = rows.map(({ name }) =>
    name.replace(/_(\w)/g, (_, character: string) => character.toUpperCase()),
  )
  return [...new Set([...apiNames, ...tempting])].sort()
}

/** Whether a schema has a member of that name, whatever its value. */
function knows(shape: v.GenericSchema, body: unknown, name: string): boolean {
  const { issues = [] } = v.safeParse(shape, { ...(body as object), [name]: Symbol('no value') })
  return !issues.some((issue) => issue.expected === 'never' && issue.path?.[0]?.key === name)
}

test('the writable columns are those in the committed list', async () => {
  const all = await columns()
  expect(all.length).toBeGreaterThan(200)
  const lines = taking.map((route) => {
    const body = bodyFor(route)
    const writableNames = all.filter((name) => knows(route.endpoint.data as v.GenericSchema, body, name))
    return `${route.name.padEnd(40)} ${writableNames.length === all.length ? '*' : writableNames.join(' ')}`.trimEnd()
  })
  const file = new URL('./writable.txt', import.meta.url)
  const table = `${lines.join('\n')}\n`
  if (process.env.UPDATE_TABLE) writeFileSync(file, table)
  expect(table).toBe(readFileSync(file, 'utf8'))
})

/** A foreign value for a column, by its name. */
function foreign(name: string): unknown {
  if (/^(is|has|verified|admin|superAdmin|enabled)/.test(name)) return true
  if (/[pP]lace/.test(name)) return 'elmsford'
  if (/role|scope|permissions/i.test(name)) return 'super_admin'
  if (/At$|day|time|until|expires/i.test(name)) return '2100-01-01T00:00:00Z'
  return 'stranger'
}

test('a body with any other column is rejected as a whole, naming it', async () => {
  const all = await columns()
  const ids = buildIdSets(world).open
  const wrong: string[] = []
  const before = await hashState(world)
  for (const route of taking) {
    const body = bodyFor(route)
    const unknown = all.filter((name) => !knows(route.endpoint.data as v.GenericSchema, body, name))
    if (unknown.length === 0 || route.verb === 'deleteById') continue
    for (const name of ['organization_admin', 'super_admin', 'write key of open']) {
      const path = fill(route, ids)
      const extra = Object.fromEntries(unknown.map((each) => [each, foreign(each)]))
      const { status, json } = await send(world, world.asker(name), {
        ...{ method: route.method, path },
        body: { ...(body as object), ...extra },
      })
      if (status < 400 || status >= 500) wrong.push(`${name} ${route.name}: ${status}`)
      const { fields = [] } = (json ?? {}) as { fields?: { path: string[] }[] }
      if (status === 400 && !fields.some(({ path: at }) => unknown.includes(String(at[0]))))
        wrong.push(`${name} ${route.name}: does not say which`)
    }
  }
  expect(wrong).toEqual([])
  expect(changes(before, await hashState(world))).toEqual([])
}, 120_000)

test('the owner of a row is never read from a body: rows of another place stay unchanged', async () => {
  const ids = buildIdSets(world).open
  const far = async () => {
    const { db } = world.as('system')
    const tables = await sql<{ name: string; column: string }>`
      select table_name::text as name, column_name::text as column from information_schema.columns
      join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and column_name in ('place_id', 'owner_place_id')`.execute(
      db,
    )
    const rows = tables.rows.map(
      ({ name, column }) => sql`
      select ${name} as name, count(*)::int as rows, md5(coalesce(string_agg(md5(to_jsonb(t)::text), '' order by md5(to_jsonb(t)::text)), '')) as hash
      from ${sql.table(name)} t where ${sql.ref(column)} = 'elmsford'`,
    )
    return (await sql`${sql.join(rows, sql` union all `)} order by 1`.execute(db)).rows
  }
  const before = await far()
  expect(before.length).toBeGreaterThan(30)
  let requestCount = 0
  for (const route of taking) {
    const body = bodyFor(route)
    const shape = route.endpoint.data as v.GenericSchema
    for (const column of [
      'placeId',
      'ownerPlaceId',
      'sourceId',
      'pageId',
      'folderId',
      'parentId',
      'insightId',
    ])
      if (knows(shape, body, column)) {
        const value = column.endsWith('laceId')
          ? 'elmsford'
          : `far-${column === 'sourceId' ? 'inner' : column === 'insightId' ? 'calls' : column === 'pageId' ? 'page' : 'photos'}`
        for (const name of ['organization_admin', 'member', 'key of organization_admin']) {
          await send(world, world.asker(name), {
            ...{ method: route.method, path: fill(route, ids) },
            body: { ...(body as object), id: undefined, [column]: value },
          })
          requestCount += 1
        }
      }
  }
  expect(requestCount).toBeGreaterThan(40)
  expect(await far()).toEqual(before)
}, 120_000)

test('a record accepts no internal column', async () => {
  const all = await columns()
  const { db } = world.as('system')
  const rows = all
    .filter((name) => !['type', 'minutes', 'receivedAt', 'location'].includes(name))
    .map((name, minutes) => ({ type: 'noise', minutes, [name]: foreign(name) }))
  const identityColumns = [
    'id',
    'placeId',
    'dataTypeId',
    'name',
    'visibility',
    'createdBy',
    'deletedAt',
  ] as const
  const before = await db.selectFrom('source').select(identityColumns).orderBy('id').execute()
  const { status } = await send(world, world.asker('organization_admin'), {
    ...{ method: 'post', path: '/sources/open/data', body: rows },
  })
  // A record has the fields of its type; other members are ignored.
  expect(status).toBe(200)
  const { json } = await send(world, world.asker('organization_admin'), {
    ...{ method: 'get', path: '/sources/open/data?limit=1000' },
  })
  const { results } = json as { results: { data: object; sourceId: string }[] }
  expect(results.length).toBeGreaterThan(rows.length / 2)
  expect([...new Set(results.flatMap(({ data }) => Object.keys(data)))].sort()).toEqual([
    'minutes',
    'receivedAt',
    'type',
  ])
  expect([...new Set(results.map(({ sourceId }) => sourceId))]).toEqual(['open'])
  // The source's record count changes; its identity and owner stay.
  expect(await db.selectFrom('source').select(identityColumns).orderBy('id').execute()).toEqual(before)
})
