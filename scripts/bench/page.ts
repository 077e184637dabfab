import { createServer } from 'node:http'
import autocannon from 'autocannon'
import { getColumnName, tableNameFor } from '#db/data-table.ts'
import { asPatientStranger, kyselyOver, openAnonymousPool } from './context.ts'
import { dataTypeId, placeId, sourceId } from './corpus.ts'
import type { BenchDatabase } from './database.ts'
import { askV1, listening, serveInNode } from './in-node.ts'
import { takeTurns, makeReportLine, median, type Line } from './measure.ts'
import { queryText } from '#app/client/api/query.ts'

const connections = 8

interface DataPage {
  results: unknown[]
  meta: { results: number; total: number; next?: string }
}

const path = `/v1/places/${placeId}/sources/${sourceId}/data`
const filters = { 'data.kind': 'mail', 'data.origin': 'ORD' }

/**
 * Measures a filtered page of 100 records with the number of matches over HTTP under load: `/v1` in Node
 * against a bare server in Node that sends the same JSON from two statements. Then compares a page deep in
 * the data with the first one.
 */
export async function benchPage({ rows, app }: BenchDatabase): Promise<Line[]> {
  const pool = openAnonymousPool(app, 10)
  const db = kyselyOver(pool)
  const ours = await serveInNode(db)
  const about = { area: 'data page', rows, unit: 'req/s' as const }
  const rates: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
  const address = `${path}?${queryText({ filters, limit: 100 })}`
  const page = await get(`${ours.url}${address}`)
  const { meta } = JSON.parse(page.toString()) as DataPage
  const bare = await startBareServer(app, meta.next)
  const pagesAlike = [page, await get(bare.url)]
  if (pagesAlike[0]?.length !== pagesAlike[1]?.length)
    throw new Error(`The two pages differ: ${pagesAlike.map((page) => page?.length).join(', ')} bytes.`)
  for (let round = 0; round < 4; round++) {
    rates.ours.push(await load(`${ours.url}${address}`))
    rates.bare.push(await load(bare.url))
  }
  const lines = [
    makeReportLine({
      ...about,
      work: '100 rows and total, filtered',
      ours: median(rates.ours),
      peer: 'node:http and pg',
      theirs: median(rates.bare),
      least: 0.7,
    }),
  ]
  const first = { limit: 100 }
  const deep = { limit: 100, next: await tokenAt(app, Math.floor(rows * 0.4)) }
  const times = await takeTurns([
    { name: 'first', run: () => askV1(db, path, first) },
    { name: 'deep', run: () => askV1(db, path, deep) },
  ])
  lines.push(
    makeReportLine({
      area: 'data page',
      rows,
      unit: 'ms',
      work: `page after ${Math.floor(rows * 0.4).toLocaleString('en')} rows`,
      ours: times.get('deep') ?? NaN,
      peer: 'the first page',
      theirs: times.get('first') ?? NaN,
      most: 1.3,
    }),
  )
  await ours.close()
  await bare.close()
  await db.destroy()
  return lines
}

/** Returns the token of the page that begins after so many rows. Uses an offset, however long that takes. */
async function tokenAt(app: URL, depth: number): Promise<string> {
  const db = kyselyOver(openAnonymousPool(app, 1, asPatientStranger))
  const page = JSON.parse((await askV1(db, path, { limit: 1, offset: depth })).toString()) as DataPage
  await db.destroy()
  return page.meta.next ?? ''
}

async function get(url: string): Promise<Buffer> {
  const response = await fetch(url)
  return Buffer.from(await response.arrayBuffer())
}

/**
 * Measures requests per second for four seconds, or for a fixed number of requests where that is too short to
 * count any.
 */
async function load(url: string): Promise<number> {
  const startMs = performance.now()
  await get(url)
  const length = performance.now() - startMs > 250 ? { amount: 4 * connections } : { duration: 4 }
  const { requests, duration, non2xx, errors } = await autocannon({
    ...{ url, connections, timeout: 120 },
    ...length,
  })
  if (non2xx || errors) throw new Error(`${url} failed ${non2xx + errors} times.`)
  return requests.total / duration
}

/**
 * A hand-written server: two statements, rows to objects, JSON. `next` is a copy of our page token, so that
 * both send equally many bytes.
 */
async function startBareServer(app: URL, next: string | undefined) {
  // Without a statement timeout: counting ten million records takes long.
  const pool = openAnonymousPool(app, 10, asPatientStranger)
  const c = (key: string) => `"${getColumnName(key)}"`
  const where = `source_id = $1 and ${c('kind')} = $2 and ${c('origin')} = $3`
  const table = `data.${tableNameFor(dataTypeId)}`
  const values = [sourceId, 'mail', 'ORD']
  const iso = (value: Date) => value.toISOString()
  const server = await listening(
    createServer((_incoming, outgoing) => {
      void (async () => {
        const [page, all] = await Promise.all([
          pool.query<Record<string, never>>({
            name: 'page',
            text: `select id::text, source_id, external_id, created_at, updated_at, ${c('origin')} as origin, ${c('state')} as state,
              ${c('kind')} as kind, ${c('delay')} as delay, ${c('distance')} as distance, ${c('late')} as late, ${c('at')} as at,
              st_asgeojson(geometry, 15)::json as geometry from ${table} where ${where}
              order by ${c('at')} desc nulls last, id desc limit 100`,
            values,
          }),
          pool.query<{ n: string }>({
            name: 'count',
            text: `select count(*) as n from ${table} where ${where}`,
            values,
          }),
        ])
        const total = Number(all.rows[0]?.n)
        const results = page.rows.map((row) => shaped(row, iso))
        const body = JSON.stringify({ results, meta: { results: results.length, total, next } })
        outgoing.writeHead(200, {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        })
        outgoing.end(body)
      })()
    }),
  )
  return { url: server.url, close: async () => void (await Promise.all([server.close(), pool.end()])) }
}

function shaped(row: Record<string, unknown>, iso: (value: Date) => string) {
  const { id, source_id, external_id, created_at, updated_at, geometry, at, ...data } = row
  return {
    id,
    sourceId: source_id,
    externalId: external_id,
    createdAt: iso(created_at as Date),
    updatedAt: iso(updated_at as Date),
    data: { ...data, at: iso(at as Date), spot: geometry },
    geometry,
  }
}
