import { fileURLToPath } from 'node:url'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { postgis } from '@electric-sql/pglite-postgis'
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type Driver } from 'kysely'
import { migrate, schemaHash } from '../migrate.ts'

const extensions = { postgis, pg_trgm }

/** Prepared databases: creating PostGIS takes seconds, loading a dump a third of one. */
const preparedFolder = fileURLToPath(new URL('../../.cache/', import.meta.url))

/**
 * A migrated embedded database with the application's role (no DDL, row-level security on). `folder` null: in memory. A
 * new folder is created from the prepared dump.
 */
export async function openEmbedded(folder: string | null): Promise<PGlite> {
  const isNew = folder !== null && !existsSync(join(folder, 'PG_VERSION'))
  if (isNew) await unpackInto(folder)
  const database = await PGlite.create(
    folder ? { dataDir: folder, extensions } : { extensions, loadDataDir: await readPreparedDump() },
  )
  if (folder && !isNew) await migrate(ownerKysely(database))
  await database.exec(`set timezone = 'UTC'; set role commonplace_app`)
  return database
}

/** Creates the folder completely or not at all: a partly unpacked one looks like a database and cannot be opened. */
async function unpackInto(folder: string) {
  const partial = `${folder}.partial`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(dirname(folder), { recursive: true })
  const database = await PGlite.create({
    dataDir: partial,
    extensions,
    loadDataDir: await readPreparedDump(),
  })
  await database.close()
  rmSync(folder, { recursive: true, force: true })
  renameSync(partial, folder)
}

/** A dump of an empty, migrated database. */
async function readPreparedDump(): Promise<Blob> {
  return new Blob([readFileSync(await prepareEmbedded())])
}

/** Creates that dump, once for each state of the migrations, and returns its path. */
export async function prepareEmbedded(): Promise<string> {
  const file = join(preparedFolder, `prepared-${schemaHash()}.tar`)
  if (!existsSync(file)) {
    const database = await PGlite.create({ extensions })
    await migrate(ownerKysely(database))
    const dump = await database.dumpDataDir('none')
    await database.close()
    mkdirSync(preparedFolder, { recursive: true })
    const partial = `${file}.${process.pid}`
    writeFileSync(partial, Buffer.from(await dump.arrayBuffer()))
    renameSync(partial, file)
  }
  return file
}

/** Kysely on an embedded database, as its owner: for migrations, before other connections are accepted. */
export function ownerKysely(database: PGlite): Kysely<unknown> {
  const run = async (sql: string, parameters: readonly unknown[]) => {
    const { rows, affectedRows } = await database.query(sql, [...parameters])
    return { rows, numAffectedRows: BigInt(affectedRows ?? 0) }
  }
  const connection = {
    executeQuery: async <R>(query: { sql: string; parameters: readonly unknown[] }) => {
      const { rows, numAffectedRows } = await run(query.sql, query.parameters)
      return { rows: rows as R[], numAffectedRows }
    },
    async *streamQuery(): AsyncIterableIterator<never> {
      throw new Error('Migrations do not stream.')
    },
  }
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: async () => void (await run('begin', [])),
    commitTransaction: async () => void (await run('commit', [])),
    rollbackTransaction: async () => void (await run('rollback', [])),
    releaseConnection: async () => {},
    destroy: async () => {},
  }
  return new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}
