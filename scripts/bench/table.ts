import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { memoryBucket } from '#db/worlds/ports.ts'
import { writePlaceState } from '#functions/edge/hub/place-state.ts'
import { tableContent } from '#functions/edge/hub/serve-table.ts'
import { columnFileKey, stateName } from '#functions/engine/export/prepared/manifest.ts'
import { pageQuestion } from '#functions/engine/table/api-page.ts'
import { ColumnFileWriter, openColumnFile, type ColumnHead } from '#functions/engine/table/column-file.ts'
import { readTableState } from '#functions/engine/table/table-state.ts'
import { serveV1 } from '#functions/v1/serve.ts'
import { contextOver, kyselyOver, openAnonymousPool } from './context.ts'
import { placeId, schema, sourceId } from './corpus.ts'
import type { BenchDatabase } from './database.ts'
import { makeReportLine, type Line } from './measure.ts'

/** The choices of a reader: filters of each kind, alone and combined, orders of each kind, searches. */
const states = [
  '',
  'is.origin=O7&is.origin=O12',
  'is.late=true&from.delay=15',
  'from.at=2001-02-01&to.at=2001-02-28',
  'has.state=a&sort=-distance',
  'sort=origin',
  'sort=-delay',
  'sort=at&is.kind=mail',
  'q=o1',
  'q=nothing+has+this',
  'none.delay=1',
  'columns=origin,at&sort=-at&from.distance=200.5&to.distance=900',
]

/** The number of copies of the file: more than an isolate caches, so that each is read from the store. */
const copies = 40
const zone = 'America/New_York'

/**
 * Measures the 95th percentile for states of a table: from memory, and from a column file of the maximum size
 * without network latency; the memory in use after many of them; and states of a source that is too large for
 * a file, which `/v1` answers or refuses.
 */
export async function benchTable({ rows, app }: BenchDatabase): Promise<Line[]> {
  const { files, hubs, records, columns } = await fullFiles()
  const show = async (copy: number, search: string) => {
    const address = { source: '/s', sourceId: `copy-${copy}`, recordId: null, rest: '/data' }
    const place = { name: 'Flights', path: '/t', placeId, locale: 'en' as const }
    const services = { ...{ hubs, files, tiles: memoryBucket(), origin: 'http://localhost' }, ask: refuse }
    const content = await tableContent(address, new URLSearchParams(search), place, services)
    if (content?.status !== 200) throw new Error(`A table answered ${content?.status ?? 'nothing'}.`)
  }
  for (const search of states) await show(0, search)
  const [memory, store]: [number[], number[]] = [[], []]
  for (let round = 0; round < 10; round += 1)
    for (const search of states) memory.push(await measureMilliseconds(() => show(0, search)))
  const before = measureMemoryMegabytes()
  for (let round = 0; round < 10; round += 1)
    for (const [i, search] of states.entries())
      store.push(
        await measureMilliseconds(() => show(1 + ((round * states.length + i) % (copies - 1)), search)),
      )
  const megabytes = measureMemoryMegabytes() - before
  const common = { area: 'table', rows: records, unit: 'ms' as const, peer: 'what is promised', most: 1 }
  return [
    makeReportLine({ ...common, work: 'a state from memory, p95', ours: p95(memory), theirs: 100 }),
    makeReportLine({ ...common, work: 'a state from its column file, p95', ours: p95(store), theirs: 400 }),
    makeReportLine({
      ...{
        ...common,
        unit: 'MB',
        work: `held after ${copies} tables`,
        ours: Math.max(0, megabytes),
        theirs: 48,
      },
      ...{ peer: 'twice what may be kept', note: 'in Node; an isolate may hold 128 MB in all' },
    }),
    ...(await benchQuestions(rows, app, columns)),
  ]
}

/**
 * Measures the same states on all records of the database: each is answered, or refused with a message,
 * within the limit.
 */
async function benchQuestions(rows: number, app: URL, columns: ColumnHead[]): Promise<Line[]> {
  const db = kyselyOver(openAnonymousPool(app, 4))
  let slowest = { search: '', ms: 0 }
  let count = 0
  let refusals = 0
  for (const search of states.filter(Boolean)) {
    const { state } = readTableState(new URLSearchParams(search), columns)
    const question = pageQuestion(state, columns, { timeZone: zone, offset: 0, hidden: [] })
    const address = `http://localhost:8787/v1/places/${placeId}/sources/${sourceId}/data?${question.toString()}`
    const ms = await measureMilliseconds(async () => {
      const { status } = await serveV1(new Request(address), contextOver(db))
      if (status === 400 || status === 429 || status === 503) refusals += 1
      else if (status !== 200) throw new Error(`${search} answered ${status}.`)
    })
    count += 1
    if (ms > slowest.ms) slowest = { search, ms }
  }
  await db.destroy()
  const note = `${slowest.search}; ${refusals} of ${count} refused`
  const most = { ours: slowest.ms, peer: 'what is promised', theirs: 2000, most: 1 }
  return [
    makeReportLine({
      ...{ area: 'table', rows, unit: 'ms' },
      work: 'the slowest state asked of /v1',
      ...most,
      note,
    }),
  ]
}

/** Makes a column file with the maximum number of records, and copies of it under sources of their own. */
async function fullFiles() {
  const writer = new ColumnFileWriter(schema)
  let records = 0
  const kinds = ['mail', 'people', 'freight']
  for (;;) {
    const i = records
    const data = {
      ...{ origin: `O${i % 300}`, state: `State ${i % 50}`, kind: kinds[i % 3] },
      ...{ delay: i % 9 === 0 ? null : (i * 37) % 200, distance: ((i * 7919) % 20_000) / 10 },
      ...{ late: i % 4 === 0, at: new Date(Date.UTC(2001, 0, 1) + i * 60_000).toISOString() },
    }
    if (!writer.add(`f${i}`, data)) break
    records += 1
  }
  const bytes = await writer.finish()
  const [files, hubs] = [memoryBucket(), memoryBucket()]
  const names = Array.from({ length: copies }, (_, i) => `copy-${i}`)
  for (const name of names) await files.put(columnFileKey(name, stateName(1, 1, zone)), bytes)
  await writePlaceState(hubs, {
    ...{ placeId, at: 1, timeZone: zone, dataTypes: { flight: 1 }, insights: {} },
    sources: Object.fromEntries(names.map((name) => [name, { version: 1, dataType: 'flight' }])),
  })
  const { columns } = await openColumnFile((offset, length) =>
    Promise.resolve(bytes.subarray(offset, offset + length)),
  )
  return { files, hubs, records, columns }
}

const refuse = () => Promise.reject(new Error('A table with a file asks nothing.'))

async function measureMilliseconds(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

/** Returns the 95th percentile. */
function p95(times: number[]): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? NaN
}

/** The memory of this process after garbage collection, in megabytes. */
function measureMemoryMegabytes(): number {
  setFlagsFromString('--expose_gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}
