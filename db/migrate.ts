import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { Migrator, sql, type Kysely } from 'kysely'
import { migrations } from './migrations/index.ts'

/**
 * Each migration as the product itself: row-level security holds for the owner too, and a migration that changes rows must see
 * all of them. The setting ends with the transaction.
 */
const asProduct = Object.fromEntries(
  Object.entries(migrations).map(([name, { up, down }]) => [
    name,
    {
      up: async (db: Kysely<unknown>) => (await beProduct(db), up(db)),
      ...(down ? { down: async (db: Kysely<unknown>) => (await beProduct(db), down(db)) } : {}),
    },
  ]),
)

const beProduct = (db: Kysely<unknown>) => sql`select set_config('app.global', 'system', true)`.execute(db)

/** Brings a database to the newest schema, as its owner. Throws what stopped it; gives the names of what ran. */
export async function migrate(owner: Kysely<unknown>): Promise<string[]> {
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

/** Names the schema this checkout makes: a hash of the migrations' text and of what they share. Prepared databases are kept under it. */
export function schemaHash(): string {
  const folder = new URL('./migrations/', import.meta.url)
  const hash = createHash('sha256')
  hash.update(readFileSync(new URL('./rowSecurity.ts', import.meta.url)))
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(new URL(name, folder)))
  return hash.digest('hex').slice(0, 12)
}
