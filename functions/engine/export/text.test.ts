import { describe, expect, test } from 'vitest'
import { cellText } from './cell.ts'
import { csvCells } from './csv.ts'
import { plainOptions, readCsv, buildFileSource, textIn, writeExport } from './reading.testing.ts'
import { columns, rows, shapes } from './rows.testing.ts'
import { computeDoubleArea } from './places.ts'
import { createClock } from './zone.ts'

const none = buildFileSource(columns, [])
const full = buildFileSource(columns, rows)
const heads = columns.flatMap(({ key, type }) =>
  type === 'point' ? [key, `${key}.longitude`, `${key}.latitude`] : [key],
)

describe.each([
  ['csv', ',', '\r\n'],
  ['tsv', '\t', '\n'],
] as const)('%s', (format, separator, end) => {
  test('round-trips every cell, of no rows, one row and all', async () => {
    expect(textIn(await writeExport(format, none))).toBe(heads.join(separator) + end)
    const one = readCsv(
      textIn(await writeExport(format, buildFileSource(columns, rows.slice(0, 1)))),
      separator,
    )
    expect(one).toHaveLength(2)
    const [head, ...bodyRows] = readCsv(textIn(await writeExport(format, full)), separator)
    expect(head).toEqual(heads)
    expect(bodyRows).toHaveLength(rows.length)
    rows.forEach(({ data }, i) => {
      const cells = Object.fromEntries(heads.map((key, at) => [key, bodyRows[i]?.[at]]))
      for (const column of columns) {
        const value = data[column.key]
        if (typeof value === 'number') expect(Number(cells[column.key])).toBe(value === 0 ? 0 : value)
        else expect(cells[column.key]).toBe(cellText(value, column, createClock('UTC').text))
      }
    })
    const last = Object.fromEntries(heads.map((key, at) => [key, bodyRows.at(-3)?.[at]]))
    expect(last).toMatchObject({
      tags: 'a, b, c, "d", 👩‍👩‍👧',
      counts: '1, 2.5, -3',
      map: '{"a":{"b":[1,null,"x"]},"ключ \\"k\\"":"<&>"}',
      spot: 'POINT(-74.0059731 40.7127753)',
      'spot.longitude': '-74.0059731',
      way: 'LINESTRING(179.5 -16,-179.5 -17,-179 -17.5)',
      at: '2024-02-29T23:59:59.123Z',
    })
  })
})

test('has field names as headers, a byte-order mark, and dates in the given time zone on request', async () => {
  const options = { ...plainOptions, names: true, bom: true, timeZone: 'America/New_York' }
  const text = textIn(await writeExport('csv', full, options))
  expect(text.startsWith('\uFEFF"Text, ""quoted""",الاسم,N')).toBe(true)
  expect(text).toContain('2024-02-29T18:59:59.123-05:00')
})

test('a zone clock is right on both sides of a clock change, and before there were time zones', () => {
  const { text } = createClock('Europe/London')
  expect(text('2024-03-31T00:59:59.999Z')).toBe('2024-03-31T00:59:59.999Z')
  expect(text('2024-03-31T01:00:00.000Z')).toBe('2024-03-31T02:00:00+01:00')
  // A minute past midnight, inside of a quarter of an hour.
  const newfoundland = createClock('America/St_Johns')
  expect(newfoundland.text('2010-03-14T03:30:59.000Z')).toBe('2010-03-14T00:00:59-03:30')
  expect(newfoundland.text('2010-03-14T03:31:00.000Z')).toBe('2010-03-14T01:01:00-02:30')
  expect(createClock('Asia/Kathmandu').text('2024-01-01T00:00:00.000Z')).toBe('2024-01-01T05:45:00+05:45')
})

test('JSON and NDJSON equal the data', async () => {
  const data = JSON.parse(JSON.stringify(rows.map((row) => row.data))) as unknown
  expect(JSON.parse(textIn(await writeExport('json', none)))).toEqual([])
  expect(JSON.parse(textIn(await writeExport('json', full)))).toEqual(data)
  const lines = textIn(await writeExport('ndjson', full)).split('\n')
  expect(lines.pop()).toBe('')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(data)
  expect(textIn(await writeExport('ndjson', none))).toBe('')
})

test('GeoJSON has the geometry of the record once, and every field without a geometry', async () => {
  const layer = JSON.parse(textIn(await writeExport('geojson', full))) as {
    type: string
    features: unknown[]
  }
  expect(layer.type).toBe('FeatureCollection')
  const lines = textIn(await writeExport('geojsonl', full))
    .trimEnd()
    .split('\n')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(layer.features)
  expect(layer.features.at(-3)).toMatchObject({
    type: 'Feature',
    geometry: shapes.areas,
    properties: { text: 'all', tags: ['a', 'b, c', '"d"', '👩‍👩‍👧'] },
  })
  expect(Object.keys((layer.features.at(-3) as { properties: object }).properties)).not.toContain('spot')
  expect(JSON.parse(textIn(await writeExport('geojson', none)))).toEqual({
    type: 'FeatureCollection',
    features: [],
  })
})

test('a clockwise ring has a negative area', () => {
  const ring = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
    [0, 0],
  ]
  expect(computeDoubleArea(ring)).toBe(2)
  expect(computeDoubleArea([...ring].reverse())).toBe(-2)
})

describe('formula injection', () => {
  const starters = ['=', '+', '-', '@', '\t', '\r', '\0', '＝', '＋', '－', '＠']
  const cases = [
    ...starters.map((mark) => `${mark}cmd|' /C calc'!A0`),
    '=HYPERLINK("http://x.example","click")',
    '-2+3+cmd',
    // A thousand more, the same each time.
    ...Array.from({ length: 1000 }, (_, i) => {
      const mark = starters[i % starters.length] ?? ''
      return (
        mark + String.fromCharCode(33 + ((i * 31) % 94)) + 'A'.repeat(i % 7) + (i % 3 ? '"x",y\r\n' : `${i}`)
      )
    }),
  ]
  const text = [{ key: 'text', name: 'Text', type: 'text' }]
  const asRows = cases.map((value, i) => ({ id: String(i), data: { text: value }, geometry: null }))

  test(`${cases.length} texts get an apostrophe in the variant for Excel, and none otherwise`, async () => {
    const source = buildFileSource(text, asRows)
    const excel = readCsv(
      textIn(await writeExport('csv', source, { ...plainOptions, excel: true })).slice(1),
    ).slice(1)
    const exact = readCsv(textIn(await writeExport('csv', source))).slice(1)
    expect(excel.map(([cell]) => cell)).toEqual(cases.map((value) => `'${value}`))
    expect(exact.map(([cell]) => cell)).toEqual(cases)
  })

  test.each([' ', '\u00a0', '\u200b', '\u2060', '\ufeff', '\n', ' \n\u200b\ufeff\u00a0'])(
    'is escaped also after %j, which spreadsheets drop',
    (before) => {
      const columns = [{ key: 'v', head: 'v', type: 'text' }]
      for (const mark of starters) {
        const text = `${before}${mark}1+1`
        expect(csvCells(columns, { v: text }, true)).toEqual([`'${text}`])
        expect(csvCells(columns, { v: text }, false)).toEqual([text])
      }
      expect(csvCells(columns, { v: `${before}Rain = water` }, true)).toEqual([`${before}Rain = water`])
    },
  )

  test('numbers, dates and harmless texts are unchanged; headers and lists are escaped as well', () => {
    const column = (type: string) => [{ key: 'v', head: 'v', type }]
    expect(csvCells(column('number'), { v: -5 }, true)).toEqual(['-5'])
    expect(csvCells(column('text'), { v: 'a=1' }, true)).toEqual(['a=1'])
    expect(csvCells(column('array'), { v: ['=1', '2'] }, true)).toEqual(["'=1, 2"])
    expect(csvCells(column('point'), { v: { type: 'Point', coordinates: [-1, 2] } }, true)).toEqual([
      'POINT(-1 2)',
      '-1',
      '2',
    ])
  })

  test('in a workbook they are texts: no cell has a formula', async () => {
    const { readZip, readXml, listElements: all } = await import('./reading.testing.ts')
    const book = readZip(await writeExport('xlsx', buildFileSource(text, asRows)))
    const sheet = readXml(textIn(book.get('xl/worksheets/sheet1.xml') ?? new Uint8Array()))
    expect(all(sheet, 'f')).toEqual([])
    const cells = all(sheet, 'c').slice(1)
    expect(cells.every(({ attributes }) => attributes.t === 'inlineStr')).toBe(true)
    const cellTexts = all(sheet, 't')
      .slice(1)
      .map((t) =>
        t.text.replace(/_x([\dA-F]{4})_/g, (_all, code: string) => String.fromCharCode(parseInt(code, 16))),
      )
    expect(cellTexts).toEqual(cases)
  })
})
