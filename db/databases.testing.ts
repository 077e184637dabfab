import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { openConnections, type ServerConnections } from './embedded/proxy.ts'
import { toServerAddress } from './embedded/tls.ts'
import { schemaHash } from './migrate.ts'

/**
 * Databases for test files on a Postgres server. A process has one, which it empties between two files and whose
 * connections it keeps: to create and drop a database takes 50 ms, and each new connection 10 ms, mostly to read the
 * catalogue, which a file does twenty times.
 */
interface ServerDatabase {
  name: string
  connections: ServerConnections
  /** A connection as the owner of the server, for which row-level security does not hold. */
  owner: pg.Pool
  /** What empties it, and fills the tables that migrations have filled. */
  emptyingSql: string
  /** A summary of its catalogue, to detect that a test changed it. */
  catalogue: string
}

/** The owner's URL of a server, for another database. */
export function databaseUrl(server: URL, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

/** The URL of a database for the application's role, which `enableAppLogin` lets log in. */
export function appUrl(owner: URL): URL {
  const app = new URL(owner)
  app.username = 'commonplace_app'
  app.password = 'commonplace'
  return app
}

/** Lets the application's role log in with a password. The role exists once a database of the server is migrated. */
export const enableAppLogin = (owner: pg.Client) =>
  owner.query(`alter role commonplace_app login password 'commonplace'`)

/** Kept where modules that were loaded anew find it: databases that no test uses, by the URL of their server. */
const idleDatabases: Map<string, ServerDatabase[]> = ((globalThis as Record<symbol, unknown>)[
  Symbol.for('commonplace: idle test databases')
] ??= new Map()) as never

/** The number of connections of a test with many people at once. */
const maxIdle = 8

/** An empty database. `prepare` migrates the template, which is made once for all processes. */
export async function acquireDatabase(
  server: URL,
  prepare: (database: string) => Promise<void>,
): Promise<ServerDatabase> {
  return idleDatabases.get(server.href)?.pop() ?? createDatabase(server, prepare)
}

/**
 * Empties a database for the next test; drops it where that is not the same as a new one: something still uses it, or
 * its catalogue or the statistics of its planner have changed.
 */
export async function returnDatabase(server: URL, database: ServerDatabase): Promise<void> {
  if (!(await isQuiet(database)) || !(await emptyDatabase(database))) return dropDatabase(server, database)
  const idle = idleDatabases.get(server.href) ?? []
  idleDatabases.set(server.href, [...idle, database])
}

export async function dropDatabase(server: URL, { name, connections, owner }: ServerDatabase): Promise<void> {
  connections.close()
  await owner.end()
  await asOwner(server, 'postgres', (client) => client.query(`drop database if exists ${name} with (force)`))
}

/** A database that no test has used; `acquireDatabase` says what `prepare` is. `maxOpen`: connections for transactions. */
export async function createDatabase(
  server: URL,
  prepare: (database: string) => Promise<void>,
  maxOpen = Infinity,
): Promise<ServerDatabase> {
  const template = `commonplace_template_${schemaHash()}`
  const name = `commonplace_test_${process.pid}_${randomBytes(4).toString('hex')}`
  await asOwner(server, 'postgres', async (client) => {
    await client.query('select pg_advisory_lock(4711)')
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template])
    if (!rowCount) {
      await client.query(`create database ${template}_new`)
      await prepare(`${template}_new`)
      await enableAppLogin(client)
      await client.query(`alter database ${template}_new rename to ${template}`)
    }
    for (const left of await databasesOfEndedProcesses(client))
      await client.query(`drop database if exists ${left} with (force)`)
    // By copying files: through the WAL, the default since Postgres 15, a copy takes five times as long.
    await client.query(`create database ${name} template ${template} strategy file_copy`)
    await client.query('select pg_advisory_unlock(4711)')
  })
  const owner = new pg.Pool({
    connectionString: databaseUrl(server, name),
    ...{ max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true },
    options: '-c jit=off -c max_parallel_workers_per_gather=0',
  })
  // Dropping the database, or a test that terminates connections, breaks it.
  owner.on('error', () => {})
  owner.on('connect', (client) => client.on('error', () => {}))
  const connections = openConnections(toServerAddress(server), { maxIdle, maxOpen })
  const emptyingSql = await writeEmptyingSql(owner)
  return { name, connections, owner, emptyingSql, catalogue: await summarizeCatalogue(owner) }
}

/** Test databases whose process has ended without dropping them. */
async function databasesOfEndedProcesses(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database where datname ~ '^commonplace_test_[0-9]+_'`,
  )
  return rows
    .map(({ datname }) => datname)
    .filter((name) => {
      try {
        return !process.kill(Number(name.split('_')[2]), 0)
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'ESRCH'
      }
    })
}

/** Tables that are the same in every database of a version. */
const fixedTables = ['migration', 'migration_lock', 'spatial_ref_sys']

/**
 * The statements that empty a database like this new one. Rows are deleted, since truncating creates new files for
 * every table and index; triggers and foreign keys, of which nothing would remain, are off.
 */
async function writeEmptyingSql(owner: pg.Pool): Promise<string> {
  const { rows } = await owner.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all ($1) order by 1`,
    [fixedTables],
  )
  const inserts: string[] = []
  for (const { name } of rows) {
    const { rows: jsonRows } = await owner.query<{ rows: string | null }>(
      `select quote_literal(json_agg(t)) as rows from ${name} t`,
    )
    const values = jsonRows[0]?.rows ?? null
    if (values !== null)
      inserts.push(`insert into ${name} select * from json_populate_recordset(null::${name}, ${values})`)
  }
  return [
    'begin',
    `set local lock_timeout = '2s'`,
    'set local session_replication_role = replica',
    ...rows.map(({ name }) => `delete from ${name}`),
    ...inserts,
    'select setval(seqrelid::regclass, seqstart, false) from pg_sequence',
    'commit',
  ].join(';\n')
}

/** Waits at most half a second until no other connection runs anything; whether none does. */
async function isQuiet({ owner }: ServerDatabase): Promise<boolean> {
  for (let attempts = 0; attempts < 50; attempts++) {
    const { rows } = await owner
      .query<{ busy: boolean }>(
        `select exists (select from pg_stat_activity where datname = current_database()
         and pid <> pg_backend_pid() and backend_type = 'client backend' and state <> 'idle') as busy`,
      )
      .catch(() => ({ rows: [] }))
    if (rows[0]?.busy === false) return true
    if (rows.length === 0) return false
    await wait(10)
  }
  return false
}

/** The size in bytes above which a table is truncated, since its deleted rows would still be read; ten pages. */
const smallTable = 81_920

/** Removes everything that a test may have stored; false where the result would differ from a new database. */
async function emptyDatabase({ owner, emptyingSql, catalogue }: ServerDatabase): Promise<boolean> {
  try {
    const { rows } = await owner.query<{ name: string; isData: boolean }>(
      `select format('%I.%I', nspname, relname) as name, nspname <> 'public' as "isData"
       from pg_class c join pg_namespace n on n.oid = relnamespace
       where relkind in ('r', 'p') and (nspname in ('data', 'data_part')
         or nspname = 'public' and pg_relation_size(c.oid) > $1 and relname <> all ($2))`,
      [smallTable, fixedTables],
    )
    const tables = rows.filter(({ isData }) => isData).map(({ name }) => name)
    const large = rows.filter(({ isData }) => !isData).map(({ name }) => name)
    if (tables.length > 0) await owner.query(`drop table if exists ${tables.join(', ')} cascade`)
    if (large.length > 0) await owner.query(`truncate ${large.join(', ')} cascade`)
    await owner.query(emptyingSql)
    await restoreStorage(owner)
    return (await summarizeCatalogue(owner)) === catalogue
  } catch {
    return false
  }
}

/**
 * Frees the space of deleted rows, and has the planner know no more of a table than of a new one: it would read tables
 * in another way, and rows without an order in another order.
 */
async function restoreStorage(owner: pg.Pool) {
  const { rows } = await owner.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace
     and relkind = 'r' and pg_relation_size(oid) > 0 and relname <> all ($1)`,
    [fixedTables],
  )
  if (rows.length === 0) return
  await owner.query(`vacuum ${rows.map(({ name }) => name).join(', ')}`)
  await owner.query(
    `update pg_class set reltuples = -1, relpages = 0, relallvisible = 0
     where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples <> -1
       and relname <> all ($1)`,
    [fixedTables],
  )
}

/** A summary of what a test could change besides rows: tables, columns, rules, functions, and statistics of the planner. */
async function summarizeCatalogue(owner: pg.Pool): Promise<string> {
  const { rows } = await owner.query<{ summary: string }>(
    `with own as (select c.oid from pg_class c join pg_namespace n on n.oid = relnamespace
       where nspname in ('public', 'data', 'data_part'))
     select concat_ws(' ',
       (select count(*) from own),
       (select concat(count(*), '-', sum(hashtext(concat(attname, attnotnull, atttypid)))) from pg_attribute
        where attrelid in (select oid from own)),
       (select concat(count(*), '-', sum(hashtext(conname::text))) from pg_constraint),
       (select concat(count(*), '-', sum(hashtext(concat(tgname, tgenabled)))) from pg_trigger where not tgisinternal),
       (select concat(count(*), '-', sum(hashtext(polname::text))) from pg_policy),
       (select concat(count(*), '-', max(oid)) from pg_proc),
       (select count(*) from pg_statistic where starelid in (select oid from own)),
       (select count(*) from pg_db_role_setting where setdatabase <> 0)
     ) as summary`,
  )
  return rows[0]?.summary ?? ''
}

async function asOwner(server: URL, database: string, run: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client({ connectionString: databaseUrl(server, database) })
  await client.connect()
  try {
    await run(client)
  } finally {
    await client.end()
  }
}
