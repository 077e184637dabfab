import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startProxy } from '#db/embedded/proxy.ts'
import { toServerAddress } from '#db/embedded/tls.ts'
import type { Db } from '#db/schema.ts'
import { storeParts } from '#functions/engine/export/prepared/store.ts'
import { toStream } from '#functions/domain/importer/job/objects.ts'
import { buildStorageKey } from '#functions/engine/media/keys.ts'
import { findFreePort, openWorker, queueMessage, type RunningWorker } from '../local.ts'
import { kyselyOver } from './context.ts'
import { appUrl, enableAppLogin } from '#db/databases.testing.ts'
import { askDatabase } from './database.ts'
import { csvChunks } from './import-corpus.ts'
import {
  expectImported,
  importer,
  onImportDatabase,
  placeId,
  plantImporter,
  queueImport,
  findStage,
  systemPool,
  type Stage,
} from './import-world.ts'
import { openIsolate, workerdMegabytes } from './isolate.ts'

/** The memory at a moment, in megabytes; of the process null where it is unknown. */
export interface WorkerSample {
  stage: Stage
  isolate: number
  process: number | null
}

/**
 * The platform gives an isolate 128 MB in all. Here V8 has no limit, and collects garbage only at some
 * hundred megabytes. So half of the 128 MB is given to its heap, the rest is for buffers: above the limit the
 * runtime ends with an error.
 */
const heap = ['--max-old-space-size=64', '--max-semi-space-size=4']

/** Writes a program to be started instead of workerd, which runs workerd with these flags. */
export function limitedWorkerd(folder: string): string {
  const { default: workerd } = createRequire(import.meta.url)('workerd') as { default: string }
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const flags = [fileURLToPath(new URL('v8-flags.mjs', import.meta.url)), ...heap].map(quote).join(' ')
  const program = join(folder, 'workerd')
  const lines = [
    '#!/bin/bash',
    'exec 5<&0',
    `exec ${quote(workerd)} "$@" < <(${quote(process.execPath)} ${flags} <&5)`,
  ]
  writeFileSync(program, `${lines.join('\n')}\n`)
  chmodSync(program, 0o755)
  return program
}

/**
 * Imports a CSV of so many rows by the built Worker in workerd: an uploaded file of its bucket, by a run that
 * queue messages continue until it has ended. Returns samples of the isolate's memory, ten per second. `recordMemory`
 * gets the memory of the whole process in megabytes every 50 ms, from before the file is read; it is never
 * called where that is unknown.
 */
export async function importInWorker(
  owner: URL,
  rows: number,
  notes: number,
  recordMemory: (megabytes: number) => void = () => {},
): Promise<WorkerSample[]> {
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-import-'))
  try {
    return await onImportDatabase(owner, async (database) => {
      const db = kyselyOver(systemPool(database))
      const proxy = await startProxy(toServerAddress(database))
      const [port, inspectorPort] = [await findFreePort(), await findFreePort()]
      const env = { DATABASE_URL: (await appIn(database)).href, DB_PROXY: proxy.address }
      // In a process of its own, which ends: the memory used to write the file must not count for the import.
      const before = await openWorker({ env, port, folder })
      try {
        const files = (await before.miniflare.getR2Bucket('FILES')) as unknown as R2Bucket
        await plantUpload(db, files, rows, notes)
      } finally {
        await before.close()
      }
      process.env.MINIFLARE_WORKERD_PATH = limitedWorkerd(folder)
      const opening = openWorker({ env, port, folder, inspectorPort })
      const { worker, close } = await opening.finally(() => delete process.env.MINIFLARE_WORKERD_PATH)
      const isolate = await openIsolate(inspectorPort)
      try {
        await queueImport(db, importer)
        const sampleMemory = () => {
          const megabytes = workerdMegabytes()
          if (megabytes !== null) recordMemory(megabytes)
        }
        sampleMemory()
        const looking = setInterval(sampleMemory, 50)
        const samples: WorkerSample[] = []
        let isDone = false
        const delivery = deliverJobs(worker, () => isDone)
        try {
          for (let stage = await findStage(db, importer); stage; stage = await findStage(db, importer)) {
            samples.push({ stage, isolate: await isolate.megabytes(), process: workerdMegabytes() })
            await delay(100)
          }
        } finally {
          isDone = true
          clearInterval(looking)
        }
        await delivery
        await expectImported(db, importer, rows)
        return samples
      } finally {
        isolate.close()
        await close()
        await proxy.close()
        await db.destroy()
      }
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Sends one message of the queue after another until `isDone`. A single one is not enough for a run that waits for its
 * retry: in production cron sends the next.
 */
export async function deliverJobs(
  worker: Pick<RunningWorker, 'queue'>,
  isDone: () => boolean,
): Promise<void> {
  while (!isDone()) {
    await worker.queue('jobs', [queueMessage({ v: 1, kind: 'jobs' })])
    await delay(200)
  }
}

/** Lets the application's role log in and returns its URL of a database. */
export async function appIn(database: URL): Promise<URL> {
  await askDatabase(database, enableAppLogin)
  return appUrl(database)
}

/** Creates an importer of a file that was uploaded to its source. */
async function plantUpload(db: Db, bucket: R2Bucket, rows: number, notes: number): Promise<void> {
  const id = crypto.randomUUID()
  const key = buildStorageKey(id, 'source')
  await plantImporter(db, importer, `file:${id}`)
  async function* bytes() {
    yield* csvChunks(rows, notes)
  }
  const size = await storeParts(bucket, key, toStream(bytes()), 'text/csv')
  await db
    .insertInto('asset')
    .values({
      ...{ id, placeId, purpose: 'source', sourceId: importer, name: 'flights.csv', type: 'text/csv', key },
      ...{ size, state: 'ready' },
    })
    .execute()
}
