import { describe, expect, test } from 'vitest'
import { buildOds, odsRow, buildXlsx, type Cell } from './files.testing.ts'
import { readGrid, parse, listRowLists } from './index.ts'
import { readsAsNote, totalIn } from './left-out-words.ts'
import { chunked, readAll, utf8 } from './reading.testing.ts'
import type { ReadingOptions } from './reading.ts'

const both: ReadingOptions = { leaveOut: ['notes', 'totals'] }

const readLeftOutRows = async (text: string) =>
  (await readGrid('csv', chunked(utf8(text))))?.leftOut.map(({ line, kind }) => `${line} ${kind}`)

describe('rows that are not records', () => {
  test.each([
    [
      'a total and notes, one without a word',
      'city,n,m\nA,1,5\nB,2,6\nC,3,7\nTotal,6,18\n* provisional,,\n"Figures of the register office, as of March",,\n',
      ['5 totals', '6 notes', '7 notes'],
    ],
    [
      'words scattered over columns of numbers and days',
      'name,job,age,day\nAnn,cook,40,2020-01-01\nBo,smith,50,2020-02-01\nCy,tailor,60,2020-03-01\nSome,,,\n,of us write,,\n,,at the,\n,,,end!\n',
      ['5 notes', '6 notes', '7 notes', '8 notes'],
    ],
    [
      'subtotals between and a sum of all',
      'r,c,n\nX,A,1\nX,B,2\nSubtotal,,3\nY,C,3\nY,D,5\nSubtotal,,8\nTotal,,11\n',
      ['4 totals', '7 totals', '8 totals'],
    ],
    [
      'German, with points and commas',
      'Ort;Ew;Anteil\nA;1.000;40,5\nB;2.500;59,5\nInsgesamt;3.500;100,0\nQuelle: Amt;;\n',
      ['4 totals', '5 notes'],
    ],
    ['a sum without a word', 'c,n,m\nA,1,2\nB,3,4\nC,5,6\nD,7,9\n,16,21\n', ['6 totals']],
    ['short rows of notes', 'a,b,c,d\nx,1,2,3\ny,4,5,6\nz,1,1,1\n\nSource: census 2020\n', ['6 notes']],
    ['text in a column of years', 'year,n,m\n2020,1,9\n2021,2,8\n2022,3,7\nprovisional,,\n', ['5 notes']],
    ['Japanese', '市,人口\n甲,10\n乙,20\n合計,30\n注）速報値,\n', ['4 totals', '5 notes']],
  ])('%s', async (_, text, expectedFindings) => {
    expect(await readLeftOutRows(text)).toEqual(expectedFindings)
    const { rows, rejects } = await readAll('csv', text, both)
    const left = expectedFindings.length
    const lines = text.split('\n').filter(Boolean).length
    expect(rows.length + left + 1).toBe(lines)
    expect(rejects).toEqual([])
  })

  test.each([
    ['a business called so', 'shop,n,m\nA,1,2\nTotal Wine,30,4\nB,5,6\nC,2,2\n'],
    [
      'a category of long data',
      'sex,year,n\nTotal,2020,10\nMale,2020,4\nFemale,2020,6\nTotal,2021,12\nMale,2021,5\nFemale,2021,7\n',
    ],
    [
      'a single word at the end, where no other row says that it is none',
      'name,job,age,day\nAnn,cook,40,2020-01-01\nBo,smith,50,2020-02-01\nCy,tailor,60,2020-03-01\nUnknown,,,\n',
    ],
    [
      'one that says of its numbers that they are not known',
      'name,job,age,day\nAnn,cook,40,2020-01-01\nBo,smith,50,2020-02-01\nCy,tailor,60,2020-03-01\nDi,,n/a,\n',
    ],
    ['a last record without values', 'city,n,m\nA,1,2\nB,3,4\nC,5,6\nNewtown,,\n'],
    ['few numbers, of which one is like the rest', 'm,n\nJan,0\nFeb,0\nMar,0\nApr,0\nMay,3\nJun,3\n'],
    ['headings between', 'city,n,m\nNorth,,\nA,1,2\nB,3,4\nSouth,,\nC,5,6\nD,1,1\n'],
    ['a table of two columns with a gap', 'city,n\nA,1\nB,\nC,3\nD,\n'],
  ])('finds none: %s', async (_, text) => expect(await readLeftOutRows(text)).toEqual([]))

  test('are left out only if that was chosen, and a run reports how many and which', async () => {
    const text = 'city,n,m\nA,1,5\nB,2,6\nTotal,3,11\nSource: office,,\n'
    expect((await readAll('csv', text)).rows).toHaveLength(4)
    const notes = await readAll('csv', text, { leaveOut: ['notes'] })
    expect(notes.values).toHaveLength(3)
    const all = await readAll('csv', text, both)
    expect(all.values).toEqual([
      { city: 'A', n: '1', m: '5' },
      { city: 'B', n: '2', m: '6' },
    ])
    expect(all.notices.map(({ message }) => message)).toContain(
      '2 rows are left out, as was chosen: row 4 “Total” (a total), row 5 “Source: office” (a note).',
    )
    const again = await readAll('csv', text, { ...both, takeIn: ['Total'] })
    expect(again.values.at(-1)).toEqual({ city: 'Total', n: '3', m: '11' })
    expect(again.rows).toHaveLength(3)
  })

  test('are the same when resumed from each cursor, even if some are held back', async () => {
    const text =
      'city,n,m\nA,1,5\nB,2,6\nC,2,6\nFigures below are of the other province,,\nSubtotal,5,17\nD,4,4\nE,1,1\n' +
      'Total,10,22\n* provisional,,\n"Source: the office,\nas of March",,\n'
    const whole = await readAll('csv', text, both, { batchRows: 1 })
    expect(whole.values).toHaveLength(6)
    const leftOutMessages = whole.notices
      .map(({ message }) => message)
      .filter((message) => message.includes('left out'))
    expect(leftOutMessages).toHaveLength(1)
    for (const [i, { cursor }] of whole.batches.entries()) {
      if (cursor.byte === null) continue
      const rest = utf8(text).slice(cursor.byte)
      const values: unknown[] = []
      const messages: string[] = []
      for await (const batch of parse('csv', chunked(rest), both, { from: cursor })) {
        values.push(...batch.rows.map(({ value }) => value))
        messages.push(...batch.notices.map(({ message }) => message))
      }
      const before = whole.batches.slice(0, i + 1).flatMap(({ rows }) => rows).length
      expect(values).toEqual(whole.values.slice(before))
      if (before < 6)
        expect(messages.filter((message) => message.includes('left out'))).toEqual(leftOutMessages)
    }
  })

  test('in sheets are recognised by their values, in both kinds of workbooks', async () => {
    const rows: Cell[][] = [['City', 'n'], ['A', 1], ['B', 2], ['C', 4], ['Total', 7], ['Note: of 2024']]
    const ods = buildOds({ Data: rows.map((row) => odsRow(row as (string | number)[])).join('') })
    for (const [name, bytes] of [
      ['excel', buildXlsx({ Data: rows })],
      ['ods', ods],
    ] as const) {
      expect((await readGrid(name, chunked(bytes)))?.leftOut.map(({ line }) => line)).toEqual([5, 6])
      const { values, notices } = await readAll(name, bytes, both)
      expect(values).toEqual([
        { City: 'A', n: 1 },
        { City: 'B', n: 2 },
        { City: 'C', n: 4 },
      ])
      expect(notices.at(-1)?.message).toBe(
        '2 rows of the sheet "Data" are left out, as was chosen: row 5 “Total” (a total), row 6 “Note: of 2024” (a note).',
      )
    }
  })

  test.each([
    ['Gesamt', 'whole'],
    ['Total général:', 'whole'],
    ['SUBTOTAL', 'whole'],
    ['Total 2024', 'whole'],
    ['المجموع', 'whole'],
    ['Totale', 'whole'],
    ['Totaal', 'whole'],
    ['Total Berlin', 'part'],
    ['Berlin gesamt', 'part'],
    ['Totalitarian', null],
    ['Sumatra', null],
  ])('%s is a label of a total: %s', (text, is) => expect(totalIn(text)).toBe(is))

  test.each([
    'Fuente: INE',
    'Fonte: IBGE',
    'Bron: CBS',
    'Source : Insee',
    '(1) without islands',
    'p = provisional',
    '.. not available',
    'المصدر: الوزارة',
    '出典：総務省',
  ])('%s begins a note', (text) => expect(readsAsNote(text)).toBe(true))
  test.each(['Notting Hill', 'Standort', 'Sourceville', 'A', 'Nota Bene-Straße'.slice(5), '12 Main Street'])(
    '%s does not begin a note',
    (text) => expect(readsAsNote(text)).toBe(false),
  )
})

describe('possible locations of rows in workbooks', () => {
  const one: Cell[][] = [
    ['City', 'n'],
    ['A', 1],
    ['B', 2],
    ['C', 3],
  ]
  const two: (Cell[] | null)[] = [
    ['Population'],
    null,
    ['City', 'n', null, 'Year', 'Births', 'Deaths'],
    ['A', 1, null, '2020', 5, 6],
    ['B', 2, null, '2021', 7, 8],
    ['C', 3, null, '2022', 9, 1],
    null,
    ['Kind', 'Count'],
    ['x', 4],
    ['y', 5],
    ['z', 6],
  ]
  test('sheets have their row counts, those with values first, hidden ones last', async () => {
    const book = buildXlsx({ About: [['These are data of the city.'], ['See the next sheet.']], Data: one })
    expect(await listRowLists('excel', chunked(book))).toMatchObject([
      { selector: 'Data', rows: 3, keys: ['City', 'n'], isHidden: false, isWhole: true },
      { selector: 'About', rows: 1 },
      { selector: '*', rows: 4 },
    ])
  })

  test('tables beside and below each other are found by position and header, and can be selected', async () => {
    const odsRows = two
      .map((row) =>
        odsRow((row ?? ['']).map((cell) => (cell === null ? '<table:table-cell/>' : (cell as string)))),
      )
      .join('')
    for (const [name, bytes] of [
      ['excel', buildXlsx({ Data: two })],
      ['ods', buildOds({ Data: odsRows })],
    ] as const) {
      const lists = await listRowLists(name, chunked(bytes))
      expect(lists?.map(({ selector, rows, keys }) => [selector, rows, keys.join()])).toEqual([
        ['Data!D3:F', 3, 'Year,Births,Deaths'],
        ['Data!A3:B', 3, 'City,n'],
        ['Data!A8:B', 3, 'Kind,Count'],
        ['Data', expect.any(Number), expect.any(String)],
      ])
      const read = await readAll(name, bytes, { selector: 'Data!A8:B' })
      expect(read.values).toEqual([
        { Kind: 'x', Count: 4 },
        { Kind: 'y', Count: 5 },
        { Kind: 'z', Count: 6 },
      ])
      expect((await readAll(name, bytes, { selector: 'Data!D3:F' })).values).toHaveLength(3)
      expect((await readGrid(name, chunked(bytes), { selector: 'Data!D3:F' }))?.rows[0]?.cells).toEqual([
        ...['Year', 'Births', 'Deaths'],
      ])
      expect((await readAll(name, bytes, { selector: 'Data!H3:J' })).refusal).toBe(
        'The range H3:J of the sheet "Data" has nothing in it: choose where the table is now.',
      )
      expect((await readAll(name, bytes, { selector: 'Old!A1:B' })).refusal).toBe(
        'The workbook has no sheet "Old": it has "Data".',
      )
    }
  })

  test('one table with gaps, an empty column or merged headers is not split', async () => {
    const spaced: Cell[][] = [
      ['City', 'n', null, '2021', '2022'],
      ['A', 1, null, 2, 3],
      ['B', 2, null, 3, 4],
      ['C', 4, null, 1, 1],
    ]
    expect(
      (await listRowLists('excel', chunked(buildXlsx({ Data: spaced }))))?.map(({ selector }) => selector),
    ).toEqual(['Data'])
    const gaps = [...one, null, ['D', 4], ['E', 5], ['F', 6]] as (Cell[] | null)[]
    expect(
      (await listRowLists('excel', chunked(buildXlsx({ Data: gaps }))))?.map(({ selector }) => selector),
    ).toEqual(['Data'])
  })
})
