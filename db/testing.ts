import { randomBytes } from 'node:crypto'
import { neonConfig, Pool } from '@neondatabase/serverless'
import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely'
import pg from 'pg'
import { WebSocket } from 'ws'
import { connect, type Connection, type DbEnv, type Identity } from './connect.ts'
import {
  appUrl,
  createDatabase,
  dropDatabase,
  returnDatabase,
  acquireDatabase,
  databaseUrl,
} from './databases.testing.ts'
import type { PoolLimits } from './embedded/backends.ts'
import { openEmbedded, ownerKysely } from './embedded/open.ts'
import { startProxy, type Proxy } from './embedded/proxy.ts'
import { toServerAddress } from './embedded/tls.ts'
import { migrate } from './migrate.ts'

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

export interface DatabaseOptions {
  /** No other test uses it afterwards: for tests that change more than rows, as its owner. */
  isOwn?: boolean
  /** The most connections for transactions; by default as many as the contexts of a test open. */
  maxOpen?: PoolLimits['maxOpen']
}

/**
 * An empty database: an embedded one, or with `TEST_POSTGRES_URL` (an owner's URL on this machine) one on that server.
 */
export async function freshDatabase(options: DatabaseOptions = {}): Promise<TestDatabase> {
  const url = process.env.TEST_POSTGRES_URL
  return url ? onPostgres(new URL(url), options) : onPglite()
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

/** Starts a proxy that is called in-process, without a socket, while it is open. */
async function nearProxy(backend: Parameters<typeof startProxy>[0]): Promise<Proxy> {
  const proxy = await startProxy(backend)
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

async function onPostgres(server: URL, { isOwn = false, maxOpen }: DatabaseOptions): Promise<TestDatabase> {
  const isShared = !isOwn && maxOpen === undefined
  const migrateTemplate = migrateOn(server)
  const database = isShared
    ? await acquireDatabase(server, migrateTemplate)
    : await createDatabase(server, migrateTemplate, maxOpen)
  const { name, owner } = database
  const proxy = await nearProxy({ connections: database.connections })
  const url = appUrl(new URL(databaseUrl(server, name)))
  // A host for each test file: what one still does when it has ended finds no proxy, instead of that of the next.
  url.hostname = `db-${randomBytes(6).toString('hex')}.local`
  const env = { DATABASE_URL: url.href, DB_PROXY: proxy.address }
  connect(env, asSystem)
  let isReusable = isShared
  return {
    env,
    kind: 'postgres',
    connect: (identity) => connect(env, identity),
    async makeReadOnly(isReadOnly) {
      isReusable = false
      await owner.query(
        `alter database ${name} set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`,
      )
      // Only new connections use the setting.
      await owner.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
        [name],
      )
    },
    async readAll<T>({ sql, parameters }: CompiledQuery) {
      return (await owner.query(sql, [...parameters])).rows as T[]
    },
    async close() {
      await proxy.close()
      await (isReusable ? returnDatabase : dropDatabase)(server, database)
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
  const database = await onPostgres(new URL(url), { isOwn: true })
  const name = new URL(database.env.DATABASE_URL).pathname.slice(1)
  const connectionString = databaseUrl(new URL(url), name)
  const pool = new pg.Pool({ connectionString, max: 1, options: '-c jit=off' })
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

/**
 * An empty database on the server of `TEST_POSTGRES_URL`, for a product that connects by itself: the address of the
 * application's role. Null without a server.
 */
export async function freshAddress(): Promise<{ url: string; close(): Promise<void> } | null> {
  if (!process.env.TEST_POSTGRES_URL) return null
  const server = new URL(process.env.TEST_POSTGRES_URL)
  const database = await createDatabase(server, migrateOn(server))
  const url = appUrl(new URL(databaseUrl(server, database.name)))
  return { url: url.href, close: () => dropDatabase(server, database) }
}

/** Returns what migrates a database of a server. */
function migrateOn(server: URL): (database: string) => Promise<void> {
  return async (name) => {
    // An idle connection in a pool would prevent renaming the database.
    const once = await startProxy(toServerAddress(server))
    await migrateWith({ DATABASE_URL: databaseUrl(server, name), DB_PROXY: once.address })
    await once.close()
  }
}

async function migrateWith(env: DbEnv) {
  connect(env, asSystem)
  const pool = new Pool({ connectionString: env.DATABASE_URL, max: 1 })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: pool as never }) })
  await migrate(db)
  await db.destroy()
}
