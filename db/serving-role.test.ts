import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { connect, type DbEnv } from './connect.ts'
import { waysToDatabase } from './serving-role.testing.ts'
import { asSystem, freshDatabase, hasRealPostgres, type TestDatabase } from './testing.ts'

describe.skipIf(!hasRealPostgres)('a real Postgres', () => {
  const server = new URL(process.env.TEST_POSTGRES_URL ?? 'postgres://none')
  const roles = ['serving_bypass', 'serving_member', 'serving_owner', 'serving_plain']
  let database: TestDatabase
  const admin = async (text: string) => {
    const url = new URL(server)
    url.pathname = new URL(database.env.DATABASE_URL).pathname
    const client = new pg.Client({ connectionString: url.href })
    await client.connect()
    try {
      await client.query(text)
    } finally {
      await client.end()
    }
  }
  const buildRoleEnv = (role: string): DbEnv => {
    const url = new URL(database.env.DATABASE_URL)
    url.username = role
    url.password = 'serving'
    return { ...database.env, DATABASE_URL: url.href }
  }
  const drop = () =>
    admin(
      roles
        .map(
          (role) => `do $$ begin if exists (select from pg_roles where rolname = '${role}') then
            reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}; end if; end $$;`,
        )
        .join('\n'),
    )
  beforeAll(async () => {
    database = await freshDatabase({ isOwn: true })
    await drop()
    await admin(`
      create role serving_bypass login bypassrls password 'serving' in role commonplace_app;
      create role serving_owner login password 'serving' in role commonplace_app;
      create role serving_member login password 'serving' in role serving_owner;
      create role serving_plain login password 'serving' in role commonplace_app;
      alter table source owner to serving_owner`)
  })
  afterAll(async () => {
    await drop()
    await database.close()
  })

  const unsafeRoles: [string, RegExp][] = [
    ['serving_bypass', /"serving_bypass" has BYPASSRLS/],
    ['serving_owner', /"serving_owner" owns tables/],
    ['serving_member', /"serving_member" owns tables/],
  ]
  test.each(unsafeRoles)('%s is rejected, by every kind of statement', async (role, words) => {
    for (const [, ask] of waysToDatabase)
      await expect(ask(buildRoleEnv(role))).rejects.toMatchObject({
        message: expect.stringMatching(words),
        code: '28000',
      })
  })

  test.each(waysToDatabase)(
    "%s of a role with only the application's rights is answered",
    async (_way, ask) => {
      expect(await ask(buildRoleEnv('serving_plain'))).toEqual([])
    },
  )

  test('a role is checked once: later statements are one batch of two', async () => {
    const env = buildRoleEnv('serving_plain')
    const { db } = connect(env, asSystem)
    await db.selectFrom('place').select('id').execute()
    // A second check would reject the role now.
    await admin('alter role serving_plain bypassrls')
    expect(await db.selectFrom('place').select('id').execute()).toEqual([])
    const { rows } = await sql<{ role: string }>`select current_user as role`.execute(db)
    expect(rows).toEqual([{ role: 'serving_plain' }])
  })
})
