import type { Grid, TrialResult } from './trial.ts'

/** Parses the first and last row of a header: `4`, `4-5`. */
export function parseHeaderRows(text: string): [number, number] | null {
  const [, first, last = first] = /^\s*(\d{1,6})(?:\s*[-–]\s*(\d{1,6}))?\s*$/.exec(text) ?? []
  return first === undefined ? null : [Number(first), Number(last)]
}

/** Serializes header rows; a single row by its number. */
export const headerRowsText = ([first, last]: readonly [number, number]) =>
  first === last ? String(first) : `${first}-${last}`

/** The header rows of a form: first row and count; '' if they are of another sheet or format. A URL has them in one value. */
export function parseSubmittedHeaderRows(
  text: (name: string) => string | null,
  { parser, selector }: { parser: string; selector: string },
): string {
  if (isOfAnother(text('headerOf'), parser, selector)) return ''
  const row = Number(text('headerRow'))
  const count = Number(text('headerCount') ?? '1')
  if (row > 0 && count > 0) return headerRowsText([row, row + count - 1])
  return text('headerRows')?.trim() ?? ''
}

/** Whether a form's choice is about another sheet or format. */
export const isOfAnother = (of: string | null, parser: string, selector: string) =>
  of !== null && of !== getHeaderKey(parser, selector)

/** What a header choice is about: format and sheet. */
export const getHeaderKey = (parser: string, selector: string) => `${parser} ${selector}`

/** The detected header, if none was chosen and it is not the first row; else null. */
export function suggestHeaderRows(headerRows: string, { grids }: Pick<TrialResult, 'grids'>): string | null {
  const grid = grids[0]
  if (headerRows !== '' || grids.length !== 1 || !grid?.head || grid.isFirst) return null
  return headerRowsText(grid.head)
}

/** The effective header: the chosen one, else the first non-empty row. */
export function getEffectiveHeader(headerRows: string, { rows }: Grid): [number, number] {
  const first = rows[0]?.line ?? 1
  return parseHeaderRows(headerRows) ?? [first, first]
}
