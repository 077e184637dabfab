import { createServer, type Server } from 'node:http'
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { startProxy } from '#db/embedded/proxy.ts'
import { toServerAddress } from '#db/embedded/tls.ts'
import type { Db } from '#db/schema.ts'
import { seedRoles } from '#functions/domain/access/seed.ts'
import { createAccountKey } from '#functions/domain/identity/keys.ts'
import { storeParts } from '#functions/engine/export/prepared/store.ts'
import { buildStorageKey } from '#functions/engine/media/keys.ts'
import { build } from '../build.ts'
import type { FigureReporter } from '../figures-proof.ts'
import { findFreePort, isolateName, openWorker, type RunningWorker } from '../local.ts'
import { kyselyOver } from './context.ts'
import { appIn, deliverJobs, limitedWorkerd } from './import-worker.ts'
import {
  expectImported,
  onImportDatabase,
  placeId,
  plantImporter,
  queueImport,
  findStage,
  systemPool,
} from './import-world.ts'
import { openIsolate } from './isolate.ts'
import { largeFiles } from './large-files.ts'
import { openServer } from './server.ts'

/** How a file arrives: uploaded to its source, or fetched from an address. */
const ways = ['upload', 'address'] as const
const host = 'files.example.org'
const isolates = 2

interface Run {
  id: string
  kind: string
  way: (typeof ways)[number]
  rows: number
}

/**
 * Measures the promises about importing large files, of each kind and by upload and address: all rows arrive
 * exactly once, and the memory of an isolate stays bounded. First one after the other, then all at once by
 * two isolates that receive the queue's messages repeatedly, as with at-least-once delivery.
 */
export async function importFiles(
  reporter: FigureReporter,
  {
    megabytes = '100',
    kinds = Object.keys(largeFiles).join(','),
    ways: only = ways.join(','),
    together = 'yes',
  }: Record<string, string>,
): Promise<void> {
  await build(reporter.log)
  const server = await openServer(reporter.log)
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-files-'))
  try {
    const files = await writeFiles(folder, kinds.split(','), Number(megabytes) * 1_000_000)
    for (const { kind, rows, path } of files)
      reporter.log(
        `  ${kind}: ${rows.toLocaleString('en')} rows, ${Math.round(statSync(path).size / 1e6)} MB`,
      )
    await onImportDatabase(server.owner, (database) =>
      importAll(reporter, {
        ...{ folder, files, database, isTogether: together === 'yes' },
        ways: ways.filter((way) => only.split(',').includes(way)),
      }),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await server.close()
  }
}

interface WrittenFile {
  kind: string
  rows: number
  path: string
}

async function writeFiles(folder: string, kinds: string[], bytes: number): Promise<WrittenFile[]> {
  const writtenFiles: WrittenFile[] = []
  for (const kind of kinds) {
    const file = largeFiles[kind]
    if (!file) throw new Error(`There is no such kind: ${kind}.`)
    const rows = file.estimateRowCount(bytes)
    const path = join(folder, kind)
    await pipeline(Readable.from(file.chunks(rows)), createWriteStream(path))
    writtenFiles.push({ kind, rows, path })
  }
  return writtenFiles
}

interface World {
  folder: string
  files: WrittenFile[]
  database: URL
  ways: readonly Run['way'][]
  /** Whether all are imported at once as well, after they were imported one after the other. */
  isTogether: boolean
}

async function importAll(
  figureReporter: FigureReporter,
  { folder, files, database, ways, isTogether }: World,
): Promise<void> {
  const db = kyselyOver(systemPool(database))
  const remote = await serveFiles(files)
  const proxy = await startProxy(toServerAddress(database))
  const [port, inspectorPort] = [await findFreePort(), await findFreePort()]
  const env = { DATABASE_URL: (await appIn(database)).href, DB_PROXY: proxy.address }
  const options = { env, port, folder, isolates, before: remote.before }
  try {
    // In a process of its own, which ends: the memory used to write the files must not count for the import.
    const first = await openWorker(options)
    const runs: Record<'single' | 'together', Run[]> = { single: [], together: [] }
    try {
      const bucket = (await first.miniflare.getR2Bucket('FILES', isolateName(0))) as unknown as R2Bucket
      for (const name of isTogether ? (['single', 'together'] as const) : (['single'] as const))
        for (const file of files)
          for (const way of ways) runs[name].push(await plantRun(db, bucket, file, way, name))
    } finally {
      await first.close()
    }
    process.env.MINIFLARE_WORKERD_PATH = limitedWorkerd(folder)
    const opening = openWorker({ ...options, inspectorPort })
    const worker = await opening.finally(() => delete process.env.MINIFLARE_WORKERD_PATH)
    try {
      const key = await plantKey(db)
      for (const run of runs.single) {
        await measure(figureReporter, `${run.kind} by ${run.way}`, [run], { db, worker, inspectorPort })
        if (run.way === 'upload') await measureTrial(figureReporter, run, { db, inspectorPort, port, key })
      }
      if (isTogether)
        await measure(figureReporter, 'all at once, told again and again', runs.together, {
          db,
          worker,
          inspectorPort,
        })
    } finally {
      await worker.close()
    }
  } finally {
    remote.server.close()
    await proxy.close()
    await db.destroy()
  }
}

async function plantRun(
  db: Db,
  bucket: R2Bucket,
  file: WrittenFile,
  way: Run['way'],
  name: string,
): Promise<Run> {
  const { type, source, mapping } = largeFiles[file.kind] as (typeof largeFiles)[string]
  const id = `${name}-${file.kind}-${way}`
  const fileId = crypto.randomUUID()
  const url = way === 'upload' ? `file:${fileId}` : `https://${host}/${file.kind}`
  await plantImporter(db, id, url, source, mapping)
  if (way === 'upload') {
    const key = buildStorageKey(fileId, 'source')
    const size = await storeParts(
      bucket,
      key,
      Readable.toWeb(createReadStream(file.path)) as ReadableStream<Uint8Array>,
      type,
    )
    await db
      .insertInto('asset')
      .values({
        ...{ id: fileId, placeId, purpose: 'source', sourceId: id, name: file.kind, type, key },
        ...{ size, state: 'ready' },
      })
      .execute()
  }
  return { id, way, kind: file.kind, rows: file.rows }
}

interface Tools {
  db: Db
  worker: Awaited<ReturnType<typeof openWorker>>
  inspectorPort: number
}

/** Runs importers to their end and samples the memory of the isolates ten times a second. */
async function measure(
  reporter: FigureReporter,
  name: string,
  runs: Run[],
  { db, worker, inspectorPort }: Tools,
): Promise<void> {
  const isolates = await Promise.all(worker.workers.map((_, i) => openIsolate(inspectorPort, isolateName(i))))
  const startMs = performance.now()
  let most = 0
  try {
    for (const { id } of runs) await queueImport(db, id)
    const isOver = async () =>
      (await Promise.all(runs.map(({ id }) => findStage(db, id)))).every((stage) => stage === null)
    let isDone = false
    const deliver = (each: RunningWorker) => deliverJobs(each, () => isDone)
    // Each isolate gets messages from two consumers at a time, as on the platform.
    const delivery = Promise.all(worker.workers.flatMap((each) => [deliver(each), deliver(each)]))
    delivery.catch(() => {})
    for (let looks = 0; !isDone; looks += 1) {
      const heldMegabytes = await Promise.all(isolates.map((isolate) => isolate.megabytes()))
      most = Math.max(most, ...heldMegabytes)
      if (looks % 10 === 0) isDone = await isOver()
      await delay(100)
    }
    await delivery
  } finally {
    for (const isolate of isolates) isolate.close()
  }
  const seconds = (performance.now() - startMs) / 1000
  let wrong = 0
  for (const { id, rows } of runs) {
    await expectImported(db, id, rows)
    const { rows: countRows } = await readRowCount(db, id)
    wrong += Math.abs(countRows - rows)
  }
  const rows = runs.reduce((sum, run) => sum + run.rows, 0)
  reporter.log(`  ${name}: ${rows.toLocaleString('en')} rows in ${Math.round(seconds)} s`)
  reporter.most(`${name}: rows too many or too few`, wrong, 0, 'rows')
  reporter.most(`${name}: an isolate of the Worker at most`, most, 128, 'MB')
}

/** Creates a person who may try importers; returns their key. */
async function plantKey(db: Db): Promise<string> {
  const id = 'tester'
  const now = new Date()
  await db
    .insertInto('user')
    .values({
      id,
      email: 'tester@example.org',
      emailVerified: true,
      name: 'Tester',
      image: null,
      role: null,
      onboarding: '{}',
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  await db.transaction().execute(seedRoles)
  await db.insertInto('placeUser').values({ placeId, userId: id, role: 'organization_admin' }).execute()
  return (await createAccountKey(db, id, 'Tester')).key
}

/** Tries the importer of a run as the wizard does, and samples the memory of the isolate meanwhile. */
async function measureTrial(
  reporter: FigureReporter,
  { id, kind }: Run,
  { db, inspectorPort, port, key }: Omit<Tools, 'worker'> & { port: number; key: string },
): Promise<void> {
  const { name, sources, mapping } = await db
    .selectFrom('importer')
    .select(['name', 'sources', 'mapping'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const isolate = await openIsolate(inspectorPort, isolateName(0))
  const startMs = performance.now()
  let most = 0
  let isDone = false
  const url = `http://localhost:${port}/v1/sources/${id}/importers/test`
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const trial = fetch(url, { method: 'POST', headers, body: JSON.stringify({ name, sources, mapping }) })
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .finally(() => {
      isDone = true
    })
  try {
    while (!isDone) {
      most = Math.max(most, await isolate.megabytes())
      await delay(50)
    }
  } finally {
    isolate.close()
  }
  const { status, text } = await trial
  if (status !== 200) throw new Error(`The trial of ${kind} was answered by ${status}: ${text.slice(0, 500)}`)
  const { rows, error } = JSON.parse(text) as { rows: unknown[]; error?: string }
  if (error !== undefined) throw new Error(`The trial of ${kind} says: ${error}`)
  reporter.log(
    `  ${kind} tried: ${rows.length} rows in ${Math.round((performance.now() - startMs) / 1000)} s`,
  )
  reporter.least(`${kind} tried: first rows`, rows.length, 1, 'rows')
  reporter.most(`${kind} tried: an isolate of the Worker at most`, most, 128, 'MB')
}

async function readRowCount(db: Db, sourceId: string): Promise<{ rows: number }> {
  const row = await db
    .selectFrom('sourceStat')
    .select('count')
    .where('sourceId', '=', sourceId)
    .executeTakeFirst()
  return { rows: Number(row?.count ?? 0) }
}

/** Serves the files at an address; `before` makes a Worker that fetches the public name connect to it. */
async function serveFiles(files: WrittenFile[]): Promise<{ server: Server; before: string }> {
  const server = createServer((request, response) => {
    const file = files.find(({ kind }) => request.url === `/${kind}`)
    if (!file) return void response.writeHead(404).end()
    const { size } = statSync(file.path)
    response.writeHead(200, {
      'content-type': largeFiles[file.kind]?.type ?? '',
      'content-length': String(size),
      etag: `"${file.kind}"`,
    })
    createReadStream(file.path).pipe(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const before = `export { default } from './index.js'
    const fetched = globalThis.fetch
    globalThis.fetch = (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input)
      if (url.pathname === '/dns-query')
        return Promise.resolve(Response.json({ Status: 0, Answer: [{ type: 1, data: '93.184.216.34' }] }))
      if (url.hostname !== ${JSON.stringify(host)}) return fetched(input, init)
      return fetched('http://127.0.0.1:${port}' + url.pathname, init)
    }`
  return { server, before }
}
