import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { readSheet } from 'read-excel-file/node'
import { listElements, readDbf, readXml, readZip, textIn } from '#functions/engine/export/reading.testing.ts'
import type { ExportFormat } from '#functions/shapes/export-format.ts'

/** The contents of files, read by programs that share no code with the writers. */

/** A row of a file, its cells as texts; `local`: `at` is a local time without an offset, in this time zone. */
export interface ReadRow {
  id: string
  at: string
  local?: string
  day: string
  month: string
  year: string
  n: number
}

/** A row as it was put into a file: `ms` since 1970, dates `YYYY-MM-DD`. */
export interface TrueRow {
  id: string
  ms: number
  day: string
  month: string
  year: string
  n: number
}

/** Whether GDAL is installed; its readers are skipped where it is not. */
const hasGdal = spawnSync('ogr2ogr', ['--version']).status === 0

/** The readers of files, with a temporary folder. */
export interface Readers {
  /**
   * Local times of some instants in a time zone, computed by DuckDB: `2026-03-01T01:00:00.5`, and the offset from UTC in
   * minutes, which may have a fraction.
   */
  localTimes(zone: string, moments: number[]): Promise<{ localTime: string; ahead: number }[]>
  /** The moments that texts with an offset mean. */
  moments(texts: string[]): Promise<number[]>
  /** Reads a file with each program, by name; programs that do not support the format are left out. */
  read(format: ExportFormat, bytes: Uint8Array): Promise<Record<string, ReadRow[]>>
  close(): void
}

export async function openReaders(): Promise<Readers> {
  const folder = mkdtempSync(join(tmpdir(), 'round-trip-'))
  const duck = await (await DuckDBInstance.create(':memory:')).connect()
  await duck.run("set timezone = 'UTC'")
  let files = 0
  const storeFile = (name: string, bytes: Uint8Array) => {
    const path = join(folder, `${(files += 1)}-${name}`)
    writeFileSync(path, bytes)
    return path
  }
  return {
    async localTimes(zone, moments) {
      // 10,000 years do not fit into its nanoseconds, and fit into its microseconds.
      const rows = await readRows(
        duck,
        `select strftime(w, '%Y-%m-%dT%H:%M:%S.%g') as localTime, (epoch_ms(w) - ms) / 60000.0 as ahead
          from (select i, ms, timezone('${zone}', make_timestamp(ms * 1000)::timestamp at time zone 'UTC') as w
            from (select unnest([${moments.join()}]::bigint[]) as ms, unnest(range(${moments.length})) as i)) order by i`,
      )
      return rows.map(({ localTime, ahead }) => ({
        localTime: String(localTime).replace(/\.000$/, ''),
        ahead: Number(ahead),
      }))
    },
    async moments(texts) {
      const literals = texts.map((text) => `'${text}'`).join()
      const rows = await readRows(
        duck,
        `select epoch_ms(t::timestamptz)::varchar as ms
          from (select unnest([${literals}]::varchar[]) as t, unnest(range(${texts.length})) as i) order by i`,
      )
      return rows.map(({ ms }) => Number(ms))
    },
    read: (format, bytes) => readBy(format, bytes, duck, storeFile),
    close() {
      duck.closeSync()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function readRows(duck: DuckDBConnection, sql: string): Promise<Record<string, unknown>[]> {
  return (await duck.runAndReadAll(sql)).getRowObjectsJson() as Record<string, unknown>[]
}

/** Unchanged text columns, and the number as DuckDB reads it. */
const columns = `id, "at", "day", "month", "year", n::double as n`

type StoreFile = (name: string, bytes: Uint8Array) => string

async function readBy(
  format: ExportFormat,
  bytes: Uint8Array,
  duck: DuckDBConnection,
  storeFile: StoreFile,
): Promise<Record<string, ReadRow[]>> {
  const duckRows = async (table: string, select = columns) =>
    (await readRows(duck, `select ${select} from ${table}`)).map(rowFrom)
  const files = () => readZip(bytes)
  const path = storeFile(`file.${format}`, bytes)
  switch (format) {
    case 'csv':
      return {
        DuckDB: await duckRows(`read_csv('${path}', all_varchar = true, header = true)`),
        ...gdal(path),
      }
    case 'tsv':
      return {
        DuckDB: await duckRows(`read_csv('${path}', all_varchar = true, header = true, delim = '\t')`),
      }
    case 'zip': {
      const table = storeFile('data.csv', files().get('data.csv') ?? new Uint8Array())
      return { DuckDB: await duckRows(`read_csv('${table}', all_varchar = true, header = true)`) }
    }
    case 'json':
    case 'ndjson': {
      const types = `{'id': 'VARCHAR', 'at': 'VARCHAR', 'day': 'VARCHAR', 'month': 'VARCHAR', 'year': 'VARCHAR', 'n': 'DOUBLE'}`
      const form = format === 'json' ? 'array' : 'newline_delimited'
      return { DuckDB: await duckRows(`read_json('${path}', columns = ${types}, format = '${form}')`) }
    }
    case 'geojson':
    case 'geojsonl': {
      const buildPropertyExpression = (key: string) => `json_extract_string(p, '$.${key}')`
      const select = `${['id', 'at', 'day', 'month', 'year'].map((key) => `${buildPropertyExpression(key)} as "${key}"`).join()}, ${buildPropertyExpression('n')}::double as n`
      const table =
        format === 'geojson'
          ? `(select unnest(from_json(json_extract(content, '$.features'), '["json"]')) -> 'properties' as p from read_text('${path}'))`
          : `(select json -> 'properties' as p from read_ndjson_objects('${path}'))`
      return { DuckDB: await duckRows(table, select), ...gdal(path) }
    }
    case 'parquet': {
      // The test covers types as well: a text would not count as an instant.
      const at = `strftime(timezone('UTC', "at"::timestamptz), '%Y-%m-%dT%H:%M:%S.%gZ')`
      const select = `id, ${at} as "at", "day"::varchar as "day", "month"::varchar as "month", "year"::varchar as "year", n`
      const [types] = await readRows(
        duck,
        `select typeof("at") || ' ' || typeof("day") as t from '${path}' limit 1`,
      )
      if (types?.t !== 'TIMESTAMP WITH TIME ZONE DATE') throw new Error(`Types are ${String(types?.t)}.`)
      return { DuckDB: await duckRows(`'${path}'`, select) }
    }
    case 'xlsx':
      return { 'read-excel-file': await sheetRows(path), ...gdal(path, [], ['-oo', 'HEADERS=FORCE']) }
    case 'kml':
      return { 'an XML reader': kmlRows(textIn(bytes)), ...gdal(path) }
    case 'kmz':
      return { 'an XML reader': kmlRows(textIn(files().get('doc.kml') ?? new Uint8Array())), ...gdal(path) }
    case 'gpx':
      return { 'an XML reader': gpxRows(textIn(bytes)), ...gdal(path, ['waypoints']) }
    case 'shp': {
      const [name, table] = [...files()].find(([each]) => each.endsWith('.dbf')) ?? []
      const zipped = storeFile('file.zip', bytes)
      return {
        'a dBASE reader': readDbf(Buffer.from(table ?? [])).map(rowFrom),
        ...gdal(`/vsizip/${zipped}/${name?.replace('.dbf', '.shp')}`),
      }
    }
  }
}

/** Digits only, as dBASE writes a day, or with the separators of other programs, as `YYYY-MM-DD`. */
function dayFrom(value: unknown): string {
  const [, year = '', month = '', day = ''] = /^(\d{4})[-/]?(\d\d)[-/]?(\d\d)$/.exec(String(value)) ?? []
  return `${year}-${month}-${day}`
}

function rowFrom({ id, at, day, month, year, n }: Record<string, unknown>): ReadRow {
  return {
    ...{ id: String(id), at: String(at), n: n === null ? NaN : Number(n) },
    ...{ day: dayFrom(day), month: dayFrom(month), year: dayFrom(year) },
  }
}

/** A row of a workbook: where the head names a zone, a time of day is one of its clock. */
function localRow(row: Record<string, unknown>): ReadRow {
  const head = Object.keys(row).find((key) => key.startsWith('at (')) ?? ''
  const zone = head.slice('at ('.length, -1)
  const at = String(row[head])
  const hasOffset = /(?:Z|[+-]\d\d:\d\d)$/.test(at)
  return { ...rowFrom({ ...row, at }), ...(!hasOffset && { local: zone }) }
}

async function sheetRows(path: string): Promise<ReadRow[]> {
  const [head = [], ...rows] = await readSheet(path, { trim: false })
  const text = (cell: unknown) => (cell instanceof Date ? cell.toISOString().slice(0, -1) : cell)
  return rows.map((cells) => {
    const row = Object.fromEntries(head.map((key, i) => [String(key), text(cells[i])]))
    for (const key of ['day', 'month', 'year']) row[key] = String(row[key]).replace('T00:00:00.000', '')
    return localRow(row)
  })
}

const kmlRows = (text: string) =>
  listElements(readXml(text), 'Placemark').map((mark) =>
    rowFrom(
      Object.fromEntries(listElements(mark, 'SimpleData').map((data) => [data.attributes.name, data.text])),
    ),
  )

/** The lines `Name: value` of a description. */
const parseDescription = (text: string) =>
  rowFrom(
    Object.fromEntries(
      text.split('\n').map((line) => {
        const at = line.indexOf(': ')
        return [line.slice(0, at).toLowerCase(), line.slice(at + 2)]
      }),
    ),
  )

const gpxRows = (text: string) =>
  listElements(readXml(text), 'desc').map((desc) => parseDescription(desc.text))

/** Reads a file with GDAL; empty if that is not installed. */
function gdal(path: string, layers: string[] = [], options: string[] = []): { GDAL?: ReadRow[] } {
  if (!hasGdal) return {}
  const gdalRun = spawnSync('ogr2ogr', ['-f', 'GeoJSONSeq', ...options, '/vsistdout/', path, ...layers], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  if (gdalRun.status !== 0) throw new Error(gdalRun.stderr)
  const rows = gdalRun.stdout
    .split('\n')
    .map((line) => line.replace(/^\u001e/, ''))
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { properties: Record<string, unknown> }).properties)
  return { GDAL: rows.map(gdalRow) }
}

function gdalRow(row: Record<string, unknown>): ReadRow {
  if (typeof row.desc === 'string') return parseDescription(row.desc)
  return 'at' in row ? rowFrom(row) : localRow(row)
}
