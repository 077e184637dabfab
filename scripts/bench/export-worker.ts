import { setTimeout as delay } from 'node:timers/promises'
import { startProxy } from '#db/embedded/proxy.ts'
import { toServerAddress } from '#db/embedded/tls.ts'
import type { ExportFormat } from '#functions/shapes/export-format.ts'
import { findFreePort, openWorker } from '../local.ts'
import { sourceId } from './corpus.ts'
import type { BenchDatabase } from './database.ts'
import { openIsolate, workerdMegabytes, type Isolate } from './isolate.ts'
import { makeReportLine, type Line } from './measure.ts'

/** The platform's memory limit of an isolate, which is also promised for the whole process. */
const maxMegabytes = 128

/**
 * Exports a whole source through the built Worker in workerd. Samples the peak memory of the Worker's isolate
 * and of the whole process (a dozen isolates) while the file is read, and how much the process grows after
 * the first half of the file. On systems without `/proc` the lines about the process are left out.
 */
export async function benchExportWorker({ rows, app }: BenchDatabase, open = openWorker): Promise<Line[]> {
  const proxy = await startProxy(toServerAddress(app))
  const port = await findFreePort()
  const env = { DATABASE_URL: app.href, DB_PROXY: proxy.address }
  const inspectorPort = await findFreePort()
  const vars = { APP_HOST: `127.0.0.1:${port}` }
  const { close } = await open({ env, port, folder: null, vars, inspectorPort })
  const isolate = await openIsolate(inspectorPort)
  const lines: Line[] = []
  try {
    for (const format of ['csv', 'geojson', 'parquet'] as ExportFormat[]) {
      const url = `http://127.0.0.1:${port}/v1/sources/${sourceId}/export?format=${format}`
      const { before, half, most, seconds, bytes } = await readExport(url, rows, isolate)
      const common = { area: 'export', rows, unit: 'MB' as const }
      const rate = `${Math.round(rows / seconds).toLocaleString('en')} rows/s, ${Math.round(bytes / 1e6)} MB sent`
      const limit = { peer: 'the platform’s limit', theirs: maxMegabytes, most: 1 }
      const work = `memory of the Worker while it sends all records as ${format}`
      lines.push(makeReportLine({ ...common, work, ours: most.isolate, ...limit, note: rate }))
      if (before === null || half === null || most.process === null) continue
      const processLine = { ...common, work: `${work}: the process`, ours: most.process }
      const note = `${Math.round(before)} MB before`
      lines.push(
        makeReportLine({ ...processLine, ...limit, note }),
        makeReportLine({ ...processLine, peer: 'its first half', theirs: half, most: 1.1 }),
      )
    }
  } finally {
    isolate.close()
    await close()
    await proxy.close()
  }
  return lines
}

/** Megabytes; of the process null where they are unknown. */
interface MemorySample {
  isolate: number
  process: number | null
}

/**
 * Reads an address to its end. `half` is the peak of the process in the first half of the time. Throws when
 * the file breaks off or lacks rows.
 */
async function readExport(url: string, rows: number, isolate: Isolate) {
  const before = workerdMegabytes()
  const samples: MemorySample[] = []
  let isReading = true
  const sampling = (async () => {
    while (isReading) {
      samples.push({ isolate: await isolate.megabytes(), process: workerdMegabytes() })
      await delay(50)
    }
  })()
  const startMs = performance.now()
  let bytes = 0
  try {
    const response = await fetch(url)
    const rowCount = response.headers.get('x-row-count')
    if (response.status !== 200 || Number(rowCount) !== rows)
      throw new Error(
        `${url} answered ${response.status} with ${rowCount} rows: ${(await response.text()).slice(0, 500)}`,
      )
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length
  } finally {
    isReading = false
  }
  const seconds = (performance.now() - startMs) / 1000
  await sampling
  const computePeak = (some: MemorySample[]): MemorySample => ({
    isolate: Math.max(...some.map((sample) => sample.isolate)),
    process: some.some((sample) => sample.process === null)
      ? null
      : Math.max(...some.map((sample) => sample.process ?? 0)),
  })
  const firstHalf = samples.slice(0, Math.ceil(samples.length / 2))
  return { before, half: computePeak(firstHalf).process, most: computePeak(samples), seconds, bytes }
}
