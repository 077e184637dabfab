import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { csvChunks } from './importCorpus.ts'
import { onImportDatabase } from './importWorld.ts'
import { listening } from './in-node.ts'
import type { Filled } from './database.ts'
import { line, median, type Line } from './measure.ts'

/** What a process held while it imported, in MB. */
export interface Held {
  rows: number
  megabytes: number
  seconds: number
  /** Most of its objects and buffers at any time, garbage included. */
  mostHeld: number
  /** All of its memory: the median of the first tenth of the time, of the last, and the most. */
  rssBegin: number
  rssEnd: number
  rssMost: number
}

interface Sample {
  rss: number
  held: number
}

/** A file of a gigabyte: what is held of it at a time, and whether all memory of the process stays as it was. */
export async function benchImportMemory({ owner }: Filled): Promise<Line[]> {
  const { rows, mostHeld, rssBegin, rssEnd, seconds } = await importMemory(owner, 1000)
  const common = { area: 'import-memory', rows, unit: 'MB' as const, note: `${seconds} s` }
  const isolate = { peer: 'what an isolate may hold', theirs: 128, most: 1 }
  const begin = { peer: 'the first tenth of the time', theirs: rssBegin, most: 1.1 }
  return [
    line({ ...common, ...isolate, work: '1 GB of CSV: objects and buffers held at most', ours: mostHeld }),
    line({ ...common, ...begin, work: '1 GB of CSV: the process in the last tenth', ours: rssEnd }),
  ]
}

/** Characters of notes in a row: it then has about two kilobytes, as rows with texts have. */
const notes = 2000
/** The heap that a worker's isolate has beside its buffers: with more a process ends with an error. */
const heapMegabytes = 96

/**
 * Imports a CSV of so many megabytes in a process of its own, whose heap is bounded: fetched into a folder that stands for
 * the bucket, read, checked, staged, committed. The file is made while it is sent. Throws when the process ends otherwise.
 */
export async function importMemory(owner: URL, megabytes: number): Promise<Held> {
  const rows = Math.round((megabytes * 1_000_000) / (notes + 85))
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-import-'))
  const server = await listening(
    createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' })
      Readable.from(csvChunks(rows, notes)).pipe(response)
    }),
  )
  try {
    return await onImportDatabase(owner, async (database) => {
      const began = performance.now()
      const child = fork(
        new URL('importChild.ts', import.meta.url),
        [database.href, server.url, folder, String(rows)],
        { execArgv: ['--import', 'tsx', `--max-old-space-size=${heapMegabytes}`, '--max-semi-space-size=4'] },
      )
      const samples: Sample[] = []
      child.on('message', (sample) => samples.push(sample as Sample))
      const [status] = (await once(child, 'exit')) as [number | null]
      if (status !== 0) throw new Error(`The process that imports ended with ${status}.`)
      const tenth = Math.ceil(samples.length / 10)
      const rss = samples.map((sample) => sample.rss)
      const inMB = (bytes: number) => Math.round(bytes / 100_000) / 10
      return {
        ...{ rows, megabytes, seconds: Math.round((performance.now() - began) / 1000) },
        mostHeld: inMB(Math.max(...samples.map(({ held }) => held))),
        rssBegin: inMB(median(rss.slice(0, tenth))),
        rssEnd: inMB(median(rss.slice(-tenth))),
        rssMost: inMB(Math.max(...rss)),
      }
    })
  } finally {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
