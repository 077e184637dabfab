import { randomBytes } from 'node:crypto'
import { Client } from '@neondatabase/serverless'
import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from '@neondatabase/serverless'
import { connect, type Connection, type DbEnv, type Identity } from './connect.ts'
import { openEmbedded } from './embedded/open.ts'
import { startProxy } from './embedded/proxy.ts'
import { migrate, schemaHash } from './migrate.ts'

/** A database of its own for one test file: migrated, empty, reached through the driver that production uses. */
export interface TestDatabase {
  env: DbEnv
  connect(identity: Identity): Connection
  /** Statements as the owner, who no policy binds: to plant rows and to look at everything. */
  kind: 'pglite' | 'postgres'
  close(): Promise<void>
}

export const asSystem: Identity = { user: '', places: [], global: 'system' }
export const asStranger: Identity = { user: '', places: [], global: '' }

/** True where tests of time-outs, cancellation and parallel transactions can run. */
export const hasRealPostgres = Boolean(process.env.TEST_POSTGRES_URL)

/** An embedded database, or with `TEST_POSTGRES_URL` (an owner's URL on this machine) a new one on that server. */
export async function freshDatabase(): Promise<TestDatabase> {
  const url = process.env.TEST_POSTGRES_URL
  return url ? onPostgres(new URL(url)) : onPglite()
}

async function onPglite(): Promise<TestDatabase> {
  const database = await openEmbedded(null)
  const proxy = await startProxy({ pglite: database })
  // A host of its own: two databases in one test have two proxies.
  const host = `db-${randomBytes(6).toString('hex')}.local`
  const env = { DATABASE_URL: `postgres://app:app@${host}/commonplace`, DB_PROXY: proxy.address }
  // So that its host is known, by whichever settings it is reached first.
  connect(env, asSystem)
  return {
    env,
    kind: 'pglite',
    connect: (identity) => connect(env, identity),
    async close() {
      await proxy.close()
      await database.close()
    },
  }
}

async function onPostgres(owner: URL): Promise<TestDatabase> {
  const proxy = await startProxy({ host: owner.hostname, port: Number(owner.port || 5432) })
  const template = `commonplace_template_${schemaHash()}`
  const name = `commonplace_test_${randomBytes(6).toString('hex')}`
  const configured = (database: string, user?: string) => {
    const url = new URL(owner)
    url.pathname = `/${database}`
    if (user) {
      url.username = user
      url.password = 'commonplace'
    }
    return { DATABASE_URL: url.href, DB_PROXY: proxy.address }
  }
  await asOwner(configured('postgres'), async (client) => {
    await client.query('select pg_advisory_lock(4711)')
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template])
    if (!rowCount) {
      await client.query(`create database ${template}_new`)
      await migrateWith(configured(`${template}_new`))
      await client.query(`alter role commonplace_app login password 'commonplace'`)
      await client.query(`alter database ${template}_new rename to ${template}`)
    }
    await client.query(`create database ${name} template ${template}`)
    await client.query('select pg_advisory_unlock(4711)')
  })
  const env = configured(name, 'commonplace_app')
  return {
    env,
    kind: 'postgres',
    connect: (identity) => connect(env, identity),
    async close() {
      await asOwner(configured('postgres'), async (client) => {
        await client.query(`drop database if exists ${name} with (force)`)
      })
      await proxy.close()
    },
  }
}

async function migrateWith(env: DbEnv) {
  connect(env, asSystem)
  const pool = new Pool({ connectionString: env.DATABASE_URL, max: 1 })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: pool as never }) })
  await migrate(db)
  await db.destroy()
}

async function asOwner(env: DbEnv, run: (client: Client) => Promise<void>) {
  connect(env, asSystem)
  const client = new Client(env.DATABASE_URL)
  await client.connect()
  try {
    await run(client)
  } finally {
    await client.end()
  }
}
