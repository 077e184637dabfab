import { finished } from 'node:stream/promises'
import { Writable } from 'node:stream'
import { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { getColumnName, tableNameFor } from '#db/data-table.ts'
import type { Db } from '#db/schema.ts'
import { exportRows } from '#functions/domain/dataset/export.ts'
import type { ExportFormat } from '#functions/shapes/export-format.ts'
import { asPatientStranger, contextOver, kyselyOver, openAnonymousPool } from './context.ts'
import { dataTypeId, sourceId } from './corpus.ts'
import type { BenchDatabase } from './database.ts'
import { takeTurns, makeReportLine, type Line } from './measure.ts'

/**
 * Exports a whole source in Node, against `COPY … TO STDOUT` of the same columns through Node. CSV and
 * GeoJSON must be at least half as fast; Parquet is printed for comparison.
 */
export async function benchExport({ rows, app }: BenchDatabase): Promise<Line[]> {
  const pool = openAnonymousPool(app, 4)
  const db = kyselyOver(pool)
  const copying = new Client({ connectionString: app.href, options: asPatientStranger })
  await copying.connect()
  const formats: ExportFormat[] = ['csv', 'geojson', 'parquet']
  const contests = formats.flatMap((format) => [
    { name: format, run: () => exported(db, format, rows) },
    { name: `copy ${format}`, run: () => countCopiedBytes(copying, buildCopyStatement(format)) },
  ])
  const times = await takeTurns(contests, { rounds: rows > 2_000_000 ? 1 : 3, forMs: 0 })
  const rate = (name: string) => (rows * 1000) / (times.get(name) ?? NaN)
  const lines = formats.map((format) =>
    makeReportLine({
      area: 'export',
      work: `all records as ${format}`,
      rows,
      unit: 'rows/s',
      ours: rate(format),
      peer: 'COPY through Node',
      theirs: rate(`copy ${format}`),
      ...(format === 'parquet' ? {} : { least: 0.5 }),
    }),
  )
  await copying.end()
  await db.destroy()
  return lines
}

/** Reads a file to its end and returns its size in bytes; throws when it is not complete. */
async function exported(db: Db, format: ExportFormat, rows: number): Promise<number> {
  const ctx = contextOver(db)
  const { body } = await exportRows(ctx, { sourceId }, { format })
  if (Number(ctx.responseHeaders.get('x-row-count')) !== rows) throw new Error('The file has not all rows.')
  let bytes = 0
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return bytes
    bytes += value.length
  }
}

/** The `COPY` statement for the same columns. */
function buildCopyStatement(format: ExportFormat): string {
  const c = (key: string) => `"${getColumnName(key)}"`
  const keys = ['origin', 'state', 'kind', 'delay', 'distance', 'late', 'at']
  const plain = keys.map(c).join(', ')
  const spot = c('spot')
  const shapes =
    format === 'geojson'
      ? `id, st_asgeojson(geometry, 7), ${plain}`
      : `${plain}, st_astext(${spot}), st_x(${spot}), st_y(${spot})`
  return `copy (select ${shapes} from data.${tableNameFor(dataTypeId)} where source_id = '${sourceId}' order by id) to stdout csv`
}

async function countCopiedBytes(client: Client, statement: string): Promise<number> {
  let bytes = 0
  const sink = new Writable({
    write(chunk: Buffer, _encoding, callback) {
      bytes += chunk.length
      callback()
    },
  })
  await finished(client.query(copyTo(statement)).pipe(sink))
  return bytes
}
