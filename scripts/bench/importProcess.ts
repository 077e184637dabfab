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
import { over } from './context.ts'
import { csvChunks } from './importCorpus.ts'
import { importer, onImportDatabase, stageOf, systemPool, type Stage } from './importWorld.ts'
import { listening } from './in-node.ts'

/** What a process held at a time, in megabytes: all of its memory, and its objects and buffers, garbage included. */
interface ProcessSample {
  stage: Stage
  rss: number
  held: number
}

/**
 * What one would give a process of 128 MB, of which Node itself has 50 that are its program. V8 clears the old part of its
 * heap when it is full and not before; of an import some 20 MB are in use. Young objects, which most are, take up to three
 * times what is said of them here: with less they are moved more often, and an import takes a third longer.
 */
const heap = ['--max-old-space-size=40', '--max-semi-space-size=8']
/**
 * Buffers go back to the system when they are let go of. As it is, glibc keeps what is smaller than 128 kB, and what
 * was larger once, in an arena for each thread: 20 to 40 MB of 64 kB that sockets are read into.
 */
export const malloc = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '65536',
}

/**
 * Imports a CSV of so many rows in a process of its own, whose heap is bounded: fetched into a folder that stands for
 * the bucket, read, checked, staged, committed. The file is made while it is sent. Gives what the process held, ten times
 * a second. Throws when it ends otherwise than it should.
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
    const program = await bundled('importChild', folder)
    return await onImportDatabase(owner, async (database) => {
      const child = fork(program, [database.href, server.url, join(folder, 'bucket'), String(rows)], {
        execArgv: heap,
        env: { ...process.env, ...malloc },
      })
      const samples: ProcessSample[] = []
      let stage: Stage = 'fetch'
      child.on('message', (sample: Omit<ProcessSample, 'stage'>) => samples.push({ ...sample, stage }))
      let isOn = true
      const db = over(systemPool(database))
      const watching = (async () => {
        for (; isOn; await delay(100)) stage = (await stageOf(db, importer)) ?? stage
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

/** The process as one program, as a Worker is: what compiles TypeScript while it runs would have 40 MB of its memory. */
export async function bundled(name: string, folder: string): Promise<string> {
  await build({
    entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))],
    outdir: join(folder, 'program'),
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20' },
    outExtension: { '.js': '.mjs' },
    external: ['pg-native', 'cloudflare:*'],
    // The driver asks for modules of Node in the older way.
    banner: {
      js: `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url)`,
    },
    logLevel: 'error',
  })
  return join(folder, 'program', `${name}.mjs`)
}
