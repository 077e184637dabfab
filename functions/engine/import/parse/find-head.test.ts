import { describe, expect, test } from 'vitest'
import { buildXlsx, buildZip, type Cell } from './files.testing.ts'
import { readGrid, parse, listSelectors } from './index.ts'
import { toBytes, chunked, readAll, utf8 } from './reading.testing.ts'
import type { ReadingOptions } from './reading.ts'

const headIn = async (text: string | Uint8Array, name: 'csv' | 'tsv' | 'excel' = 'csv') => {
  const bytes = typeof text === 'string' ? utf8(text) : text
  return (await readGrid(name, chunked(bytes)))?.head
}

/** Reads a source with the detected header. */
async function readFound(
  source: string | Uint8Array,
  name: 'csv' | 'tsv' | 'excel',
  rest: ReadingOptions = {},
) {
  const headerRows = await headIn(source, name)
  if (!headerRows) throw new Error('No head was found.')
  return readAll(name, source, { ...rest, headerRows })
}

const titled = [
  'Population of the city by quarter,,,',
  '"Source: register office, as of 1 March",,,',
  '',
  'Quarter,People,Area (km²),Note',
  'North,"1,234",3.5,',
  'South,"2,345",4.5,estimated',
  'West,99,.097,',
].join('\r\n')

describe('the header of a messy table', () => {
  test('in text is found below titles, notes and blank lines, and read from there', async () => {
    const read = await readFound(titled, 'csv')
    expect(await headIn(titled)).toEqual([4, 4])
    expect(read.refusal).toBeNull()
    expect(read.values).toEqual([
      { Quarter: 'North', People: '1,234', 'Area (km²)': '3.5', Note: '' },
      { Quarter: 'South', People: '2,345', 'Area (km²)': '4.5', Note: 'estimated' },
      { Quarter: 'West', People: '99', 'Area (km²)': '.097', Note: '' },
    ])
    expect(read.rows[0]?.at).toEqual({ row: 1, line: 5 })
    expect(read.notices.map(({ message }) => message)).toContain(
      'Rows before row 4 are left out: the header begins there, as was said.',
    )
  })

  test('of several rows is joined, with merged cells repeated over their span', async () => {
    const rows: (Cell[] | null)[] = [
      ['Births and deaths'],
      null,
      ['Region', '2022', null, '2023', null, 'Note'],
      [null, 'Births', 'Deaths', 'Births', 'Deaths', null],
      ['North', 1, 2, 3, 4, 'a'],
      ['South', 5, 6, 7, 8, 'b'],
      ['* without hospitals'],
    ]
    const book = buildXlsx({ Data: rows })
    expect(await headIn(book, 'excel')).toEqual([3, 4])
    const { values, notices } = await readFound(book, 'excel')
    expect(values[0]).toEqual({
      ...{ Region: 'North', '2022 Births': 1, '2022 Deaths': 2, '2023 Births': 3, '2023 Deaths': 4 },
      Note: 'a',
    })
    // The note below is kept as a row: nothing is dropped silently.
    expect(values).toHaveLength(3)
    expect(notices.some(({ message }) => message.includes('Rows before row 3 of the sheet "Data"'))).toBe(
      true,
    )
    const text = 'Title;;;\n;2022;;Note\nRegion;Births;Deaths;\nNorth;1;2;a\nSouth;3;4;\n'
    expect(Object.keys((await readFound(text, 'csv')).values[0] as object)).toEqual([
      ...['Region', '2022 Births', '2022 Deaths', 'Note'],
    ])
  })

  test.each([
    ['a plain table', 'id,name,n\n1,a,2\n2,b,3\n', [1, 1]],
    ['texts alone, with a column without a name', 'a,,c\nx,y,z\nu,v,w\n', [1, 1]],
    ['years as names', 'Title,,\nRegion,2019,2020\nNorth,1,2\nSouth,3,4\n', [2, 2]],
    ['gaps in most rows: nobody can tell', 'a,b,c,d\n1,,,\n2,,3,\n3,,,\n', null],
    ['one column', 'name\na\nb\n', undefined],
    ['a note of two cells', 'Source,City\n\na;b;c;d\n1;2;3;4\n5;6;7;8\n', [3, 3]],
  ])('%s', async (_, text, head) => expect(await headIn(text)).toEqual(head))

  test('is found below a note that spans several columns', async () => {
    const rows: Cell[][] = [
      ['Lots of people'],
      ['simply cannot resist writing', null, null, null, null, 'some notes'],
      ['at', 'the', 'top', null, 'of', 'their spreadsheets'],
      ['or', 'merging', null, null, null, 'cells'],
      ['Name', 'Profession', 'Age', 'Has kids', 'Born', 'Died'],
      ...['A', 'B', 'C'].map((name, i): Cell[] => [name, 'musician', 60 + i, true, 1947, 2016]),
    ]
    expect(await headIn(buildXlsx({ arts: rows }), 'excel')).toEqual([5, 5])
  })

  test('is found in windows-1252 and in tab-separated text', async () => {
    const bytes = toBytes('\xdcbersicht\n\nStra\xdfe\tZahl\nM\xfchlweg\t1\nK\xf6nigsweg\t2\n')
    expect((await readFound(bytes, 'tsv')).values[0]).toEqual({ Straße: 'Mühlweg', Zahl: '1' })
  })

  test('of 200 columns is found before 65,000 empty rows', async () => {
    const names = Array.from({ length: 200 }, (_, i) => `c${i}`)
    const row = names.map((_, i) => i).join(',')
    const text = `Title\n\n${names.join(',')}\n${row}\n${row}\n${`${','.repeat(199)}\n`.repeat(100)}${'\n'.repeat(65_000)}`
    expect(await headIn(text)).toEqual([3, 3])
    expect(Object.keys((await readFound(text, 'csv')).values[0] as object)).toEqual(names)
    const empty = '<row r="9"/>'.repeat(65_000)
    const book = buildXlsx(
      { Data: [] },
      {
        extra: {
          'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row r="1"><c t="str"><v>Title</v></c></row><row r="3"><c t="str"><v>a</v></c><c t="str"><v>b</v></c></row><row r="4"><c><v>1</v></c><c><v>2</v></c></row>${empty}</sheetData></worksheet>`,
        },
      },
    )
    expect((await readFound(book, 'excel')).values).toEqual([{ a: 1, b: 2 }])
  })

  test('hidden sheets are suggested last and are not previewed first', async () => {
    const sheet = (name: string) =>
      `<worksheet><sheetData><row r="1"><c t="str"><v>${name}</v></c><c t="str"><v>n</v></c></row><row r="2"><c><v>1</v></c><c><v>2</v></c></row></sheetData></worksheet>`
    const book = buildZip({
      'xl/workbook.xml':
        '<workbook xmlns:r="r"><sheets><sheet name="Lists" state="hidden" r:id="a"/><sheet name="Data" r:id="b"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="a" Target="worksheets/sheet1.xml"/><Relationship Id="b" Target="worksheets/sheet2.xml"/></Relationships>',
      'xl/worksheets/sheet1.xml': sheet('hidden'),
      'xl/worksheets/sheet2.xml': sheet('shown'),
    })
    expect(await listSelectors('excel', chunked(book))).toEqual(['*', 'Data', 'Lists'])
    expect((await readGrid('excel', chunked(book)))?.rows[0]?.cells[0]).toBe('shown')
  })

  test('is not needed to resume from a cursor, and is an error if the given rows do not exist', async () => {
    const options = { headerRows: [4, 4] as [number, number] }
    const { batches } = await readAll('csv', titled, options, { batchRows: 1 })
    const from = batches[0]?.cursor
    const rest = utf8(titled).slice(from?.byte ?? 0)
    const rows = []
    for await (const batch of parse('csv', chunked(rest), options, { ...(from && { from }) }))
      rows.push(...batch.rows)
    expect(rows.map(({ value }) => (value as Record<string, unknown>).Quarter)).toEqual(['South', 'West'])
    expect((await readAll('csv', titled, { headerRows: [40, 40] })).refusal).toMatch(/no header/)
  })
})
