import { sql } from 'kysely'
import { step } from './step.ts'
import type { Work } from './run.ts'
import { run as start } from '../run.ts'
import { getColumnName, dataTable } from '#db/data-table.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld, type TestContext } from '#db/worlds/world.ts'
import type { Context } from '#functions/context.ts'
import { hex, sha256 } from '#functions/platform/digest.ts'
import { internet, type Internet } from '#functions/engine/import/fetch/testing.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'

/** The data type of these tests. */
export const schema: FieldSchema = {
  id: { name: 'Id', type: 'text', validation: { required: true } },
  species: { name: 'Species', type: 'text' },
  height: { name: 'Height', type: 'number', validation: { min: 0 } },
}
export interface Tree {
  id: string
  species: string
  height: number | string
}
export const origin = 'https://data.example.org'

/** A place with a data type, a small internet with files, and runs that go on step by step. */
export interface ImporterFixture {
  world: TestWorld
  net: Internet
  /** Files by path; a function decides at each request. */
  files: Map<string, string | Uint8Array | (() => { status: number; body: string })>
  system(changes?: Partial<Context>): TestContext
  /** Gives the data type other fields. */
  setFields(schema: FieldSchema): Promise<void>
  /** Creates a source with an importer; returns the id of both. */
  importer(given?: Record<string, unknown>): Promise<string>
  start(id: string): Promise<string>
  /** Makes a waiting run due now. */
  due(): Promise<void>
  /** Runs steps until none is due; returns their number. */
  finish(work?: Partial<Work>, ctx?: Context): Promise<number>
  work(given?: Partial<Work>): Work
  job(importerId: string): Promise<Awaited<ReturnType<typeof readLatestJob>>>
  /** The records of a source as one hash, and its data version. */
  readStored(sourceId: string): Promise<{ hash: string; count: number; version: number }>
  staged(): Promise<number>
  close(): Promise<void>
}

export async function openImporterFixture(): Promise<ImporterFixture> {
  const world = await openWorld(city)
  const net = internet()
  const bucket = memoryBucket()
  const files: ImporterFixture['files'] = new Map()
  await net.serve(origin, (request, response) => {
    const file = files.get(request.url ?? '')
    const { status, body } =
      typeof file === 'function' ? file() : { status: file === undefined ? 404 : 200, body: file ?? '' }
    response.writeHead(status, { 'content-type': 'text/plain' })
    response.end(body)
  })
  const system = (changes: Partial<Context> = {}) => world.as('system', { files: bucket, ...changes })
  const ctx = system()
  const { db } = ctx
  await db
    .insertInto('dataType')
    .values({ id: 'sapling', name: 'Sapling', schema: JSON.stringify(schema), createdBy: null })
    .execute()
  let importerCount = 0
  const work = (changes: Partial<Work> = {}): Work => ({
    ports: net.ports,
    budgetMs: 60_000,
    batchRows: 500,
    ...changes,
  })
  return {
    world,
    net,
    files,
    system,
    work,
    async setFields(schema) {
      await db
        .updateTable('dataType')
        .set({ schema: JSON.stringify(schema) })
        .where('id', '=', 'sapling')
        .execute()
    },
    async importer(changes = {}) {
      const id = `imported-${(importerCount += 1)}`
      await db
        .insertInto('source')
        .values({
          id,
          placeId: 'oakton',
          dataTypeId: 'sapling',
          name: id,
          visibility: 'place',
          createdBy: null,
        })
        .execute()
      const sources = JSON.stringify([{ url: `${origin}/trees.csv`, parser: 'csv' }])
      await db
        .insertInto('importer')
        .values({
          id,
          sourceId: id,
          placeId: 'oakton',
          name: id,
          sources,
          mapping: '{}',
          createdBy: null,
          ...changes,
        })
        .execute()
      return id
    },
    async start(id) {
      const request = {
        params: { sourceId: id, importerId: id },
        options: {},
        data: undefined,
        placeId: 'oakton',
      }
      const job = await start(world.as('content_admin'), request)
      if (!job) throw new Error('There is such an importer.')
      return job.id
    },
    async due() {
      await sql`update job set due_at = now(), lease_until = null
        where status in ('queued', 'running', 'waiting', 'stopping')`.execute(db)
    },
    async finish(changes = {}, by = system()) {
      let steps = 0
      while (await step(by, work(changes))) if ((steps += 1) > 500) throw new Error('It never ends.')
      return steps
    },
    job: (importerId) => readLatestJob(ctx, importerId),
    async readStored(sourceId) {
      const rows = await readRows(ctx, sourceId)
      const { dataVersion: version } = await db
        .selectFrom('source')
        .select('dataVersion')
        .where('id', '=', sourceId)
        .executeTakeFirstOrThrow()
      return { hash: await hashRows(rows), count: rows.length, version }
    },
    async staged() {
      const { rows } = await sql<{ n: number }>`select (select count(*) from import_batch)::int
        + (select count(*) from import_object)::int as n`.execute(db)
      return rows[0]?.n ?? 0
    },
    async close() {
      await net.close()
      await world.close()
    },
  }
}

async function readLatestJob({ db }: Context, importerId: string) {
  return db
    .selectFrom('job')
    .selectAll()
    .where('importerId', '=', importerId)
    .orderBy('queuedAt', 'desc')
    .executeTakeFirstOrThrow()
}

async function readRows({ db }: Context, sourceId: string): Promise<Tree[]> {
  const type = await db
    .selectFrom('dataType')
    .select('tableName')
    .where('id', '=', 'sapling')
    .executeTakeFirst()
  // Before the first record there is no table.
  if (!type?.tableName) return []
  const [species, height] = ['species', 'height'].map((key) => sql.id(getColumnName(key)))
  const { rows } = await sql<Tree>`
    select external_id as id, ${species} as species, ${height} as height from ${dataTable(type.tableName)}
    where source_id = ${sourceId}`.execute(db.withoutPlugins())
  return rows
}

/** Rows as one hash, in any order: computed without the database. */
export async function hashRows(rows: Tree[]): Promise<string> {
  const lines = rows.map(({ id, species, height }) => `${id}|${species}|${height}\n`).sort()
  return hex(await sha256(lines.join('')))
}

export const toCsv = (rows: Tree[]): string =>
  ['id,species,height', ...rows.map(({ id, species, height }) => `${id},${species},${height}`)].join('\n') +
  '\n'

/** A number of trees; one in a hundred has an invalid height. */
export const trees = (count: number, from = 0, nudge = 0): Tree[] =>
  Array.from({ length: count }, (_, i) => {
    const n = from + i
    const isBad = n % 100 === 7
    return {
      id: `t${n}`,
      species: ['oak', 'elm', 'ash'][n % 3] ?? '',
      height: isBad ? 'tall' : (n % 40) + 0.5 + nudge,
    }
  })

export const good = (rows: Tree[]): Tree[] => rows.filter(({ height }) => typeof height === 'number')
