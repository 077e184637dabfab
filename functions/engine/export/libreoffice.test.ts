import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { listElements, plainOptions, readXml, buildFileSource, writeExport } from './reading.testing.ts'

const office = ['soffice', 'libreoffice'].find((name) => spawnSync(name, ['--version']).status === 0)
const folder = mkdtempSync(join(tmpdir(), 'commonplace-office-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Opens a file in a spreadsheet program: its cells as text, and the number of formulas. */
function openInOffice(name: string, bytes: Uint8Array): { cells: string[]; formulas: number } {
  writeFileSync(join(folder, name), bytes)
  const flat = `${name.replace(/\.\w+$/, '')}.fods`
  const conversion = spawnSync(
    office ?? '',
    [
      ...['--headless', '--norestore', `-env:UserInstallation=file://${folder}/profile`],
      // Commas, double quotes, UTF-8, from the first row, standard columns, and formulas are evaluated as
      // when pasting.
      ...(name.endsWith('.csv') ? ['--infilter=CSV:44,34,76,1,,0,false,true,false,false,false,-1,true'] : []),
      ...['--convert-to', 'fods', '--outdir', folder, join(folder, name)],
    ],
    { encoding: 'utf8', timeout: 120_000 },
  )
  if (conversion.status !== 0) throw new Error(conversion.stderr)
  const book = readXml(readFileSync(join(folder, flat), 'utf8'))
  // The first cell of each row: the others are empty.
  const firstCells = listElements(book, 'table:table-row').flatMap((row) =>
    listElements(row, 'table:table-cell').slice(0, 1),
  )
  return {
    cells: firstCells.map((cell) =>
      listElements(cell, 'text:p')
        .map(({ text }) => text)
        .join('\n'),
    ),
    formulas: firstCells.filter(({ attributes }) => attributes['table:formula'] !== undefined).length,
  }
}

const starters = ['=', '+', '-', '@', '＝', '＋', '－', '＠']
const texts = [
  ...starters.map((mark) => `${mark}1+1`),
  ...['=HYPERLINK("http://x.example","click")', '=SUM(A1:A9)', ' =1+1', '-2+3', "+cmd|' /C calc'!A0"],
  ...Array.from({ length: 300 }, (_, i) => `${starters[i % starters.length]}${i}*${i + 1}`),
]
const column = [{ key: 'text', name: 'Text', type: 'text' }]
const source = buildFileSource(
  column,
  texts.map((text, i) => ({ id: String(i), data: { text }, geometry: null })),
)

describe.skipIf(!office)('opened in a spreadsheet program', () => {
  test('a CSV file for Excel has no formulas; the exact one has', async () => {
    const excel = openInOffice(
      'excel.csv',
      await writeExport('csv', source, { ...plainOptions, excel: true }),
    )
    expect(excel.formulas).toBe(0)
    expect(excel.cells.slice(1, texts.length + 1)).toEqual(texts.map((text) => `'${text}`))
    const exact = openInOffice('exact.csv', await writeExport('csv', source))
    expect(exact.formulas).toBeGreaterThan(10)
  })

  // Spaces at the beginning are an element of its format that is not read here.
  test('a workbook has no formulas, and unchanged texts', async () => {
    const { cells, formulas } = openInOffice('book.xlsx', await writeExport('xlsx', source))
    expect(formulas).toBe(0)
    expect(cells.slice(1, texts.length + 1)).toEqual(texts.map((text) => text.trimStart()))
  })
})
