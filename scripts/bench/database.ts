import { Kysely, PostgresDialect } from 'kysely'
import { Client, Pool } from 'pg'
import { appUrl, enableAppLogin } from '#db/databases.testing.ts'
import { migrate, schemaHash } from '#db/migrate.ts'
import { system } from '#functions/context.ts'
import { recount } from '#functions/domain/records/recount.ts'
import { contextOver, kyselyOver } from './context.ts'
import { fill, sourceId, stage } from './corpus.ts'
import type { Server } from './server.ts'

/** A database filled with the corpus. */
export interface BenchDatabase {
  rows: number
  /** How many places there are besides the measured one. */
  hubs: number
  owner: URL
  /** The application's role: row-level security hides from it what the current user may not see. */
  app: URL
}

const hubs = 10_000

/**
 * Returns the database with so many rows, created unless it exists: for the same schema it has the same rows,
 * so a second run starts at once.
 */
export async function fillDatabase(
  server: Server,
  rows: number,
  log: (line: string) => void,
): Promise<BenchDatabase> {
  const name = `commonplace_bench_${schemaHash()}_${rows}`
  const owner = new URL(server.owner)
  owner.pathname = `/${name}`
  const app = appUrl(owner)
  const isThere = await askDatabase(server.owner, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    return Boolean(rowCount)
  })
  if (!isThere) await make(server, name, owner, rows, log)
  return { rows, hubs, owner, app }
}

async function make(server: Server, name: string, owner: URL, rows: number, log: (line: string) => void) {
  const making = new URL(owner)
  making.pathname = `/${name}_new`
  await askDatabase(server.owner, async (client) => {
    await client.query(`drop database if exists ${name}_new with (force)`)
    await client.query(`create database ${name}_new`)
  })
  const pool = new Pool({ connectionString: making.href, max: 1 })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  await migrate(db)
  await db.destroy()
  await askDatabase(making, async (client) => {
    await enableAppLogin(client)
    await stage(client, log)
    await fill(making, client, rows, hubs, log)
    await client.query('drop schema corpus cascade')
  })
  log('  counting what the product keeps')
  const owners = new Pool({ connectionString: making.href, max: 1 })
  const kysely = kyselyOver(owners)
  const ctx = contextOver(kysely, { actor: system, transaction: (run) => kysely.transaction().execute(run) })
  await recount(ctx, sourceId)
  await kysely.destroy()
  await askDatabase(making, async (client) => void (await client.query('vacuum analyze')))
  await askDatabase(
    server.owner,
    async (client) => void (await client.query(`alter database ${name}_new rename to ${name}`)),
  )
}

/** Runs queries on a database over a connection that is closed afterwards. */
export async function askDatabase<T>(url: URL, run: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url.href })
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}
