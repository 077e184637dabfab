import { hashHeader, type FirstRecord, type HashHeader } from './hash-header.ts'
import { RecordScanner, type RecordOptions } from './records.ts'
import type { ReadLimits } from './caps.ts'

interface ChosenDelimiter {
  delimiter: string
  columns: number
  /** Each row ends with a delimiter that the header lacks. */
  isTrailing: boolean
  /** Whether a line that begins with # is the header. */
  hash: HashHeader
  evidence: string
}

const candidates: [delimiter: string, name: string][] = [
  [',', 'commas'],
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'bars'],
]
const sampleRows = 50

/**
 * Chooses the delimiter of a table by its first rows: of those in the header, the one with which most rows
 * have the width of the header, then the one with most columns. Without any: one column, with commas. `line`:
 * the line number at which `head` begins.
 */
export function chooseDelimiter(
  head: string,
  isWhole: boolean,
  caps: ReadLimits,
  { only, line = 1 }: { only?: string; line?: number } = {},
): ChosenDelimiter {
  const trials = candidates
    .filter(([delimiter]) => only === undefined || delimiter === only)
    .map(([delimiter, name]) => ({
      delimiter,
      name,
      ...measureSample(head, isWhole, { delimiter, encoding: 'utf-8', caps, line, byte: 0 }),
    }))
    .sort((a, b) => b.share - a.share || b.columns - a.columns)
  const best = trials.find(({ columns }) => columns > 1)
  if (!best)
    return {
      ...{ delimiter: only ?? ',', columns: 1, isTrailing: false, hash: { line: null, notice: null } },
      evidence: 'The table has one column.',
    }
  const { delimiter, name, rows, alike, columns, isTrailing, hash } = best
  const evidence = rows ? `${alike} of the first ${rows} rows have` : 'the header has'
  return {
    delimiter,
    columns,
    isTrailing,
    hash,
    evidence: `Columns are separated by ${name}: ${evidence} ${columns} columns.`,
  }
}

function measureSample(head: string, isWhole: boolean, options: RecordOptions) {
  const records = scanFirstRecords(head, isWhole, options)
  const hash = hashHeader(records)
  const isHeader = ({ line, isHash }: FirstRecord) => line === hash.line || !isHash
  const begin = records.findIndex(isHeader)
  // There are no comments after a header without comments before it.
  const [header, ...rest] = records.filter((record, i) => isHeader(record) || (begin === 0 && i > 0))
  const columns = header?.cells.length ?? 0
  const hasOneMore = ({ cells }: FirstRecord) => cells.length === columns + 1 && cells.at(-1) === ''
  const isTrailing = columns > 1 && rest.length > 0 && rest.every(hasOneMore)
  const alike = rest.filter(({ cells }) => cells.length === columns + (isTrailing ? 1 : 0)).length
  const share = rest.length ? alike / rest.length : 0
  return { columns, rows: rest.length, alike, share, isTrailing, hash }
}

/** The first records, including those that begin with #, split as if they were no comments. */
function scanFirstRecords(head: string, isWhole: boolean, options: RecordOptions): FirstRecord[] {
  const scanner = new RecordScanner(options)
  scanner.push({ text: head, bad: [], ascii: true })
  if (isWhole) scanner.finish()
  const records: FirstRecord[] = []
  for (let count = 0; count <= sampleRows && scanner.next();) {
    const { cells, line, isComment } = scanner
    if (cells.length === 1 && !cells[0]?.trim()) continue
    if (!isComment) {
      scanner.mayComment = records.some(({ isHash }) => isHash)
      count += 1
    }
    records.push({ line, cells: isComment ? parseCells(cells[0] ?? '', options) : cells, isHash: isComment })
  }
  return records
}

/** The cells of a line; empty if it cannot be parsed. */
function parseCells(text: string, options: RecordOptions): string[] {
  const scanner = new RecordScanner(options)
  scanner.mayComment = false
  scanner.push({ text, bad: [], ascii: true })
  scanner.finish()
  return scanner.next() && !scanner.fault ? scanner.cells : []
}
