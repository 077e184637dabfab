import type { DbEnv } from '#db/connect.ts'
import { startProxy } from '#db/embedded/proxy.ts'
import { openTlsTunnel, toServerAddress, parseTlsOptions } from '#db/embedded/tls.ts'
import { migrate } from '#db/migrate.ts'
import { migrations } from '#db/migrations/index.ts'
import { CommandError } from '../command-error.ts'
import { checkAppAddress, makeAppRole, type MadeRole } from './app-role.ts'
import { isNeon, createKysely, readServerFacts, parseAddress, withPool, type OwnerPool } from './owner.ts'
import { findObstacle } from './problems.ts'

/** A connection to a database for the production driver. */
interface OpenConnection {
  env: DbEnv
  close(): Promise<void>
}

/**
 * Connects to a Postgres that is not Neon's: by a proxy that speaks the protocol of Neon's endpoints, with
 * TLS between it and the server where `sslmode` of the address asks for it.
 */
export async function reach(url: URL): Promise<OpenConnection> {
  if (isNeon(url)) return { env: { DATABASE_URL: url.href }, close: async () => {} }
  const tls = parseTlsOptions(url)
  const tunnel = tls && (await openTlsTunnel(toServerAddress(url), tls))
  const proxy = await startProxy(tunnel ?? toServerAddress(url))
  // TLS is handled by the proxy.
  const plain = new URL(url)
  plain.search = ''
  return {
    env: { DATABASE_URL: plain.href, DB_PROXY: proxy.address },
    async close() {
      await proxy.close()
      await tunnel?.close()
    },
  }
}

/**
 * Migrates the database of an owner's address to the newest schema and creates the role that the product runs
 * as. Throws `CommandError` with one sentence about what prevents that. `folder` is where the address to connect by
 * is stored; null: nowhere.
 */
export async function prepareServer(
  owner: URL,
  options: { folder: string | null; newPassword?: boolean },
): Promise<MadeRole> {
  return withPool(owner, 'DATABASE_URL', async (pool) => {
    const obstacle = findObstacle(await readServerFacts(pool))
    if (obstacle !== null) throw new CommandError(obstacle)
    await migrate(createKysely(pool))
    return makeAppRole(pool, owner, options)
  })
}

/**
 * Opens the Postgres of `DATABASE_URL`, ready to serve from. With its owner's address it is migrated, and
 * used as the application's role, whose address is stored in `folder`; the application's address is used as
 * it is. Throws `CommandError` with a sentence that says what to do.
 */
export async function openServer(
  address: string,
  folder: string,
  appAddress = process.env.DATABASE_APP_URL,
): Promise<OpenConnection> {
  const parsed = parseAddress(address)
  if (await isOfApp(parsed)) return reach(parsed)
  const { address: preparedAddress, role } = await prepareServer(parsed, { folder })
  const [app, setting] = appAddress
    ? [parseAddress(appAddress, 'DATABASE_APP_URL'), 'DATABASE_APP_URL']
    : [preparedAddress, 'the stored address']
  if (!app)
    throw new CommandError(
      `The role "${role}" is there, but its password is not known here: name the address it was given as DATABASE_APP_URL, or make a new password with "npm run migrate -- new-password".`,
    )
  await checkAppAddress(app, setting).catch((error: unknown) => {
    if (appAddress || !(error instanceof CommandError) || !/refuses the password/.test(error.message))
      throw error
    throw new CommandError(
      `The role "${role}" has another password than the one that is stored here: name its address as DATABASE_APP_URL, or make a new password with "npm run migrate -- new-password".`,
    )
  })
  return reach(app)
}

/**
 * Returns whether an address is that of the application's role. If it is, throws `CommandError` unless the schema is
 * the newest.
 */
async function isOfApp(url: URL): Promise<boolean> {
  return withPool(url, 'DATABASE_URL', async (pool) => {
    const { isOwner, isSuperuser, hasAppRole, role } = await readServerFacts(pool)
    if (isOwner !== false || isSuperuser || !hasAppRole) return false
    const { rows } = await pool.query(`select pg_has_role('commonplace_app', 'usage') as "isMember"`)
    if (!(rows[0] as { isMember: boolean }).isMember) return false
    await checkAppAddress(url, 'DATABASE_URL')
    await checkSchema(pool, role)
    return true
  })
}

async function checkSchema(pool: OwnerPool, role: string) {
  const { rows } = await pool.query('select name from migration')
  const existing = new Set((rows as { name: string }[]).map(({ name }) => name))
  const missing = Object.keys(migrations).filter((name) => !existing.has(name))
  if (missing.length > 0)
    throw new CommandError(
      `The database lacks ${missing.length} of this version's changes, which "${role}" may not make: run "npm run migrate" with the owner's address first.`,
    )
}
