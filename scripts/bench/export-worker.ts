import { readdirSync, readFileSync } from 'node:fs'
import { startProxy } from '#db/embedded/proxy.ts'
import type { ExportFormat } from '#functions/shapes/exportFormat.ts'
import { freePort, openWorker } from '../local.ts'
import { sourceId } from './corpus.ts'
import type { Filled } from './database.ts'
import { line, type Line } from './measure.ts'

/** What the Worker's process may hold, as the platform has it. */
const mostMegabytes = 128

/**
 * A whole source as a file, through the built Worker in workerd: how much memory its process holds at most, sampled while
 * the file is read. On systems without `/proc` there is nothing to sample, and no line.
 */
export async function benchExportWorker({ rows, app }: Filled, open = openWorker): Promise<Line[]> {
  const proxy = await startProxy({ host: app.hostname, port: Number(app.port || 5432) })
  const port = await freePort()
  const env = { DATABASE_URL: app.href, DB_PROXY: proxy.address }
  const { close } = await open({ env, port, folder: null, vars: { APP_HOST: `127.0.0.1:${port}` } })
  const lines: Line[] = []
  try {
    for (const format of ['csv', 'geojson', 'parquet'] as ExportFormat[]) {
      const { before, megabytes, seconds, bytes } = await read(
        `http://127.0.0.1:${port}/v1/sources/${sourceId}/export?format=${format}`,
        rows,
      )
      if (megabytes === null) return []
      lines.push(
        line({
          area: 'export',
          work: `memory of the Worker while it sends all records as ${format}`,
          rows,
          unit: 'MB',
          ours: megabytes,
          peer: 'the platform’s limit',
          theirs: mostMegabytes,
          most: 1,
          note: `${Math.round(before ?? 0)} MB before, ${Math.round(rows / seconds).toLocaleString('en')} rows/s, ${Math.round(bytes / 1e6)} MB sent`,
        }),
      )
    }
  } finally {
    await close()
    await proxy.close()
  }
  return lines
}

/** Reads an address to its end; throws when it breaks off or has not all rows. */
async function read(url: string, rows: number) {
  const before = memory()
  let megabytes = before
  const sampling = setInterval(() => {
    const now = memory()
    if (now !== null) megabytes = Math.max(megabytes ?? 0, now)
  }, 100)
  const began = performance.now()
  let bytes = 0
  try {
    const response = await fetch(url)
    const told = response.headers.get('x-row-count')
    if (response.status !== 200 || Number(told) !== rows)
      throw new Error(
        `${url} answered ${response.status} with ${told} rows: ${(await response.text()).slice(0, 500)}`,
      )
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length
  } finally {
    clearInterval(sampling)
  }
  return { before, megabytes, seconds: (performance.now() - began) / 1000, bytes }
}

/** Megabytes that workerd, started by this process, holds in memory; null where that cannot be known. */
function memory(): number | null {
  try {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const status = statusOf(pid)
      if (!/^Name:\s+workerd$/m.test(status) || !new RegExp(`^PPid:\\s+${process.pid}$`, 'm').test(status))
        continue
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? NaN) / 1024
    }
  } catch {
    return null
  }
  return null
}

/** What the system says of a process; empty when it has just ended. */
function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}
