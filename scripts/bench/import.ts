import { createServer } from 'node:http'
import type { Pool } from 'pg'
import { getColumnName, tableNameFor } from '#db/data-table.ts'
import type { Db } from '#db/schema.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { computeMortonKey } from '#functions/domain/records/location.ts'
import { kyselyOver } from './context.ts'
import { askDatabase, type BenchDatabase } from './database.ts'
import { csvChunks } from './import-corpus.ts'
import {
  contextOfWork,
  dataTypeId,
  runImport,
  onImportDatabase,
  placeId,
  plantImporter,
  portsTo,
  systemPool,
} from './import-world.ts'
import { listening } from './in-node.ts'
import { makeReportLine, measureMilliseconds, median, type Line } from './measure.ts'

const maxRows = 1_000_000

/**
 * Imports a CSV of so many rows (a million at most), from the request to the commit: fetched, parsed,
 * validated, staged, and written with all indexes and counts. The peer parses the same rows and inserts them
 * into the same table by `unnest`, without validation. Each has its own source, in turns, in a temporary
 * database.
 */
export async function benchImport({ rows, owner }: BenchDatabase): Promise<Line[]> {
  return onImportDatabase(owner, async (url) => {
    const pool = systemPool(url)
    const db = kyselyOver(pool)
    try {
      return await turns(url, db, pool, Math.min(rows, maxRows))
    } finally {
      await db.destroy()
    }
  })
}

async function turns(url: URL, db: Db, pool: Pool, rows: number): Promise<Line[]> {
  const file = Buffer.concat([...csvChunks(rows)])
  const server = await listening(
    createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv', 'content-length': file.length })
      response.end(file)
    }),
  )
  const ports = portsTo(server.url)
  const ctx = contextOfWork(db, memoryBucket())
  const rounds = rows > 300_000 ? 2 : 3
  const times: Record<'ours' | 'again' | 'theirs', number[]> = { ours: [], again: [], theirs: [] }
  const rates = (name: keyof typeof times) => (rows * 1000) / median(times[name])
  for (let round = 0; round < rounds; round++) {
    const lines = [
      async () => {
        const id = `imported-${round}`
        await plantImporter(db, id)
        times.ours.push(await measureMilliseconds(() => runImport(ctx, ports, id, rows)))
        times.again.push(await measureMilliseconds(() => runImport(ctx, ports, id, 0)))
        await emptyTables(url)
      },
      async () => {
        await plantImporter(db, `loaded-${round}`)
        times.theirs.push(
          await measureMilliseconds(() => loadRows(pool, server.url, `loaded-${round}`, rows)),
        )
        await emptyTables(url)
      },
    ]
    for (const turn of round % 2 ? lines.reverse() : lines) await turn()
  }
  await server.close()
  const common = {
    area: 'import',
    rows,
    unit: 'rows/s' as const,
    peer: 'unnest, unchecked',
    theirs: rates('theirs'),
  }
  return [
    makeReportLine({
      ...common,
      work: 'CSV, from the request to the commit',
      ours: rates('ours'),
      least: 0.7,
    }),
    makeReportLine({ ...common, work: 'the same CSV again, unchanged', ours: rates('again') }),
  ]
}

/** Empties the tables between turns, so that none pays for what the previous one left behind. */
async function emptyTables(url: URL) {
  await askDatabase(url, async (client) => {
    await client.query(
      `truncate data.${tableNameFor(dataTypeId)}, import_batch, cluster_pyramid, facet_pyramid`,
    )
    await client.query('checkpoint')
  })
}

/**
 * Inserts the same rows by `unnest` of typed arrays, 5,000 per statement in one transaction: parsed, and
 * nothing else.
 */
async function loadRows(pool: Pool, url: string, sourceId: string, rows: number) {
  const columns = ['id', 'origin', 'state', 'kind', 'delay', 'distance', 'late', 'at', 'spot', 'notes'].map(
    getColumnName,
  )
  const text = `insert into data.${tableNameFor(dataTypeId)}
    (source_id, place_id, external_id, key, geometry, ${columns.join(', ')})
    select '${sourceId}', '${placeId}', a, k, p, a, b, c, d, e, f, g, h, p, n from (
      select *, st_setsrid(st_point(x, y), 4326) as p from unnest(
        $1::text[], $2::text[], $3::text[], $4::text[], $5::float8[], $6::float8[], $7::boolean[], $8::timestamptz[],
        $9::text[], $10::float8[], $11::float8[], $12::bigint[]) u(a, b, c, d, e, f, g, h, n, x, y, k)) r`
  const client = await pool.connect()
  const response = await fetch(url)
  const csv = await response.text()
  let count = 0
  try {
    await client.query('begin')
    let at = csv.indexOf('\n') + 1
    while (at < csv.length) {
      let end = Math.min(csv.length, at + 500_000)
      end = csv.indexOf('\n', end - 1) + 1 || csv.length
      // The file has no quotes: splitting it at commas is the fastest way to read it.
      const data = csv
        .slice(at, end - 1)
        .split('\n')
        .map((row) => row.split(','))
      at = end
      for (let from = 0; from < data.length; from += 5000) {
        const slice = data.slice(from, from + 5000)
        const column = (n: number) => slice.map((row) => (row[n] === '' ? null : row[n]))
        const key = slice.map((row) =>
          computeMortonKey({ type: 'Point', coordinates: [Number(row[9]), Number(row[10])] }),
        )
        const cells = Array.from({ length: 11 }, (_, n) => column(n))
        await client.query(text, [...cells, key])
        count += slice.length
      }
    }
    await client.query('commit')
  } finally {
    client.release()
  }
  if (count !== rows) throw new Error(`There were ${count} rows.`)
}
