import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Access, Connection, Identity } from './connect.ts'
import { asStranger, asSystem, freshDatabase, type TestDatabase } from './testing.ts'

let database: TestDatabase
const open: Connection[] = []

/** The connection of an identity, ended after the last test. */
const openConnection = (identity: Partial<Identity>): Connection => {
  const connection = database.connect({ ...asStranger, ...identity })
  open.push(connection)
  return connection
}

const tables = [
  'session',
  'account',
  'two_factor',
  'passkey',
  'verification',
  'attempt',
  'api_key',
  'place_user',
] as const

/** Ann and Bob are in Oak, Cem is in Elm; each has a session, a password, an app and a key. Oak's source has a write key that Ann made. */
const people = { ann: 'oak', bob: 'oak', cem: 'elm' }

beforeAll(async () => {
  database = await freshDatabase()
  const { db } = openConnection(asSystem)
  await sql`insert into data_type (id, name, schema) values ('tree', 'Tree', '{}')`.execute(db)
  for (const place of ['oak', 'elm']) {
    await sql`insert into place (id, name, display_name, theme, map_configuration) values (${place}, ${place}, ${place}, '{}', '{}')`.execute(
      db,
    )
    await sql`insert into source (id, name, place_id, data_type_id, visibility) values (${`${place}-trees`}, 'Trees', ${place}, 'tree', 'private')`.execute(
      db,
    )
  }
  for (const [person, place] of Object.entries(people)) {
    await sql`insert into "user" (id, email, name) values (${person}, ${`${person}@example.com`}, ${person})`.execute(
      db,
    )
    await sql`insert into place_user (place_id, user_id) values (${place}, ${person})`.execute(db)
    await sql`insert into session (id, user_id, token, expires_at) values (${person}, ${person}, ${`token of ${person}`}, now() + interval '1 day')`.execute(
      db,
    )
    await sql`insert into account (id, account_id, provider_id, user_id, password) values (${person}, ${person}, 'credential', ${person}, 'hash')`.execute(
      db,
    )
    await sql`insert into two_factor (id, user_id, secret, backup_codes) values (${person}, ${person}, 'secret', 'codes')`.execute(
      db,
    )
    await sql`insert into passkey (id, user_id, name, credential_id, public_key, counter, device_type, backed_up) values (${person}, ${person}, 'Key', ${person}, 'k', 0, 'singleDevice', false)`.execute(
      db,
    )
    await sql`insert into verification (id, identifier, value, expires_at) values (${person}, ${person}, ${person}, now() + interval '1 day')`.execute(
      db,
    )
    await sql`insert into attempt (key, count, until) values (${person}, 1, now() + interval '1 day')`.execute(
      db,
    )
    await sql`insert into api_key (id, hash, prefix, user_id, scope, created_by) values (${person}, ${`hash of ${person}`}, 'cpk_', ${person}, 'account', ${person})`.execute(
      db,
    )
  }
  await sql`insert into api_key (id, hash, prefix, source_id, place_id, scope, created_by) values ('trees', 'hash of trees', 'cps_', 'oak-trees', 'oak', 'source', 'ann')`.execute(
    db,
  )
})
afterAll(async () => {
  await Promise.all(open.map((connection) => connection.end()))
  await database.close()
})

/** Returns the rows of each table that an identity can read, by a column that identifies them. */
async function readVisibleIds({ db }: Access): Promise<Record<string, string[]>> {
  const idsByTable: Record<string, string[]> = {}
  for (const table of tables) {
    const name = table === 'attempt' ? 'key' : table === 'place_user' ? 'user_id' : 'id'
    const { rows } = await sql<{
      name: string
    }>`select ${sql.ref(name)} as name from ${sql.table(table)} order by 1`.execute(db)
    idsByTable[table] = rows.map((row) => row.name)
  }
  return idsByTable
}

/** Returns how many rows of each table an identity may update and delete. All changes are rolled back. */
async function writable({ transaction }: Access): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const undone = new Error('undone')
  for (const table of tables) {
    const column =
      table === 'attempt'
        ? 'until'
        : table === 'verification'
          ? 'value'
          : table === 'place_user'
            ? 'created_at'
            : 'id'
    await transaction(async (tx) => {
      const target = sql.table(table)
      const updateResult = await sql`update ${target} set ${sql.ref(column)} = ${sql.ref(column)}`.execute(tx)
      const deleteResult = await sql`delete from ${target}`.execute(tx)
      counts[table] = Number(updateResult.numAffectedRows)
      counts[`${table} gone`] = Number(deleteResult.numAffectedRows)
      throw undone
    }).catch((error: unknown) => {
      if (error !== undone) throw error
    })
  }
  return counts
}

const nothing = Object.fromEntries(tables.map((table) => [table, [] as string[]]))
const everyone = {
  ...Object.fromEntries(tables.map((table) => [table, ['ann', 'bob', 'cem']])),
  api_key: ['ann', 'bob', 'cem', 'trees'],
}
const none = Object.fromEntries(
  tables.flatMap((table) => [
    [table, 0],
    [`${table} gone`, 0],
  ]),
)
const all = {
  ...Object.fromEntries(
    tables.flatMap((table) => [
      [table, 3],
      [`${table} gone`, 3],
    ]),
  ),
  api_key: 4,
  'api_key gone': 4,
}

describe('accounts, sessions, keys and memberships are readable and writable', () => {
  test('by nobody without an account', async () => {
    const stranger = openConnection({})
    expect(await readVisibleIds(stranger)).toEqual(nothing)
    expect(await writable(stranger)).toEqual(none)
  })

  test('by their person, outside of any place: they may leave a place, but not join one', async () => {
    const ann = openConnection({ user: 'ann' })
    const own = ['session', 'account', 'two_factor', 'passkey', 'place_user'].map((table) => [table, ['ann']])
    expect(await readVisibleIds(ann)).toEqual({
      ...nothing,
      ...Object.fromEntries(own),
      api_key: ['ann', 'trees'],
    })
    const ownCounts = ['session', 'account', 'two_factor', 'passkey'].flatMap((table) => [
      [table, 1],
      [`${table} gone`, 1],
    ])
    expect(await writable(ann)).toEqual({
      ...none,
      ...Object.fromEntries(ownCounts),
      api_key: 2,
      'api_key gone': 2,
      'place_user gone': 1,
    })
    await expect(
      sql`insert into place_user (place_id, user_id) values ('elm', 'ann')`.execute(ann.db),
    ).rejects.toThrow(/row-level security/)
  })

  test('by members of a place, as far as they concern it: its members, and the write keys of its sources', async () => {
    const oak = openConnection({ user: 'bob', places: ['oak'] })
    expect(await readVisibleIds(oak)).toMatchObject({
      session: ['bob'],
      account: ['bob'],
      two_factor: ['bob'],
      passkey: ['bob'],
      verification: [],
      attempt: [],
      api_key: ['bob', 'trees'],
      place_user: ['ann', 'bob'],
    })
    await expect(
      sql`insert into api_key (id, hash, prefix, user_id, scope, created_by) values ('x', 'x', 'cpk_', 'ann', 'account', 'ann')`.execute(
        oak.db,
      ),
    ).rejects.toThrow(/row-level security/)
    await expect(
      sql`insert into session (id, user_id, token, expires_at) values ('x', 'ann', 'x', now())`.execute(
        oak.db,
      ),
    ).rejects.toThrow(/row-level security/)
    await expect(
      sql`update api_key set user_id = 'ann', created_by = 'ann' where id = 'bob'`.execute(oak.db),
    ).rejects.toThrow(/row-level security/)
  })

  test('by support: all memberships, and their own account', async () => {
    const support = openConnection({ user: 'sue', global: 'support' })
    expect(await readVisibleIds(support)).toEqual({ ...nothing, place_user: ['ann', 'bob', 'cem'] })
    expect(await writable(support)).toEqual(none)
  })

  test("by super admins: all memberships and write keys; nobody else's session, password, app or account key", async () => {
    const root = openConnection({ user: 'root', global: 'super_admin' })
    expect(await readVisibleIds(root)).toEqual({
      ...nothing,
      place_user: ['ann', 'bob', 'cem'],
      api_key: ['trees'],
    })
  })

  test('by the system, and by code that declares that it is about accounts', async () => {
    for (const access of [
      openConnection(asSystem),
      openConnection({}).accounts,
      openConnection({ user: 'ann' }).accounts,
    ]) {
      expect(await readVisibleIds(access)).toEqual(everyone)
      expect(await writable(access)).toEqual(all)
    }
  })
})

test('a connection used for accounts has no identity afterwards', async () => {
  const stranger = openConnection({})
  await stranger.accounts.transaction((tx) => tx.selectFrom('session').select('id').execute())
  expect(await stranger.transaction((tx) => tx.selectFrom('session').select('id').execute())).toEqual([])
  expect(await stranger.db.selectFrom('session').select('id').execute()).toEqual([])
})

test("only identity, and code that ends other people's sessions, uses the accounts connection", () => {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const files = ['app', 'functions', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  const asking = files.filter(
    (name) =>
      /\.tsx?$/.test(name) &&
      !/\.test\.|\.testing\.|^functions\/domain\/identity\//.test(name) &&
      /\baccounts\.(db|transaction)\b|accounts: true/.test(readFileSync(join(root, name), 'utf8')),
  )
  expect(asking).toEqual(['functions/domain/place/users.ts'])
})
