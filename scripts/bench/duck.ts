import { once } from 'node:events'
import { createWriteStream, existsSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { schemaHash } from '#db/migrate.ts'
import { getColumnName, tableNameFor } from '#db/data-table.ts'
import { dataTypeId } from './corpus.ts'

/**
 * The same rows in DuckDB, in memory and with one thread, and the same questions in its SQL. `run` takes the
 * name of a question.
 */
interface DuckDatabase {
  run(name: string): Promise<unknown>
  close(): Promise<void>
}

const day = `date_trunc('day', departed at time zone 'America/Chicago') at time zone 'America/Chicago'`
const sqlByQuestion: Record<string, string> = {
  'by category': 'select kind, count(*) from flights group by 1',
  'day series': `select ${day}, count(*) from flights group by 1 order by 1`,
  'filtered day series': `select ${day}, avg(delay) from flights where origin = 'ORD' and kind in ('cargo', 'mail') group by 1`,
  median: 'select median(delay) from flights',
  'distinct values': 'select count(distinct origin) from flights',
  'in a box': 'select count(*) from flights where x between -88 and -87.4 and y between 41.6 and 42.1',
}

/** Opens DuckDB with the rows; null when it does not run on this machine, or its time zones are missing. */
export async function ownedDuck(owner: URL, rows: number): Promise<DuckDatabase | null> {
  try {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
    const connection = await instance.connect()
    const csv = await exportCsv(owner, rows)
    await connection.run(
      `create table flights as select * from read_csv('${csv}', header = true, columns = {'origin': 'varchar',
        'state': 'varchar', 'kind': 'varchar', 'delay': 'double', 'distance': 'double', 'late': 'boolean',
        'departed': 'timestamptz', 'x': 'double', 'y': 'double'})`,
    )
    await connection.run(sqlByQuestion['day series'] ?? '')
    return {
      run: async (name) => (await connection.runAndReadAll(sqlByQuestion[name] ?? '')).getRows(),
      async close() {
        connection.closeSync()
        instance.closeSync()
      },
    }
  } catch (error) {
    console.log(`  without DuckDB: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`)
    return null
  }
}

/** Columns of the file by field: `at` is a reserved word of DuckDB. */
const names = {
  origin: 'origin',
  state: 'state',
  kind: 'kind',
  delay: 'delay',
  distance: 'distance',
  late: 'late',
  at: 'departed',
}

/** Exports the records to a CSV file for DuckDB; kept for the next run on the same corpus. */
async function exportCsv(owner: URL, rows: number): Promise<string> {
  const file = join(tmpdir(), `commonplace-bench-${schemaHash()}-${rows}.csv`)
  if (existsSync(file)) return file
  const client = new Client({ connectionString: owner.href })
  await client.connect()
  const columns = Object.entries(names).map(([key, name]) => `"${getColumnName(key)}" as ${name}`)
  const stream = client.query(
    copyTo(`copy (select ${columns.join(', ')}, st_x(geometry) as x, st_y(geometry) as y from data.${tableNameFor(dataTypeId)})
      to stdout with (format csv, header)`),
  )
  const partial = createWriteStream(`${file}.new`)
  await pipeline(stream, partial)
  if (!partial.closed) await once(partial, 'close')
  renameSync(`${file}.new`, file)
  await client.end()
  return file
}
