import type { Grid, TrialResult } from './tried.ts'

/** The first and the last row of a header, as a form and an address hold them: `4`, `4-5`. */
export function headerRowsIn(text: string): [number, number] | null {
  const [, first, last = first] = /^\s*(\d{1,6})(?:\s*[-–]\s*(\d{1,6}))?\s*$/.exec(text) ?? []
  return first === undefined ? null : [Number(first), Number(last)]
}

/** As they are written; one row alone by its number. */
export const headerRowsText = ([first, last]: readonly [number, number]) =>
  first === last ? String(first) : `${first}-${last}`

/**
 * The rows that a form says: its row and how many there are from there on; '' where that was said of another sheet or another
 * format. An address has them in one.
 */
export function sentHeaderRows(
  text: (name: string) => string | null,
  { parser, selector }: { parser: string; selector: string },
): string {
  if (isOfAnother(text('headerOf'), parser, selector)) return ''
  const row = Number(text('headerRow'))
  const count = Number(text('headerCount') ?? '1')
  if (row > 0 && count > 0) return headerRowsText([row, row + count - 1])
  return text('headerRows')?.trim() ?? ''
}

/** Whether a form says what it does of another sheet or another format. */
export const isOfAnother = (of: string | null, parser: string, selector: string) =>
  of !== null && of !== headerOf(parser, selector)

/** What a chosen header is of: of another sheet it is another. */
export const headerOf = (parser: string, selector: string) => `${parser} ${selector}`

/** The rows that seem to be the header where nobody said which are, and they are not the first one; else null. */
export function betterHeaderRows(headerRows: string, { grids }: Pick<TrialResult, 'grids'>): string | null {
  const grid = grids[0]
  if (headerRows !== '' || grids.length !== 1 || !grid?.head || grid.isFirst) return null
  return headerRowsText(grid.head)
}

/** The header that is read: what was said, else the first row with something in it. */
export function shownHead(headerRows: string, { rows }: Grid): [number, number] {
  const first = rows[0]?.line ?? 1
  return headerRowsIn(headerRows) ?? [first, first]
}
