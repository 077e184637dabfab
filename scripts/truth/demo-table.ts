import type { PageFigure } from './demo-page.ts'
import { listFacts, isWrittenAs, type Figure } from './oracle-meaning.ts'
import { listGroupNames, normalizeText } from './oracle-names.ts'
import { numbersIn } from './oracle-reader.ts'
import { isPartial, isUncovered } from './oracle-rules.ts'
import type { Cell, Column } from './oracle.ts'
import { getOracleLanguage } from './oracle-language.ts'

/**
 * Splits from a cell the word that marks a period which the data only partly cover, and tells whether it was
 * there.
 */
function withoutMark(cell: string, locale: string): { text: string; isMarked: boolean } {
  const text = normalizeText(cell).trim()
  const [all = '', mark = ''] = / \(([^()]+)\)$/.exec(text) ?? []
  const isMarked = mark !== '' && getOracleLanguage(locale).claims.partial.test(mark)
  return { text: isMarked ? text.slice(0, -all.length) : text, isMarked }
}

/** Returns whether the text of a cell is the value in the file. */
export function isCell(text: string, cell: Cell, column: Column, locale: string, zone: string): boolean {
  const cellText = normalizeText(text).trim()
  if (cell === null) return cellText === '–' || cellText === ''
  if (column.kind === 'text') return listGroupNames(cell, column, locale, zone).whole.includes(cellText)
  if (column.kind === 'number' && column.part === undefined) {
    const [number, ...more] = numbersIn(cellText, locale)
    return number !== undefined && more.length === 0 && isWrittenAs(number, Number(cell))
  }
  const { whole, loose } = listGroupNames(cell, column, locale, zone)
  return [...whole, ...loose].includes(cellText) || (column.part !== undefined && cellText === String(cell))
}

/** Compares the table of a figure with the file, cell by cell. */
export function checkTable(
  { columns: labels, rows, caption }: PageFigure,
  figure: Figure,
  locale: string,
): { cells: number; wrong: string[] } {
  const wrong: string[] = []
  const { columns, visibleGroups, groups, zone } = figure
  const plain = labels.map((label) => normalizeText(label))
  const position = columns.map(({ name }) =>
    plain.findIndex((label) => label === normalizeText(name) || label.startsWith(`${normalizeText(name)} (`)),
  )
  for (const { value } of numbersIn(normalizeText(caption), locale))
    if (
      ![rows.length, visibleGroups.length, groups.length].includes(value) &&
      !figure.title.includes(String(value))
    )
      wrong.push(`“${caption}”: ${visibleGroups.length} rows of ${groups.length}`)
  const counts = numbersIn(normalizeText(caption).replaceAll(normalizeText(figure.title), ''), locale)
  if (counts.length > 0 && !counts.some(({ value }) => value === groups.length))
    wrong.push(`“${caption}”: a part of ${groups.length}, unsaid`)
  if (rows.length > visibleGroups.length && rows.length > 0 && labels.length === columns.length)
    wrong.push(`a table of ${rows.length} rows, of ${visibleGroups.length}`)
  let cells = 0
  const isFlat = columns.every(({ kind }, i) => kind === 'point' || (position[i] ?? -1) >= 0)
  for (const [r, row] of rows.entries())
    for (const [i, column] of columns.entries()) {
      const at = position[i] ?? -1
      if (!isFlat || at < 0 || column.kind === 'point') continue
      cells += 1
      const truth = visibleGroups[r]?.cells[i] ?? null
      const { text, isMarked } = withoutMark(row[at] ?? '', locale)
      if (!isCell(text, truth, column, locale, zone))
        wrong.push(`row ${r + 1}, ${column.name}: ${row[at]}, in the file ${String(truth)}`)
      const isPeriod = column.span !== undefined || column.part === 'year' || column.part === 'decade'
      if (isMarked ? !isUncovered(truth, figure, column) : isPeriod && isPartial(truth, figure, column))
        wrong.push(`row ${r + 1}, ${column.name}: ${row[at]} is ${isMarked ? 'whole' : 'partial, unsaid'}`)
    }
  return isFlat ? { cells, wrong } : checkPivot(rows, figure, locale, wrong)
}

/**
 * Compares a pivot table, which has a column for each group: each number must be the file's, for the groups
 * of its row and column.
 */
function checkPivot(rows: string[][], figure: Figure, locale: string, wrong: string[]) {
  const facts = listFacts(figure)
  const dimensions = figure.columns.flatMap(({ isGroup }, i) => (isGroup ? [i] : []))
  let cells = 0
  for (const [head = '', ...row] of rows) {
    const ownFacts = facts.filter(({ of }) =>
      dimensions.some((i) => {
        const column = figure.columns[i]
        return column && isCell(head, of.get(i) ?? null, column, locale, figure.zone)
      }),
    )
    for (const text of row) {
      const [number] = numbersIn(normalizeText(text), locale)
      if (!number) continue
      cells += 1
      if (!ownFacts.some(({ value }) => isWrittenAs(number, value)))
        wrong.push(`${head}: ${text} is nothing of the file`)
    }
  }
  return { cells, wrong }
}
