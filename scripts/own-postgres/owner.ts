import { Pool as NeonPool } from '@neondatabase/serverless'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { toServerAddress, parseTlsOptions } from '#db/embedded/tls.ts'
import { CommandError } from '../command-error.ts'
import { explain, lookStatement, type ServerFacts } from './problems.ts'

/** The part of a pool that is used; both drivers have it. */
export interface OwnerPool {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  end(): Promise<void>
}

/** Parses an address. Throws `CommandError` when it is not one. */
export function parseAddress(text: string, setting = 'DATABASE_URL'): URL {
  try {
    const url = new URL(text)
    if (!/^postgres(?:ql)?:$/.test(url.protocol) || !url.hostname || url.pathname.length < 2 || !url.username)
      throw new Error('parts are missing')
    parseTlsOptions(url)
    return url
  } catch (error) {
    throw new CommandError(
      `${setting} is not the address of a database (${String((error as Error).message)}): write it as postgres://role:password@host:5432/database.`,
    )
  }
}

export const isOnThisMachine = (url: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)

export const isNeon = (url: URL) => url.hostname.endsWith('.neon.tech')

/**
 * Makes a pool of one connection to a database: over TCP, or to Neon over WebSockets. It connects with the
 * first query.
 */
function createPool(url: URL): OwnerPool {
  if (isNeon(url)) return new NeonPool({ connectionString: url.href, max: 1 }) as unknown as OwnerPool
  const pool = new pg.Pool({
    ...toServerAddress(url),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    ssl: parseTlsOptions(url) ?? false,
    max: 1,
    connectionTimeoutMillis: 10_000,
  })
  pool.on('error', () => {})
  return pool
}

/** Runs `work` with a connection to a database. Throws `CommandError` with one sentence for known errors. */
export async function withPool<T>(
  url: URL,
  setting: string,
  work: (pool: OwnerPool) => Promise<T>,
): Promise<T> {
  const pool = createPool(url)
  try {
    return await work(pool)
  } catch (error) {
    throw explain(error, url, setting)
  } finally {
    await pool.end()
  }
}

/** Queries facts about a server and the connected role. */
export async function readServerFacts(pool: OwnerPool): Promise<ServerFacts> {
  const { rows } = await pool.query(lookStatement)
  return rows[0] as ServerFacts
}

/** Wraps a pool in Kysely, for migrations. */
export function createKysely(pool: OwnerPool): Kysely<unknown> {
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool: pool as never }) })
}
