import type { Kysely } from 'kysely'
import { Client, Pool } from 'pg'
import { makeTable } from '#db/dataTable.ts'
import { migrate } from '#db/migrate.ts'
import type { Db } from '#db/schema.ts'
import { system, type Context } from '#functions/context.ts'
import { queueJob } from '#functions/domain/importer/job/queue.ts'
import { step } from '#functions/domain/importer/job/step.ts'
import type { Ports } from '#functions/engine/import/fetch/index.ts'
import { contextOver, over } from './context.ts'
import { mapping, schema } from './importCorpus.ts'

export const [placeId, dataTypeId] = ['bench-import', 'bench-import']
/** The one importer of a database in which memory is measured. */
export const importer = 'large'
const address = 'https://files.example.org/flights.csv'

/** The product's own work has no visitor: row-level security lets it pass, statements are limited as they always are. */
const asSystem = '-c app.user= -c app.places= -c app.global=system -c statement_timeout=20000 -c jit=off'

/** Runs something on a database of its own, with a place and a data type in it; it goes when that is done. */
export async function onImportDatabase<T>(owner: URL, run: (url: URL) => Promise<T>): Promise<T> {
  const name = `commonplace_bench_import_${process.pid}`
  const admin = new Client({ connectionString: owner.href })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const url = new URL(owner)
  url.pathname = `/${name}`
  try {
    const making = over(new Pool({ connectionString: url.href, max: 1, options: asSystem }))
    await migrate(making as unknown as Kysely<unknown>)
    await plant(making)
    await making.destroy()
    return await run(url)
  } finally {
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  }
}

/** Connections as the product's own work has them. End them by `end`. */
export function systemPool(url: URL): Pool {
  const pool = new Pool({ connectionString: url.href, max: 2, options: asSystem })
  // Of connections that go with their database.
  pool.on('error', () => {})
  return pool
}

/** The Context of work on runs. */
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

/** A source with an importer; both have the id given. `url`: where the importer finds its file, by default a CSV. */
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

/** Runs an importer as messages of the queue do, step by step; `created`: what has to come of it. */
export async function runImport(ctx: Context, ports: Ports, id: string, created: number): Promise<void> {
  await queueImport(ctx.db, id)
  while (await step(ctx, { ports, budgetMs: 20_000, batchRows: 4000 }));
  await expectImported(ctx.db, id, created)
}

/** Makes a run of an importer that waits to be taken up. */
export async function queueImport(db: Db, id: string): Promise<void> {
  await queueJob(db, { id, sourceId: id, placeId }, { trigger: 'api', createdBy: null })
}

/** The stages of a run, in their order. */
export type Stage = 'fetch' | 'read' | 'commit'

/** In which stage the run of an importer is; null: it has ended. Before anything was kept of it, it fetches. */
export async function stageOf(db: Db, id: string): Promise<Stage | null> {
  const run = await db
    .selectFrom('job')
    .select(['cursor', 'finishedAt'])
    .where('importerId', '=', id)
    .executeTakeFirst()
  if (run?.finishedAt) return null
  return (run?.cursor as { stage?: Stage } | null | undefined)?.stage ?? 'fetch'
}

/** Throws unless the newest run of an importer has succeeded and made so many records. */
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

/** The way to the server of the bench, under a public name. */
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
