import type { Kysely } from 'kysely'
import { Client, Pool } from 'pg'
import { makeTable } from '#db/data-table.ts'
import { migrate } from '#db/migrate.ts'
import type { Db } from '#db/schema.ts'
import { system, type Context } from '#functions/context.ts'
import { queueJob } from '#functions/domain/importer/job/queue.ts'
import { step } from '#functions/domain/importer/job/step.ts'
import type { Ports } from '#functions/engine/import/fetch/index.ts'
import { contextOver, kyselyOver } from './context.ts'
import { mapping, schema } from './import-corpus.ts'

export const [placeId, dataTypeId] = ['bench-import', 'bench-import']
/** The only importer of a database in which memory is measured. */
export const importer = 'large'
const address = 'https://files.example.org/flights.csv'

/**
 * The product's own work has no visitor: row-level security does not apply, and the usual statement timeout
 * does.
 */
const asSystem = '-c app.user= -c app.places= -c app.global=system -c statement_timeout=20000 -c jit=off'

/** Runs something on a temporary database with a place and a data type in it. */
export async function onImportDatabase<T>(owner: URL, run: (url: URL) => Promise<T>): Promise<T> {
  const name = `commonplace_bench_import_${process.pid}`
  const admin = new Client({ connectionString: owner.href })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const url = new URL(owner)
  url.pathname = `/${name}`
  try {
    const making = kyselyOver(new Pool({ connectionString: url.href, max: 1, options: asSystem }))
    await migrate(making as unknown as Kysely<unknown>)
    await plant(making)
    await making.destroy()
    return await run(url)
  } finally {
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  }
}

/** Opens connections like those of the product's own work. Close them by `end`. */
export function systemPool(url: URL): Pool {
  const pool = new Pool({ connectionString: url.href, max: 2, options: asSystem })
  // Connections break when their database is dropped.
  pool.on('error', () => {})
  return pool
}

/** The Context in which runs are processed. */
export function contextOfWork(db: Db, files: R2Bucket): Context {
  return contextOver(db, { actor: system, files, transaction: (run) => db.transaction().execute(run) })
}

async function plant(db: Db) {
  await db
    .insertInto('place')
    .values({ id: placeId, name: 'Bench', displayName: 'Bench', theme: '{}', mapConfiguration: '{}' })
    .execute()
  const temporal = { primary: 'at' }
  await db
    .insertInto('dataType')
    .values({
      ...{ id: dataTypeId, name: 'Flight', createdBy: null, schema: JSON.stringify(schema) },
      temporal: JSON.stringify(temporal),
    })
    .execute()
  await makeTable(db, { id: dataTypeId, schema, temporal, tableName: null })
}

/**
 * Creates a source with an importer; both have the given id. `url`: the address of the importer's file, by
 * default a CSV.
 */
export async function plantImporter(
  db: Db,
  id: string,
  url = address,
  source: object = { parser: 'csv' },
  how: object = mapping,
): Promise<void> {
  await db
    .insertInto('source')
    .values({ id, placeId, dataTypeId, name: id, visibility: 'public', createdBy: null })
    .execute()
  const sources = JSON.stringify([{ url, ...source }])
  await db
    .insertInto('importer')
    .values({
      ...{ id, sourceId: id, placeId, name: id, sources, createdBy: null },
      mapping: JSON.stringify(how),
      timeoutSeconds: 86_400,
    })
    .execute()
}

/** Runs an importer step by step, as queue messages do; `created` is the expected number of new records. */
export async function runImport(ctx: Context, ports: Ports, id: string, created: number): Promise<void> {
  await queueImport(ctx.db, id)
  while (await step(ctx, { ports, budgetMs: 20_000, batchRows: 4000 }));
  await expectImported(ctx.db, id, created)
}

/** Queues a run of an importer. */
export async function queueImport(db: Db, id: string): Promise<void> {
  await queueJob(db, { id, sourceId: id, placeId }, { trigger: 'api', createdBy: null })
}

/** The stages of a run, in their order. */
export type Stage = 'fetch' | 'read' | 'commit'

/**
 * The stage of an importer's run; null after it has ended. It is `fetch` until something of the file is
 * stored.
 */
export async function findStage(db: Db, id: string): Promise<Stage | null> {
  const run = await db
    .selectFrom('job')
    .select(['cursor', 'finishedAt'])
    .where('importerId', '=', id)
    .executeTakeFirst()
  if (run?.finishedAt) return null
  return (run?.cursor as { stage?: Stage } | null | undefined)?.stage ?? 'fetch'
}

/** Throws unless the newest run of an importer has succeeded and created so many records. */
export async function expectImported(db: Db, id: string, created: number): Promise<void> {
  const { status, counts, error } = await db
    .selectFrom('job')
    .select(['status', 'counts', 'error'])
    .where('importerId', '=', id)
    .orderBy('queuedAt', 'desc')
    .executeTakeFirstOrThrow()
  if (status !== 'succeeded' || (counts as { created: number }).created !== created)
    throw new Error(`The run ended as ${status}: ${error ?? JSON.stringify(counts)}`)
}

/** Ports whose fetches of a public name are sent to the bench's server. */
export function portsTo(url: string): Ports {
  return {
    fetch: (_input, init) => fetch(url, init),
    now: () => new Date(),
    sleep: async () => {},
    resolve: async () => ['93.184.216.34'],
    random: Math.random,
    isSecretName: () => false,
  }
}
