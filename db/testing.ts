import { randomBytes } from 'node:crypto'
import { Client, neonConfig, Pool } from '@neondatabase/serverless'
import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely'
import pg from 'pg'
import { WebSocket } from 'ws'
import { connect, type Connection, type DbEnv, type Identity } from './connect.ts'
import type { PoolLimits } from './embedded/backends.ts'
import { openEmbedded, ownerKysely } from './embedded/open.ts'
import { startProxy, type Proxy } from './embedded/proxy.ts'
import { migrate, schemaHash } from './migrate.ts'

/** A database for one test file: migrated, empty, accessed through the production driver. */
export interface TestDatabase {
  env: DbEnv
  connect(identity: Identity): Connection
  kind: 'pglite' | 'postgres'
  /** Makes the database read-only, like a standby or a server with a full disk; false: writable again. */
  makeReadOnly(isReadOnly: boolean): Promise<void>
  /**
   * Runs a read-only query as the owner of the server, without row-level security: scanning every table as
   * `system` took three times as long, most of it for planning policies. On the embedded database, which has
   * one session for all, runs it as `system`.
   */
  readAll<T>(query: CompiledQuery): Promise<T[]>
  close(): Promise<void>
}

export const asSystem: Identity = { user: '', places: [], global: 'system' }
export const asStranger: Identity = { user: '', places: [], global: '' }

/** True where tests of time-outs, cancellation and parallel transactions can run. */
export const hasRealPostgres = Boolean(process.env.TEST_POSTGRES_URL)

/** The limits of a database for tests: `maxOpen` of its connections for transactions. */
export type DatabaseLimits = Pick<PoolLimits, 'maxOpen'>

/**
 * An embedded database, or with `TEST_POSTGRES_URL` (an owner's URL on this machine) a new one on that server. By
 * default it has as many connections as the contexts of a test keep open until it closes.
 */
export async function freshDatabase({ maxOpen = Infinity }: DatabaseLimits = {}): Promise<TestDatabase> {
  const url = process.env.TEST_POSTGRES_URL
  return url ? onPostgres(new URL(url), maxOpen) : onPglite()
}

/** The proxies of this process, by their address. */
const startedProxies = new Map<string, Proxy>()

/**
 * The driver of Neon lets its fetch be replaced. Statements to a proxy in this process skip the sockets of
 * Node's fetch and Node's server, neither of which runs in production and which took longer than the
 * statement.
 */
neonConfig.fetchFunction = async (url: string, init: { body: string; headers: Record<string, string> }) => {
  const proxy = startedProxies.get(new URL(url).host)
  if (!proxy) return fetch(url, init)
  const { status, json } = await proxy.answer(init.body, init.headers)
  return { ok: status === 200, status, json: async () => json, text: async () => JSON.stringify(json) }
}

// The in-process line already batches what is sent in one turn; the driver would wait a millisecond for more.
neonConfig.coalesceWrites = false
neonConfig.webSocketConstructor = function open(url: string) {
  return startedProxies.get(new URL(url).host)?.line() ?? new WebSocket(url)
} as never

/** The number of connections of a test with many people at once. */
const maxIdle = 8

/** Starts a proxy that is called in-process, without a socket, while it is open. */
async function nearProxy(backend: Parameters<typeof startProxy>[0], maxOpen = Infinity): Promise<Proxy> {
  const proxy = await startProxy(backend, 0, { maxIdle, maxOpen })
  startedProxies.set(proxy.address, proxy)
  return {
    ...proxy,
    async close() {
      startedProxies.delete(proxy.address)
      await proxy.close()
    },
  }
}

async function onPglite(): Promise<TestDatabase> {
  const database = await openEmbedded(null)
  const proxy = await nearProxy({ pglite: database })
  // A host for each database: two databases in one test have two proxies.
  const host = `db-${randomBytes(6).toString('hex')}.local`
  const env = { DATABASE_URL: `postgres://app:app@${host}/commonplace`, DB_PROXY: proxy.address }
  // Registers the host, whichever settings are used to reach it first.
  connect(env, asSystem)
  return {
    env,
    kind: 'pglite',
    connect: (identity) => connect(env, identity),
    async makeReadOnly(isReadOnly) {
      await database.exec(`set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`)
    },
    async readAll<T>(query: CompiledQuery) {
      const { db, end } = connect(env, asSystem)
      const { rows } = await db.executeQuery<T>(query)
      await end()
      return rows
    },
    async close() {
      await proxy.close()
      await database.close()
    },
  }
}

async function onPostgres(owner: URL, maxOpen?: number): Promise<TestDatabase> {
  const server = { host: owner.hostname, port: Number(owner.port || 5432) }
  const proxy = await nearProxy(server, maxOpen)
  const template = `commonplace_template_${schemaHash()}`
  const name = `commonplace_test_${randomBytes(6).toString('hex')}`
  const configured = (database: string, user?: string, through = proxy) => {
    const url = new URL(owner)
    url.pathname = `/${database}`
    if (user) {
      url.username = user
      url.password = 'commonplace'
    }
    return { DATABASE_URL: url.href, DB_PROXY: through.address }
  }
  await asOwner(configured('postgres'), async (client) => {
    await client.query('select pg_advisory_lock(4711)')
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template])
    if (!rowCount) {
      await client.query(`create database ${template}_new`)
      // An idle connection in a pool would prevent renaming the database.
      const once = await startProxy(server)
      await migrateWith(configured(`${template}_new`, undefined, once))
      await once.close()
      connect(configured('postgres'), asSystem)
      await client.query(`alter role commonplace_app login password 'commonplace'`)
      await client.query(`alter database ${template}_new rename to ${template}`)
    }
    // By copying files: through the WAL, the default since Postgres 15, a copy takes five times as long.
    await client.query(`create database ${name} template ${template} strategy file_copy`)
    await client.query('select pg_advisory_unlock(4711)')
  })
  const env = configured(name, 'commonplace_app')
  return {
    env,
    kind: 'postgres',
    connect: (identity) => connect(env, identity),
    async makeReadOnly(isReadOnly) {
      await asOwner(configured('postgres'), async (client) => {
        await client.query(
          `alter database ${name} set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`,
        )
        // Only new connections use the setting.
        await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
          name,
        ])
      })
    },
    async readAll<T>({ sql, parameters }: CompiledQuery) {
      let rows: T[] = []
      await asOwner(configured(name), async (client) => {
        // Compiling a query over all tables, or starting parallel workers, takes longer than running it.
        await client.query('set jit = off; set max_parallel_workers_per_gather = 0')
        rows = (await client.query(sql, [...parameters])).rows as T[]
      })
      return rows
    },
    async close() {
      await asOwner(configured('postgres'), async (client) => {
        await client.query(`drop database if exists ${name} with (force)`)
      })
      await proxy.close()
    },
  }
}

/**
 * A database for one test file with access as its owner, for tests that change the schema. Embedded, or on
 * the server of `TEST_POSTGRES_URL`.
 */
export async function freshAsOwner(): Promise<{ owner: Kysely<unknown>; close(): Promise<void> }> {
  const url = process.env.TEST_POSTGRES_URL
  if (!url) {
    const database = await openEmbedded(null)
    await database.exec('reset role')
    return { owner: ownerKysely(database), close: () => database.close() }
  }
  const database = await onPostgres(new URL(url))
  const own = new URL(url)
  own.pathname = new URL(database.env.DATABASE_URL).pathname
  const pool = new pg.Pool({ connectionString: own.href, max: 1, options: '-c jit=off' })
  // An ended pool does not wait for its connections to close: dropping the database may break one, which both
  // report.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const owner = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  return {
    owner,
    async close() {
      await owner.destroy()
      await database.close()
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
