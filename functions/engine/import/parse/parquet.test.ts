import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, expect, test } from 'vitest'
import { UnreadableError } from '../row.ts'
import { parse } from './index.ts'
import { rangesOfBytes } from './ranges.ts'
import { readAll, utf8 } from './reading.testing.ts'

const folder = mkdtempSync(join(tmpdir(), 'parquet-'))
afterAll(() => rmSync(folder, { recursive: true }))
const duck = await (await DuckDBInstance.create(':memory:')).connect()
await duck.run("set timezone = 'UTC'")

/** The result of a query as a file written by DuckDB. */
async function writeParquet(question: string, options = ''): Promise<Uint8Array> {
  const path = join(folder, 'x.parquet')
  await duck.run(`copy (${question}) to '${path}' (format parquet${options})`)
  return readFileSync(path)
}

const answered = async (question: string) =>
  (await duck.runAndReadAll(question)).getRows().map(([row]) => JSON.parse(String(row)) as unknown)

/** 2,100 rows in which each value is missing in some. */
const table = `select n, case when n % 7 = 0 then null else n * 9007199254741::bigint end big,
  (18446744073709551615 - n)::ubigint wide, (n % 250)::utinyint tiny, (4294967295 - n)::uinteger word,
  case when n % 5 > 0 then (n / 10)::float end short, n / 7.0::double long,
  (n * 1.37)::decimal(9, 2) price, (n / 8)::decimal(4, 0) whole, (n * 123456789012345.000001)::decimal(38, 6) huge,
  case when n % 11 > 0 then date '1899-12-25' + n::int end born, time '00:00:00' + interval (n) second clock,
  timestamp '2024-02-29 13:30:00' + interval (n * 1001) millisecond moment,
  (timestamp '1969-12-31 23:59:59.999999' - interval (n) hour)::timestamptz instant,
  case when n % 3 = 0 then null else 'name ' || (n % 40) || ' é東' end word_of, 'row ' || n || repeat('x', n % 90) as "text",
  n % 2 = 0 flag, n > 2090 late, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid code,
  case when n % 4 = 0 then null when n % 4 = 1 then [] else [n, null, n + 1] end list,
  [[n], [], null, [1, 2]] lists,
  case when n % 6 = 0 then null else {a: n, b: case when n % 2 = 0 then 'x' end, c: [{d: n}, {d: null}]} end part,
  map {'k' || n: n, 'l': null} words, interval (n) day span
  from range(2100) r(n)`
/** The same rows as read by DuckDB, in the format of our rows. */
const expected = `select to_json(struct_pack(n := n, big := case when abs(big) > 9007199254740991 then to_json(big::text) else to_json(big) end,
  wide := wide::text, tiny := tiny, word := word, short := short::text::double, long := long, price := price, whole := whole,
  huge := case when length(replace(rtrim(ltrim(replace(huge::text, '.', ''), '0'), '0'), '-', '')) > 15 then to_json(huge::text) else to_json(huge::double) end,
  born := born::text, clock := clock::text, moment := replace(strftime(moment, '%Y-%m-%dT%H:%M:%S.%g'), '.000', ''),
  instant := replace(strftime(instant::timestamp, '%Y-%m-%dT%H:%M:%S.%f'), '.000000', '') || 'Z',
  word_of := word_of, "text" := "text", flag := flag, late := late, code := code, list := list, lists := lists, part := part, words := words,
  span := 'P0M' || datepart('day', span) || 'DT0S')) from f`

test.each([
  [', compression snappy, row_group_size 2048'],
  [', compression zstd, parquet_version v2, row_group_size 2048'],
  [', compression gzip, parquet_version v2, dictionary_size_limit 1'],
  [', compression uncompressed, dictionary_size_limit 1'],
  [', compression lz4_raw, row_group_size 2048'],
])('reads the same values as DuckDB%s', async (options) => {
  const bytes = await writeParquet(table, options)
  await duck.run(`create or replace view f as from '${join(folder, 'x.parquet')}'`)
  const read = await readAll('parquet', bytes)
  expect(read.refusal).toBeNull()
  expect(read.rejects).toEqual([])
  const rows = await answered(expected)
  expect(read.values).toHaveLength(2100)
  const texts = read.values.map((value) => JSON.stringify(value))
  expect(texts.find((text, i) => text !== JSON.stringify(rows[i]))).toBeUndefined()
})

test('resumes after the rows it returned, without reading earlier row groups', async () => {
  const bytes = await writeParquet(table, ', row_group_size 2048')
  const ranges = rangesOfBytes(bytes)
  const readOffsets: number[] = []
  const recordingRanges = {
    size: ranges.size,
    read(from: number, to: number) {
      readOffsets.push(from)
      return ranges.read(from, to)
    },
  }
  const all = await readAll('parquet', bytes, {}, { batchRows: 30 })
  const cursor = all.batches.find(({ cursor: { rows } }) => rows > 2048)?.cursor
  const rest = await readAll('parquet', bytes, {}, { from: cursor, ranges: recordingRanges })
  expect(rest.rows[0]?.at.row).toBe((cursor?.rows ?? 0) + 1)
  expect(rest.values).toEqual(all.values.slice(cursor?.rows))
  expect(readOffsets.slice(3).every((from) => from > bytes.length / 2)).toBe(true)
})

test('projects the geometries of GeoParquet to longitude and latitude, and leaves out the column with their bounding boxes', async () => {
  const wkb = (hex: string) => `from_hex('${hex}')`
  const point = wkb('0101000000000000000000084100000000000000 00'.replace(' ', ''))
  const open = wkb(`01030000000100000003000000000000000000000${'0'.repeat(80)}`)
  const buildMetadata = (crs: string) =>
    JSON.stringify({
      version: '1.1.0',
      primary_column: 'place',
      columns: {
        place: {
          encoding: 'WKB',
          geometry_types: [],
          crs: JSON.parse(crs) as unknown,
          covering: { bbox: { xmin: ['box', 'xmin'] } },
        },
      },
    })
  const question = `select 1 id, ${point} place, {xmin: 0.0} box union all select 2, null, null union all select 3, ${open}, null`
  const file = (crs: string) => writeParquet(question, `, kv_metadata {geo: '${buildMetadata(crs)}'}`)
  const read = await readAll('parquet', await file('{"id": {"authority": "EPSG", "code": 3857}}'))
  expect(read.values).toEqual([
    { id: 1, place: { type: 'Point', coordinates: [expect.closeTo(1.7663, 3), 0] } },
    { id: 2, place: null },
  ])
  expect(read.rejects.map(({ field, at }) => [field, at.row])).toEqual([['place', 3]])
  expect(read.notices.map(({ message }) => message).join()).toMatch(
    /EPSG.*3857.*longitude and latitude.*column box.*left out/,
  )
  const unknown = await readAll(
    'parquet',
    await file('{"name": "Mine", "id": {"authority": "MY", "code": 1}}'),
  )
  expect(unknown.refusal).toMatch(/coordinates of place are in Mine, which is not known here/)
})

test('never crashes on a corrupt byte', async () => {
  const files = await Promise.all(
    [', compression snappy', ', parquet_version v2, compression uncompressed'].map((options) =>
      writeParquet(
        `select n, 'a' || n % 3 as "name", [n, n] list, {p: n / 3.0} part from range(40) r(n)`,
        options,
      ),
    ),
  )
  let refusalCount = 0
  for (const bytes of files)
    for (let at = 4; at < bytes.length; at += 1) {
      const damagedBytes = bytes.slice()
      damagedBytes[at] = at % 3 ? 0xff : (damagedBytes[at] ?? 0) ^ (1 << (at % 8))
      const read = await readAll('parquet', damagedBytes)
      if (read.refusal) refusalCount += 1
      expect(read.rows.length).toBeLessThanOrEqual(40)
    }
  expect(refusalCount).toBeGreaterThan(500)
})

test('rejects few bytes that represent millions of rows, and pages and lists with false lengths', async () => {
  const same = await writeParquet('select 7 a from range(300000)')
  expect((await readAll('parquet', same, {}, { caps: { unpacked: 100_000 } })).refusal).toMatch(
    /holds more than/,
  )
  expect((await readAll('parquet', same)).rows).toHaveLength(300_000)
  const wide = await writeParquet(
    `select ${Array.from({ length: 30 }, (_, i) => `n a${i}`).join()} from range(9) r(n)`,
  )
  expect((await readAll('parquet', wide, {}, { caps: { columns: 20 } })).refusal).toMatch(
    /30 columns: at most 20/,
  )
  expect((await readAll('parquet', wide, {}, { caps: { members: 200 } })).refusal).toMatch(
    /lists more than 200/,
  )
  for (let length = 0; length < wide.length; length += 97)
    expect((await readAll('parquet', wide.slice(0, length))).refusal).not.toBeNull()
  // Footers with deep nesting, with endless numbers, and with a list of two billion items.
  for (const bytes of [Array(9000).fill(0x1c), Array(9000).fill(0x96), [0x19, 0xfc, 255, 255, 255, 255, 7]]) {
    const footer = Uint8Array.from(bytes as number[])
    const length = new Uint8Array(new Uint32Array([footer.length]).buffer)
    const file = Uint8Array.from([...utf8('PAR1____'), ...footer, ...length, ...utf8('PAR1')])
    expect((await readAll('parquet', file)).refusal).toMatch(/footer cannot be read/)
  }
  const locked = wide.slice()
  locked.set(utf8('PARE'), locked.length - 4)
  expect((await readAll('parquet', locked)).refusal).toMatch(/encrypted/)
  await expect(parse('parquet', (async function* () {})()).next()).rejects.toThrow(UnreadableError)
})
