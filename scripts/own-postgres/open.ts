import type { DbEnv } from '#db/connect.ts'
import { startProxy } from '#db/embedded/proxy.ts'
import { openTlsTunnel, serverOf, tlsOf } from '#db/embedded/tls.ts'
import { migrate } from '#db/migrate.ts'
import { migrations } from '#db/migrations/index.ts'
import { Stop } from '../stop.ts'
import { checkAppAddress, makeAppRole, type MadeRole } from './app-role.ts'
import { isNeon, kyselyOf, lookAt, parseAddress, withPool, type OwnerPool } from './owner.ts'
import { obstacleOf } from './problems.ts'

/** A way to a database, for the driver of production. */
interface Reached {
  env: DbEnv
  close(): Promise<void>
}

/**
 * Opens the way to a Postgres that is not Neon's: a proxy that speaks as Neon's endpoints do, and TLS between it and the server
 * where `sslmode` of the address asks for it.
 */
export async function reach(url: URL): Promise<Reached> {
  if (isNeon(url)) return { env: { DATABASE_URL: url.href }, close: async () => {} }
  const tls = tlsOf(url)
  const tunnel = tls && (await openTlsTunnel(serverOf(url), tls))
  const proxy = await startProxy(tunnel ?? serverOf(url))
  // How it is secured is the business of the proxy.
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
 * Brings the database of an owner's address to the newest schema and makes the role that the product runs as. Throws `Stop`, with
 * one sentence, for what is in the way. `folder` is where the address to run with is stored; null: nowhere.
 */
export async function prepareServer(
  owner: URL,
  options: { folder: string | null; newPassword?: boolean },
): Promise<MadeRole> {
  return withPool(owner, 'DATABASE_URL', async (pool) => {
    const obstacle = obstacleOf(await lookAt(pool))
    if (obstacle !== null) throw new Stop(obstacle)
    await migrate(kyselyOf(pool))
    return makeAppRole(pool, owner, options)
  })
}

/**
 * The Postgres that `DATABASE_URL` names, ready to serve from. By its owner's address it is migrated, and reached as the
 * application's role, whose address is kept in `folder`; by the application's address it is used as it is. Throws `Stop` with a
 * sentence a person can act on.
 */
export async function openServer(
  address: string,
  folder: string,
  appAddress = process.env.DATABASE_APP_URL,
): Promise<Reached> {
  const parsed = parseAddress(address)
  if (await isOfApp(parsed)) return reach(parsed)
  const { address: preparedAddress, role } = await prepareServer(parsed, { folder })
  const [app, setting] = appAddress
    ? [parseAddress(appAddress, 'DATABASE_APP_URL'), 'DATABASE_APP_URL']
    : [preparedAddress, 'the stored address']
  if (!app)
    throw new Stop(
      `The role "${role}" is there, but its password is not known here: name the address it was given as DATABASE_APP_URL, or make a new password with "npm run migrate -- new-password".`,
    )
  await checkAppAddress(app, setting).catch((error: unknown) => {
    if (appAddress || !(error instanceof Stop) || !/refuses the password/.test(error.message)) throw error
    throw new Stop(
      `The role "${role}" has another password than the one that is stored here: name its address as DATABASE_APP_URL, or make a new password with "npm run migrate -- new-password".`,
    )
  })
  return reach(app)
}

/** Whether an address is that of the application's role. Throws `Stop` where the schema is not the newest then. */
async function isOfApp(url: URL): Promise<boolean> {
  return withPool(url, 'DATABASE_URL', async (pool) => {
    const { isOwner, isSuperuser, hasAppRole, role } = await lookAt(pool)
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
    throw new Stop(
      `The database lacks ${missing.length} of this version's changes, which "${role}" may not make: run "npm run migrate" with the owner's address first.`,
    )
}
