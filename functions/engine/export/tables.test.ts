import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { geojsonToWkb } from 'hyparquet-writer'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { afterAll, describe, expect, test } from 'vitest'
import { Sha256 } from './hash.ts'
import { tableSchema } from './table-schema.ts'
import {
  listElements,
  plainOptions,
  readCsv,
  readXml,
  readZip,
  buildFileSource,
  textIn,
  writeExport,
} from './reading.testing.ts'
import { columns, numbers, rows, schema, shapes } from './rows.testing.ts'
import type { Field } from '#functions/shapes/field.ts'

const none = buildFileSource(columns, [])
const full = buildFileSource(columns, rows)
const folder = mkdtempSync(join(tmpdir(), 'exports-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('Parquet', () => {
  const exact = (bytes: Uint8Array) => bytes.slice().buffer
  const read = (bytes: Uint8Array) =>
    parquetReadObjects({ file: exact(bytes), utf8: false, geoparquet: false }) as Promise<
      Record<string, unknown>[]
    >

  test('round-trips every value with its type: nulls, lists, maps, timestamps, geometries as WKB', async () => {
    const storedRows = await read(await writeExport('parquet', full))
    expect(storedRows).toHaveLength(rows.length)
    rows.forEach(({ data }, i) => {
      const row = storedRows[i] ?? {}
      for (const { key, type } of columns) {
        const value = data[key] ?? null
        if (Object.hasOwn(shapes, key)) {
          if (value === null) expect(row[key]).toBeNull()
          else expect(row[key]).toEqual(geojsonToWkb(shapes[key] as never))
        } else if (type === 'date')
          expect(row[key]).toEqual(value === null ? null : new Date(value as string))
        else expect(row[key] ?? null).toEqual(value)
      }
    })
    expect(storedRows.at(-3)?.bbox).toEqual({
      xmin: -74.0059731,
      ymin: 40.7127753,
      xmax: -74.0059731,
      ymax: 40.7127753,
    })
    expect(storedRows.at(-1)?.bbox ?? null).toBeNull()
  })

  test('is GeoParquet 1.1.0: primary column, geometry types, bounding box and covering', async () => {
    const { key_value_metadata: metadata, num_rows } = parquetMetadata(
      exact(await writeExport('parquet', full)),
    )
    expect(Number(num_rows)).toBe(rows.length)
    const geo = JSON.parse(metadata?.find(({ key }) => key === 'geo')?.value ?? '') as Record<string, unknown>
    expect(geo).toMatchObject({
      version: '1.1.0',
      primary_column: 'spot',
      columns: {
        spot: {
          encoding: 'WKB',
          geometry_types: ['Point'],
          bbox: [-74.0059731, 40.7127753, -74.0059731, 40.7127753],
          covering: { bbox: { xmin: ['bbox', 'xmin'], ymax: ['bbox', 'ymax'] } },
        },
        areas: { geometry_types: ['MultiPolygon'], bbox: [30, 30, 45, 45] },
      },
    })
  })

  test('reads the same in another reader', async () => {
    const path = join(folder, 'full.parquet')
    writeFileSync(path, await writeExport('parquet', full))
    const empty = join(folder, 'empty.parquet')
    writeFileSync(empty, await writeExport('parquet', none))
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    const ask = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson()
    expect(await ask(`select count(*), sum(n), count(distinct text) from read_parquet('${path}')`)).toEqual([
      [
        String(rows.length),
        expect.anything(),
        String(new Set(rows.map(({ data }) => data.text ?? null)).size - 1),
      ],
    ])
    const all = `select n from read_parquet('${path}') where text = 'n' and n is not null order by n`
    const values = (await ask(all)).map(([n]) => Number(n))
    expect(values).toEqual(numbers.map((n) => (n === 0 ? 0 : n)).sort((a, b) => a - b))
    const [row] =
      await ask(`select "at"::varchar, tags, counts, "map", isOn, spot::varchar, area::varchar, bbox.xmin
      from read_parquet('${path}') where text = 'all'`)
    expect(row?.slice(0, 5)).toEqual([
      expect.stringContaining('2024-02-29 23:59:59.123'),
      ['a', 'b, c', '"d"', '👩‍👩‍👧'],
      [1, 2.5, -3],
      '{"a":{"b":[1,null,"x"]},"ключ \\"k\\"":"<&>"}',
      false,
    ])
    // They are recognised as geometries by the metadata.
    const polygon = 'POLYGON ((10 10, 10 20, 20 20, 20 10, 10 10), (12 12, 14 12, 14 14, 12 14, 12 12))'
    expect(row?.slice(5)).toEqual(['POINT (-74.0059731 40.7127753)', polygon, -74.0059731])
    expect(await ask(`select count(*) from read_parquet('${empty}')`)).toEqual([['0']])
    connection.closeSync()
  })
})

describe('a workbook', () => {
  test('has numbers, dates and booleans as such, and unchanged texts', async () => {
    const files = readZip(await writeExport('xlsx', full))
    for (const [name, bytes] of files) expect(() => readXml(textIn(bytes)), name).not.toThrow()
    const sheet = readXml(textIn(files.get('xl/worksheets/sheet1.xml') as Uint8Array))
    const sheetRows = listElements(sheet, 'row')
    expect(sheetRows).toHaveLength(rows.length + 1)
    const keys = listElements(sheetRows[0] as never, 't').map(({ text }) => text)
    expect(keys).toContain('spot.longitude')
    const last = Object.fromEntries(
      (sheetRows.at(-3)?.children ?? []).map((cell) => [keys[toColumnIndex(cell.attributes.r ?? '')], cell]),
    )
    expect(last.n).toMatchObject({ children: [{ name: 'v', text: '12.5' }] })
    expect(last.isOn).toMatchObject({ attributes: { t: 'b' }, children: [{ text: '0' }] })
    // Days since 1899-12-30, which is what a sheet counts.
    const day = (Date.UTC(2024, 1, 29, 23, 59, 59, 123) - Date.UTC(1899, 11, 30)) / 86_400_000
    expect(Number(last['at (UTC)']?.children[0]?.text)).toBeCloseTo(day, 9)
    expect(last['at (UTC)']?.attributes.s).toBe('1')
    expect(last['spot.longitude']?.children[0]?.text).toBe('-74.0059731')
    // Before 1900 a sheet has no days.
    expect(listElements(sheetRows.at(-2) as never, 't').map(({ text }) => text)).toContain(
      '1850-01-01T00:00:00Z',
    )
    expect(listElements(sheet, 'f')).toEqual([])
    const texts = listElements(sheet, 't').map(({ text }) => text)
    expect(texts).toEqual(expect.arrayContaining(['_x005F_x0041_', 'a_x0001_b_x001F_', 'two_x000D_\nlines']))
  })

  test('has dates in the given time zone', async () => {
    const columnsOfDate = columns.filter(({ key }) => key === 'at')
    const one = buildFileSource(columnsOfDate, [
      { id: '1', data: { at: '2024-02-29T23:00:00.000Z' }, geometry: null },
    ])
    const files = readZip(await writeExport('xlsx', one, { ...plainOptions, timeZone: 'Asia/Tokyo' }))
    const sheet = readXml(textIn(files.get('xl/worksheets/sheet1.xml') as Uint8Array))
    expect(Number(listElements(sheet, 'v')[0]?.text)).toBeCloseTo(45352 + 8 / 24, 9)
  })

  test('truncates no text: one that is too long is replaced by a note; too many rows are rejected', async () => {
    const text = [{ key: 'text', name: 'Text', type: 'text' }]
    const row = (length: number) => ({ id: '1', data: { text: 'x'.repeat(length) }, geometry: null })
    const files = readZip(await writeExport('xlsx', buildFileSource(text, [row(32_767), row(32_768)])))
    const textElements = listElements(
      readXml(textIn(files.get('xl/worksheets/sheet1.xml') as Uint8Array)),
      't',
    )
    expect(textElements.slice(1).map((t) => (t.text.length < 100 ? t.text : t.text.length))).toEqual([
      32_767,
      '(32768 characters: too long for a cell; the CSV has them)',
    ])
    await expect(writeExport('xlsx', { ...none, count: 1_048_576 })).rejects.toThrow(
      /1048575 rows; CSV holds all/,
    )
  })
})

describe('a data package', () => {
  test('has the data, and their metadata, sizes and hashes', async () => {
    const files = readZip(await writeExport('zip', full))
    expect([...files.keys()]).toEqual(['data.csv', 'data.geojson', 'datapackage.json', 'README.md'])
    expect(files.get('data.csv')).toEqual(await writeExport('csv', full))
    expect(files.get('data.geojson')).toEqual(await writeExport('geojson', full))
    const dataPackage = JSON.parse(textIn(files.get('datapackage.json') as Uint8Array)) as {
      resources: {
        path: string
        bytes: number
        hash: string
        schema?: { fields: Record<string, unknown>[] }
      }[]
    }
    expect(dataPackage).toMatchObject({ name: 'calls', version: '3', licenses: [{ title: 'CC0-1.0' }] })
    for (const { path, bytes, hash } of dataPackage.resources) {
      const content = files.get(path) as Uint8Array
      expect(bytes).toBe(content.length)
      expect(hash).toBe(`sha256:${createHash('sha256').update(content).digest('hex')}`)
    }
    const fields = dataPackage.resources[0]?.schema?.fields ?? []
    const [head] = readCsv(textIn(files.get('data.csv') as Uint8Array))
    expect(fields.map(({ name }) => name)).toEqual(head)
    expect(fields[0]).toMatchObject({
      title: schema.text?.name,
      type: 'string',
      description: 'Said | so',
      constraints: { required: true, maxLength: 99_999 },
    })
    expect(fields[2]).toMatchObject({ type: 'number', unit: 'm', constraints: { minimum: -1e300 } })
    expect(textIn(files.get('README.md') as Uint8Array)).toContain('| `n` | N | number | m |  |')
  })

  test('describes the metadata of fields, and keeps codes in the data', () => {
    const values = [
      { value: '__proto__', name: 'Prototype | x' },
      { value: '-9', missing: true as const },
    ]
    const fieldsByKey: Record<string, Field> = {
      code: { name: 'Code', type: 'text', values, identifier: true, region: 'us-states' },
      mass: { name: 'Mass', type: 'number', unit: 'kg', additive: true },
      plain: { name: 'Plain', type: 'number' },
    }
    const all = Object.entries(fieldsByKey).map(([key, field]) => ({
      key,
      name: field.name,
      type: field.type,
      field,
    }))
    const [code, mass, plain] = tableSchema(all).fields
    expect(Object.entries(code?.enumLabels ?? {})).toEqual([['__proto__', 'Prototype | x']])
    expect(code).toMatchObject({ missingValues: ['', '-9'], identifier: true, region: 'us-states' })
    expect(mass).toEqual({ name: 'mass', title: 'Mass', type: 'number', unit: 'kg', additive: true })
    expect(plain).toEqual({ name: 'plain', title: 'Plain', type: 'number' })
  })

  test('has a README that explains codes', async () => {
    const field: Field = {
      ...{ name: 'Kind', type: 'number' },
      values: [
        { value: 1, name: 'A | b' },
        { value: 9, missing: true },
      ],
    }
    const source = { ...full, columns: [{ key: 'kind', name: 'Kind', type: 'number', field }] }
    const readme = textIn(readZip(await writeExport('zip', source)).get('README.md') as Uint8Array)
    expect(readme).toContain(
      '| Column | Value | Means |\n|---|---|---|\n| `kind` | 1 | A \\| b |\n| `kind` | 9 | no value |',
    )
  })

  test('is byte-identical for the same rows', async () => {
    for (const format of ['zip', 'xlsx', 'kmz', 'shp', 'parquet'] as const)
      expect(await writeExport(format, full)).toEqual(await writeExport(format, full))
  })
})

test('incremental SHA-256 equals SHA-256 of the whole', () => {
  for (const size of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000, 70_001]) {
    const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 7) % 251)
    const hash = new Sha256()
    for (let at = 0, step = 1; at < size; at += step, step = (step * 3) % 101 || 1)
      hash.update(bytes.subarray(at, Math.min(at + step, size)))
    expect(Buffer.from(hash.digest()).toString('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
  }
})

/** A1 is 0, AA1 is 26. */
function toColumnIndex(reference: string): number {
  return [...reference.replace(/\d+$/, '')].reduce((at, char) => at * 26 + char.charCodeAt(0) - 64, 0) - 1
}
