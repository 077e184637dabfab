import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { toServerAddress } from '#db/embedded/tls.ts'
import { CommandError } from '../command-error.ts'
import { readWhole, writeFileAtomic } from '../atomic-file.ts'
import { withPool, type OwnerPool } from './owner.ts'

/**
 * The role that the product runs as in one database: it may log in, and has exactly the rights of
 * `commonplace_app`. There is one per database, because roles belong to the server: a new password for one
 * database must not lock out another one.
 */
export function getAppRole(database: string): string {
  const name = `app_login_${database}`
  if (Buffer.byteLength(name) <= 63) return name
  return `app_login_${createHash('sha256').update(database).digest('hex').slice(0, 32)}`
}

/** The file with the addresses to connect by, keyed by database. */
const getFilePath = (folder: string) => join(folder, 'app-databases.json')

function toDatabaseKey(owner: URL): string {
  const { host, port } = toServerAddress(owner)
  return `${host}:${port}${owner.pathname}`
}

/** Returns the stored address for the database of `owner`; null without one. */
export function readStoredAddress(folder: string, owner: URL): URL | null {
  const storedAddressText = readWhole<Record<string, string>>(getFilePath(folder))?.[toDatabaseKey(owner)]
  return storedAddressText === undefined ? null : new URL(storedAddressText)
}

/** Stores the address to connect by, readable only by the current user of this machine. Returns the file. */
export function storeAddress(folder: string, owner: URL, app: URL): string {
  const storedAddressText = readWhole<Record<string, string>>(getFilePath(folder)) ?? {}
  writeFileAtomic(
    getFilePath(folder),
    `${JSON.stringify({ ...storedAddressText, [toDatabaseKey(owner)]: app.href }, null, 2)}\n`,
    0o600,
  )
  return getFilePath(folder)
}

export interface MadeRole {
  /** The address to connect by; null: the role existed before, and its password is not stored here. */
  address: URL | null
  /** The role or its password was created just now. */
  isNew: boolean
  role: string
}

/**
 * Makes sure, as the owner of a migrated database, that the application's role exists. `folder` is where its
 * address is stored (before the role is created, so that a kill between the two loses nothing); null: it is
 * only returned. An existing role keeps its password, because something may run with it, unless
 * `newPassword`.
 */
export async function makeAppRole(
  pool: OwnerPool,
  owner: URL,
  { folder, newPassword = false }: { folder: string | null; newPassword?: boolean },
): Promise<MadeRole> {
  const role = getAppRole(decodeURIComponent(owner.pathname.slice(1)))
  const { rows } = await pool.query(
    `select pg_has_role(oid, 'commonplace_app', 'member') as "isMember" from pg_roles where rolname = $1`,
    [role],
  )
  const membership = (rows as { isMember: boolean }[])[0]
  const storedAddressText = folder === null ? null : readStoredAddress(folder, owner)
  if (!membership || newPassword) {
    const address = newPassword || !storedAddressText ? createAddress(owner, role) : storedAddressText
    if (folder !== null) storeAddress(folder, owner, address)
    await setPassword(pool, role, decodeURIComponent(address.password), Boolean(membership))
    await grant(pool, role)
    return { address, isNew: true, role }
  }
  // A killed start may have created the role without granting its rights.
  if (!membership.isMember) await grant(pool, role)
  return { address: storedAddressText, isNew: false, role }
}

function createAddress(owner: URL, role: string): URL {
  const address = new URL(owner)
  address.username = role
  address.password = randomBytes(24).toString('base64url')
  return address
}

/** Names and passwords of roles cannot be bound: the server formats the statement itself. */
async function setPassword(pool: OwnerPool, role: string, password: string, isThere: boolean) {
  const { rows } = await pool.query(
    `select format('${isThere ? 'alter' : 'create'} role %I login password %L', $1::text, $2::text) as text`,
    [role, password],
  )
  await pool.query((rows[0] as { text: string }).text)
}

async function grant(pool: OwnerPool, role: string) {
  const { rows } = await pool.query(`select format('grant commonplace_app to %I', $1::text) as text`, [role])
  await pool.query((rows[0] as { text: string }).text)
}

/**
 * Throws `CommandError` when the product cannot log in by the address, or would have more rights than row-level
 * security allows.
 */
export async function checkAppAddress(app: URL, setting: string): Promise<void> {
  const { rows } = await withPool(app, setting, (pool) =>
    pool.query(`select rolsuper or rolbypassrls or
        exists (select from pg_class where relrowsecurity and pg_has_role(relowner, 'usage')) as "isUnbound",
        to_regclass('public.place') is null or not has_table_privilege('public.place', 'select') as "isStranger"
      from pg_roles where rolname = current_user`),
  )
  const roleFlags = rows[0] as { isUnbound: boolean; isStranger: boolean }
  const role = decodeURIComponent(app.username)
  if (roleFlags.isUnbound)
    throw new CommandError(
      `The role "${role}" in ${setting} is the owner, a superuser or has BYPASSRLS, so row-level security would not hold: run with the address that "npm run migrate" says.`,
    )
  if (roleFlags.isStranger)
    throw new CommandError(
      `The role "${role}" in ${setting} does not have the rights of the application: run "grant commonplace_app to ${role}" as the owner, or use the address that "npm run migrate" says.`,
    )
}
