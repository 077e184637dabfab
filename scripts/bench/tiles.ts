import { sql } from 'kysely'
import { Client } from 'pg'
import { withDeclaredSources } from '#db/declared-sources.ts'
import { connect } from '#db/connect.ts'
import { getColumnName, tableNameFor } from '#db/data-table.ts'
import { startProxy } from '#db/embedded/proxy.ts'
import { toServerAddress } from '#db/embedded/tls.ts'
import type { Db } from '#db/schema.ts'
import { open, type Dataset } from '#functions/domain/dataset/open.ts'
import { tile, buildTile, type TileRequest } from '#functions/domain/dataset/tile.ts'
import { deinterleave, interleave, keyLevel } from '#functions/engine/tile/morton.ts'
import { contextOver, kyselyOver, openAnonymousPool } from './context.ts'
import { dataTypeId, sourceId } from './corpus.ts'
import type { BenchDatabase } from './database.ts'
import { makeReportLine, median, percentile, timesInTurns, type Line } from './measure.ts'

/** A line of the table with its zoom, and the number of records in the fullest tile of that zoom. */
interface TileLine extends Line {
  zoom: number
  count: number
}

/**
 * How long a tile is requested, in milliseconds: about 200 rounds, of which ten may be slower than the limit. Of
 * 100 rounds the fifth slowest was decided by the noise of the machine: each run missed the ratio at other zooms.
 */
const measuredMs = 12_000
/**
 * How often a tile is requested before it is measured. Node had compiled the code of the first two zooms only while
 * they were measured, so that of a filtered tile a tenth of the time was its compiler's.
 */
const warmRounds = 30
/** The limit of a tile in milliseconds, besides the ratio. */
const maxMs = 50
const zooms = Array.from({ length: 15 }, (_, z) => z)
const fields = ['origin', 'kind']
const facet = 'cargo'

/**
 * Measures the fullest tile of each zoom from 0 to 14, as the application's role under row-level security:
 * read, encoded, ready to send. Unfiltered and filtered by a facet's value, against hand-written SQL that
 * only reads, by the same role: stored counts up to zoom 9, a grouped range of keys from 10 on, single rows
 * where they are few. Groups include the mean position of their records on both sides: a cluster is drawn
 * there. The 95th percentile counts.
 *
 * Both send each statement as an HTTP request, as the Worker does: that is what a reader waits for. The times
 * over an open socket, where a statement takes a fifth of a millisecond, are printed for comparison.
 */
export async function benchTiles({ rows, app, owner }: BenchDatabase): Promise<TileLine[]> {
  const ownerClient = new Client({ connectionString: owner.href })
  await ownerClient.connect()
  const proxy = await startProxy(toServerAddress(app), 0, { maxIdle: 1 })
  const connection = connect(
    { DATABASE_URL: app.href, DB_PROXY: proxy.address },
    { user: '', places: [], global: '' },
  )
  const { db } = connection
  const ctx = contextOver(db)
  const socket = kyselyOver(openAnonymousPool(app, 1))
  const onSocket = contextOver(socket)
  const dataset = await open(ctx, { sourceId }, { maxVisibility: 'public' })
  const lines: TileLine[] = []
  for (const z of zooms) {
    for (const isFiltered of [false, true]) {
      const { place, count } = await fullest(ownerClient, z, isFiltered)
      const tileRequest: TileRequest = {
        kind: 'points',
        tile: place,
        fields,
        query: isFiltered ? { filters: { 'data.kind': facet } } : {},
        versions: Object.fromEntries(dataset.sources.map(({ id, dataVersion }) => [id, dataVersion])),
      }
      const runByHand = (of: Db) => runHandWrittenQuery(of, place, count, isFiltered)
      const times = await timesInTurns(
        [
          { name: 'ours', run: () => buildTile(ctx, dataset, tileRequest) },
          { name: 'raw', run: () => runByHand(db) },
          { name: 'opened', run: () => tile(ctx, getScope(dataset), tileRequest) },
          { name: 'oursOnSocket', run: () => buildTile(onSocket, dataset, tileRequest) },
          { name: 'rawOnSocket', run: () => runByHand(socket) },
        ],
        { forMs: measuredMs, warmRounds },
      )
      const getTimes = (name: string) => times.get(name) ?? []
      const [ours, theirs] = [percentile(getTimes('ours'), 95), percentile(getTimes('raw'), 95)]
      const openedMs = percentile(getTimes('opened'), 95)
      const formatRatio = (one: string, other: string) =>
        (median(getTimes(one)) / median(getTimes(other))).toPrecision(2)
      const medians = `${formatRatio('ours', 'raw')}, over a socket ${formatRatio('oursOnSocket', 'rawOnSocket')}`
      const work = `z${z}${isFiltered ? ', filtered by a facet' : ''}`
      const late = ours > maxMs ? `over ${maxMs} ms; ` : ''
      const note = `${late}${count.toLocaleString('en')} records; of the medians ${medians}; with looking up the source ${openedMs.toPrecision(2)} ms`
      const notes = {
        area: 'tile',
        work,
        rows,
        ours,
        peer: 'SQL by hand',
        theirs,
        unit: 'ms' as const,
        most: 1.5,
        note,
      }
      lines.push({ ...makeReportLine(notes), zoom: z, count })
    }
  }
  await ownerClient.end()
  await socket.destroy()
  await connection.end()
  await proxy.close()
  return lines
}

const getScope = ({ sources }: Dataset) => ({ placeId: sources[0]?.placeId ?? '', sourceId })
const table = `data.${tableNameFor(dataTypeId)}`
const kind = `"${getColumnName('kind')}"`
const ownRows = `t.source_id = '${sourceId}'`

/** Finds the tile of a zoom that holds most records. */
async function fullest(ownerClient: Client, z: number, isFiltered: boolean) {
  const { rows } = await ownerClient.query<{ cell: string; n: string }>(
    `select t.key >> ${2 * (keyLevel - z)} as cell, count(*) as n from ${table} t
     where ${ownRows} and t.key is not null ${isFiltered ? `and t.${kind} = '${facet}'` : ''} group by 1 order by 2 desc, 1 limit 1`,
  )
  const [first] = rows
  const { x, y } = deinterleave(Number(first?.cell ?? 0))
  return { place: { z, x, y, cell: Number(first?.cell ?? 0) }, count: Number(first?.n ?? 0) }
}

/** Hand-written SQL for just these cells and the records that are alone in one, or for these rows. */
async function runHandWrittenQuery(
  db: Db,
  { z, cell }: { z: number; cell: number },
  count: number,
  isFiltered: boolean,
): Promise<unknown> {
  const records = withDeclaredSources(db.withoutPlugins(), [sourceId])
  const [low, high] = [BigInt(cell), BigInt(cell + 1)]
  const grow = BigInt(2 * (keyLevel - z))
  const range = `t.key >= ${low << grow} and t.key < ${high << grow}`
  const filter = isFiltered ? `and t.${kind} = '${facet}'` : ''
  // Statements of the bench alone: their names are its constants, their numbers those of the tile.
  const rows = `select t.id::text, t.key, t."${getColumnName('origin')}", t.${kind} from ${table} t where ${ownRows} ${filter}`
  if (count <= 2000) return sql.raw(`${rows} and ${range}`).execute(records)
  const pyramid = isFiltered ? 'facet_pyramid' : 'cluster_pyramid'
  const value = isFiltered ? `and t.facet = 'kind:text' and t.value = '=${facet}'` : ''
  const cells =
    z >= 10
      ? `select t.key >> ${2 * (keyLevel - z - 3)} as cell, count(*) as n, min(t.key) as key,
            avg(st_x(t.geometry)) as x, avg(st_y(t.geometry)) as y from ${table} t
          where ${ownRows} and ${range} ${filter} group by 1`
      : `select t.cell, t.n, t.sum_x, t.sum_y from ${pyramid} t
          where ${ownRows} and t.z = ${z} and t.cell >= ${low << 6n} and t.cell < ${high << 6n} ${value}`
  const groups = await sql
    .raw<{ n: number | string; key?: string; sum_x: number; sum_y: number }>(cells)
    .execute(records)
  const alone = groups.rows.filter(({ n }) => Number(n) === 1)
  const keys = alone.map((row) => row.key ?? String(interleave({ x: row.sum_x, y: row.sum_y })))
  return keys.length === 0
    ? groups
    : sql`${sql.raw(rows)} and t.key = any(${keys}::bigint[])`.execute(records)
}
