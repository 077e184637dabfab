import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { Migrator, type Kysely } from 'kysely'
import { migrations } from './migrations/index.ts'

/** Brings a database to the newest schema, as its owner. Throws what stopped it; gives the names of what ran. */
export async function migrate(owner: Kysely<unknown>): Promise<string[]> {
  const migrator = new Migrator({
    db: owner,
    provider: { getMigrations: async () => migrations },
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
