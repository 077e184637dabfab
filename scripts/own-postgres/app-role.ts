import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { serverOf } from '#db/embedded/tls.ts'
import { Stop } from '../stop.ts'
import { readWhole, writeWhole } from '../whole-file.ts'
import { withPool, type OwnerPool } from './owner.ts'

/**
 * The role that the product runs as in one database: it may log in, and has the rights of `commonplace_app` and no others. One for
 * each database, since roles belong to a server: a new password for one database must not lock another one out.
 */
export function appRoleOf(database: string): string {
  const name = `app_login_${database}`
  if (Buffer.byteLength(name) <= 63) return name
  return `app_login_${createHash('sha256').update(database).digest('hex').slice(0, 32)}`
}

/** Where addresses to run with are stored, by the database they lead to. */
const fileOf = (folder: string) => join(folder, 'app-databases.json')

function keyOf(owner: URL): string {
  const { host, port } = serverOf(owner)
  return `${host}:${port}${owner.pathname}`
}

/** The address that was stored for the database of `owner`; null: none. */
export function storedAddress(folder: string, owner: URL): URL | null {
  const storedAddressText = readWhole<Record<string, string>>(fileOf(folder))?.[keyOf(owner)]
  return storedAddressText === undefined ? null : new URL(storedAddressText)
}

/** Stores the address to run with, readable by no one else on this machine. Gives the file. */
export function storeAddress(folder: string, owner: URL, app: URL): string {
  const storedAddressText = readWhole<Record<string, string>>(fileOf(folder)) ?? {}
  writeWhole(
    fileOf(folder),
    `${JSON.stringify({ ...storedAddressText, [keyOf(owner)]: app.href }, null, 2)}\n`,
    0o600,
  )
  return fileOf(folder)
}

export interface MadeRole {
  /** The address to run with; null: the role was there before, and its password is known only to whom it was told. */
  address: URL | null
  /** The role, or its password, was made just now. */
  isNew: boolean
  role: string
}

/**
 * Makes sure, as the owner of a migrated database, that the application's role is there. `folder` is where its address is stored
 * (before the role is made, so that a kill between them loses nothing); null: it is only given back. An existing role keeps its
 * password, since something may run with it, unless `newPassword`.
 */
export async function makeAppRole(
  pool: OwnerPool,
  owner: URL,
  { folder, newPassword = false }: { folder: string | null; newPassword?: boolean },
): Promise<MadeRole> {
  const role = appRoleOf(decodeURIComponent(owner.pathname.slice(1)))
  const { rows } = await pool.query(
    `select pg_has_role(oid, 'commonplace_app', 'member') as "isMember" from pg_roles where rolname = $1`,
    [role],
  )
  const membership = (rows as { isMember: boolean }[])[0]
  const storedAddressText = folder === null ? null : storedAddress(folder, owner)
  if (!membership || newPassword) {
    const address = newPassword || !storedAddressText ? addressOf(owner, role) : storedAddressText
    if (folder !== null) storeAddress(folder, owner, address)
    await setPassword(pool, role, decodeURIComponent(address.password), Boolean(membership))
    await grant(pool, role)
    return { address, isNew: true, role }
  }
  // A start that was killed may have made the role and not gone further.
  if (!membership.isMember) await grant(pool, role)
  return { address: storedAddressText, isNew: false, role }
}

function addressOf(owner: URL, role: string): URL {
  const address = new URL(owner)
  address.username = role
  address.password = randomBytes(24).toString('base64url')
  return address
}

/** Names and passwords of roles cannot be bound: the server writes the statement itself. */
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

/** Throws `Stop` where the product cannot log in by the address, or would have more rights than row-level security allows. */
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
    throw new Stop(
      `The role "${role}" in ${setting} is the owner, a superuser or has BYPASSRLS, so row-level security would not hold: run with the address that "npm run migrate" says.`,
    )
  if (roleFlags.isStranger)
    throw new Stop(
      `The role "${role}" in ${setting} does not have the rights of the application: run "grant commonplace_app to ${role}" as the owner, or use the address that "npm run migrate" says.`,
    )
}
