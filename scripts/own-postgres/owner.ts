import { Pool as NeonPool } from '@neondatabase/serverless'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { serverOf, tlsOf } from '#db/embedded/tls.ts'
import { Stop } from '../stop.ts'
import { explain, lookStatement, type Look } from './problems.ts'

/** What is needed of a pool; both drivers have it. */
export interface OwnerPool {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  end(): Promise<void>
}

/** An address as it was given. Throws `Stop` where it is none. */
export function parseAddress(text: string, setting = 'DATABASE_URL'): URL {
  try {
    const url = new URL(text)
    if (!/^postgres(?:ql)?:$/.test(url.protocol) || !url.hostname || url.pathname.length < 2 || !url.username)
      throw new Error('parts are missing')
    tlsOf(url)
    return url
  } catch (error) {
    throw new Stop(
      `${setting} is not the address of a database (${String((error as Error).message)}): write it as postgres://role:password@host:5432/database.`,
    )
  }
}

export const isOnThisMachine = (url: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)

export const isNeon = (url: URL) => url.hostname.endsWith('.neon.tech')

/** One connection to a database by its address: over TCP, to Neon over its WebSockets. Nothing is opened before it is asked. */
function poolOf(url: URL): OwnerPool {
  if (isNeon(url)) return new NeonPool({ connectionString: url.href, max: 1 }) as unknown as OwnerPool
  const pool = new pg.Pool({
    ...serverOf(url),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    ssl: tlsOf(url) ?? false,
    max: 1,
    connectionTimeoutMillis: 10_000,
  })
  pool.on('error', () => {})
  return pool
}

/** Runs `work` with a connection to a database. Throws `Stop` with one sentence for what is known to go wrong. */
export async function withPool<T>(
  url: URL,
  setting: string,
  work: (pool: OwnerPool) => Promise<T>,
): Promise<T> {
  const pool = poolOf(url)
  try {
    return await work(pool)
  } catch (error) {
    throw explain(error, url, setting)
  } finally {
    await pool.end()
  }
}

/** What a server says of itself and of the role one comes as. */
export async function lookAt(pool: OwnerPool): Promise<Look> {
  const { rows } = await pool.query(lookStatement)
  return rows[0] as Look
}

/** Kysely over a pool, for migrations. */
export function kyselyOf(pool: OwnerPool): Kysely<unknown> {
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool: pool as never }) })
}
