import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { Migrator, sql, type Kysely } from 'kysely'
import { migrations } from './migrations/index.ts'

/**
 * Runs each migration as the product: row-level security applies to the owner too, and a migration that changes rows
 * must see all of them. The setting is local to the transaction.
 */
const asProduct = Object.fromEntries(
  Object.entries(migrations).map(([name, { up, down }]) => [
    name,
    {
      up: async (db: Kysely<unknown>) => (await prepare(db), up(db)),
      ...(down ? { down: async (db: Kysely<unknown>) => (await prepare(db), down(db)) } : {}),
    },
  ]),
)

/** How long a migration waits for locks: every later request for them queues behind it. */
const lockWait = '300ms'
/** Delays before each retry, in milliseconds. */
const pauses = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000]

const prepare = (db: Kysely<unknown>) =>
  sql`select set_config('app.global', 'system', true), set_config('lock_timeout', ${lockWait}, true)`.execute(
    db,
  )

/**
 * Migrates a database to the newest schema, as its owner, all or nothing. Retries for about a minute while tables are
 * locked by others. Throws the error of a failed migration, or `MigrationLockedError`; returns the names of the executed
 * migrations.
 */
export async function migrate(owner: Kysely<unknown>, waits: readonly number[] = pauses): Promise<string[]> {
  for (const wait of waits) {
    try {
      return await migrateOnce(owner)
    } catch (error) {
      if (!isLocked(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
  return migrateOnce(owner).catch(async (error: unknown) => {
    throw isLocked(error) ? new MigrationLockedError(await holderIn(owner), error) : error
  })
}

/** Others held the locks that a migration needs during all attempts. Nothing was changed. */
export class MigrationLockedError extends Error {
  constructor(holder: string | null, cause: unknown) {
    const who = holder ?? 'Another session'
    super(
      `${who} holds what a migration needs, so nothing was changed. End it, or wait for it, and run this again.`,
      { cause },
    )
    this.name = 'MigrationLockedError'
  }
}

/** PostgreSQL: `lock_timeout` was over. */
const isLocked = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === '55P03'

/** A description of the session with the longest running transaction; null: there is none. */
async function holderIn(owner: Kysely<unknown>): Promise<string | null> {
  const { rows } = await sql<{ pid: number; role: string; program: string; state: string; seconds: number }>`
    select pid, coalesce(usename, '') as role, application_name as program, coalesce(state, '') as state,
      extract(epoch from now() - xact_start)::int as seconds
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
      and backend_type = 'client backend'
    order by xact_start limit 1`.execute(owner)
  const [row] = rows
  if (!row) return null
  const program = row.program === '' ? '' : `, ${row.program}`
  return `The session ${row.pid} of the role "${row.role}"${program} (${row.state}, its transaction began ${row.seconds} s ago)`
}

async function migrateOnce(owner: Kysely<unknown>): Promise<string[]> {
  const migrator = new Migrator({
    db: owner,
    provider: { getMigrations: async () => asProduct },
    migrationTableName: 'migration',
    migrationLockTableName: 'migration_lock',
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error
  return (results ?? []).filter((r) => r.status === 'Success').map((r) => r.migrationName)
}

/**
 * A hash that identifies the schema of this checkout: of the migrations and the modules they share. Prepared databases
 * are cached under it.
 */
export function schemaHash(): string {
  const folder = new URL('./migrations/', import.meta.url)
  const hash = createHash('sha256')
  hash.update(readFileSync(new URL('./row-security.ts', import.meta.url)))
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(new URL(name, folder)))
  return hash.digest('hex').slice(0, 12)
}
