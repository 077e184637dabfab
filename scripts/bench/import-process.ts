import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { setTimeout as delay } from 'node:timers/promises'
import { build } from 'esbuild'
import { kyselyOver } from './context.ts'
import { csvChunks } from './import-corpus.ts'
import { importer, onImportDatabase, findStage, systemPool, type Stage } from './import-world.ts'
import { listening } from './in-node.ts'

/**
 * The memory of a process at a moment, in megabytes: resident memory, and objects and buffers, garbage
 * included.
 */
interface ProcessSample {
  stage: Stage
  rss: number
  held: number
}

/**
 * The heap of a process with 128 MB, of which Node's own program takes 50. V8 collects the old generation
 * only when it is full; an import has some 20 MB in use. The young generation, in which most objects are,
 * takes up to three times the given size: with less, objects are copied more often, and an import takes a
 * third longer.
 */
const heap = ['--max-old-space-size=40', '--max-semi-space-size=8']
/**
 * Makes freed buffers return to the system. By default glibc keeps what is smaller than 128 kB, and what was
 * larger once, in an arena per thread: 20 to 40 MB of the 64 kB buffers that sockets are read into.
 */
export const malloc = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '65536',
}

/**
 * Imports a CSV of so many rows in a process of its own with a bounded heap: fetched into a folder that acts
 * as the bucket, parsed, validated, staged, committed. The file is generated while it is sent. Returns
 * samples of the memory, ten per second. Throws when the process fails.
 */
export async function importInProcess(owner: URL, rows: number, notes: number): Promise<ProcessSample[]> {
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-import-'))
  const server = await listening(
    createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' })
      Readable.from(csvChunks(rows, notes)).pipe(response)
    }),
  )
  try {
    const program = await bundled('import-child', folder)
    return await onImportDatabase(owner, async (database) => {
      const child = fork(program, [database.href, server.url, join(folder, 'bucket'), String(rows)], {
        execArgv: heap,
        env: { ...process.env, ...malloc },
      })
      const samples: ProcessSample[] = []
      let stage: Stage = 'fetch'
      child.on('message', (sample: Omit<ProcessSample, 'stage'>) => samples.push({ ...sample, stage }))
      let isOn = true
      const db = kyselyOver(systemPool(database))
      const watching = (async () => {
        for (; isOn; await delay(100)) stage = (await findStage(db, importer)) ?? stage
      })()
      const [status] = (await once(child, 'exit')) as [number | null]
      isOn = false
      await watching
      await db.destroy()
      if (status !== 0) throw new Error(`The process that imports ended with ${status}.`)
      return samples
    })
  } finally {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Bundles the process into one file, as the Worker is: compiling TypeScript at run time would take 40 MB of
 * its memory.
 */
export async function bundled(name: string, folder: string): Promise<string> {
  await build({
    entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))],
    outdir: join(folder, 'program'),
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20' },
    outExtension: { '.js': '.mjs' },
    external: ['pg-native', 'cloudflare:*'],
    // The database driver calls `require` for Node's modules.
    banner: {
      js: `import { createRequire as createWorkerRequire } from 'node:module'; const require = createWorkerRequire(import.meta.url)`,
    },
    logLevel: 'error',
  })
  return join(folder, 'program', `${name}.mjs`)
}
