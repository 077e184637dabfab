/** A record at the beginning of a table. `isHash`: it begins with an unquoted #. No cells: it cannot be parsed. */
export interface FirstRecord {
  line: number
  cells: string[]
  isHash: boolean
}

/** Which line that begins with # is the header (null: none), and the notice about it. */
export interface HashHeader {
  line: number | null
  notice: { level: 'info' | 'warn'; message: string } | null
}

/** The number of following records that are compared. */
const sampleRows = 50

/**
 * A line that begins with # before any other line is a comment, or the header of a table whose first column
 * has such a name. The header is the first of them with as many cells as most records after it, unless the
 * first record without a # reads as a header. Where that is unclear, as among texts only, a space after the #
 * indicates a comment.
 */
export function hashHeader(records: FirstRecord[]): HashHeader {
  let value: HashHeader['notice'] = null
  for (const [i, { line, cells, isHash }] of records.entries()) {
    if (!isHash) break
    const rest = records.slice(i + 1, i + 1 + sampleRows)
    if (!mayBeHeader(cells) || !isCommonWidth(rest, cells.length)) continue
    const at = rest.findIndex((record) => !record.isHash)
    const next = rest[at]?.cells ?? []
    const reads = at === -1 ? null : readsAsHeader(next, rest.slice(at + 1))
    const observation = `Line ${line} begins with # and has ${cells.length} cells, as the rows behind it have`
    if (reads === false || (reads === null && !isSpoken(cells, next)))
      return {
        line,
        notice: { level: reads === null ? 'warn' : 'info', message: `${observation}: it is the header.` },
      }
    const reason = reads ? `line ${rest[at]?.line} reads as the header` : 'blanks make it read like words'
    value ??= { level: 'warn', message: `${observation}. It is left out as a comment, for ${reason}.` }
  }
  return { line: null, notice: value }
}

const isWord = (cell: string) => /^\s*[\p{L}_]/u.test(cell) && !/^\s*(?:true|false|null|nan)\s*$/i.test(cell)

function mayBeHeader(cells: string[]): boolean {
  const names = cells.map((cell, i) => (i ? cell : cell.slice(1)).trim())
  return isWord(names[0] ?? '') && !names.includes('') && new Set(names).size === names.length
}

/** Whether more than half of some records have a width, or one more with trailing delimiters. */
function isCommonWidth(records: FirstRecord[], width: number): boolean {
  const alike = records.filter(
    ({ cells }) => cells.length === width || (cells.length === width + 1 && cells[width] === ''),
  )
  return width > 1 && alike.length * 2 > records.length
}

/** True: all cells are words, and some column has none below; false: it has a value or a gap; null: unclear. */
function readsAsHeader(cells: string[], below: FirstRecord[]): boolean | null {
  if (!cells.every(isWord) || new Set(cells).size < cells.length) return false
  const isUnlike = cells.some((_, column) => {
    const values = below.map((record) => record.cells[column]?.trim() ?? '').filter(Boolean)
    return values.length > 0 && !values.some(isWord)
  })
  return isUnlike || null
}

/** Whether a line has spaces like prose that the record below it does not have. */
const isSpoken = (cells: string[], below: string[]) =>
  cells.some((cell, i) => (i ? /^\s/.test(cell) && !/^\s/.test(below[i] ?? '') : /^#\s/.test(cell)))
