import { compareNullsLast, type Cell } from './cells.testing.ts'
import type { ExpectedRows } from './evaluator.testing.ts'

/** Compares numbers to nine digits; lengths and areas, which use other formulas, to six. */
function isClose(a: number, b: number, precision: number): boolean {
  return a === b || Math.abs(a - b) <= precision * Math.max(Math.abs(a), Math.abs(b))
}

/** Whether two results of a value are equal. */
function isSame(a: unknown, b: unknown, precision = 1e-9): boolean {
  if (typeof a === 'number' && typeof b === 'number') return isClose(a, b, precision)
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [Object.entries(a), Object.entries(b)]
  if (left.length !== right.length) return false
  return left.every(
    ([key, value]) => Object.hasOwn(b, key) && isSame(value, (b as Record<string, unknown>)[key], precision),
  )
}

/**
 * The difference between the rows of an answer and the expected ones; undefined when there is none. Order matters where
 * the query orders: rows with equal keys may come in any order, and where the limit cuts through them, any of them may
 * be returned.
 */
export function difference(
  actualRows: readonly unknown[],
  expectedResult: ExpectedRows,
  precision: number,
): string | undefined {
  const expected = expectedResult.rows.slice(expectedResult.from, expectedResult.to)
  if (actualRows.length !== expected.length) return `${actualRows.length} rows instead of ${expected.length}`
  let start = 0
  while (start < expectedResult.rows.length && start < expectedResult.to) {
    let end = start + 1
    while (
      end < expectedResult.rows.length &&
      isTie(expectedResult.rows[end - 1]?.keys ?? [], expectedResult.rows[end]?.keys ?? [])
    )
      end += 1
    const [from, to] = [Math.max(start, expectedResult.from), Math.min(end, expectedResult.to)]
    const some = actualRows.slice(from - expectedResult.from, Math.max(from, to) - expectedResult.from)
    const missing = unmatched(
      some,
      expectedResult.rows.slice(start, end).map(({ row }) => row),
      precision,
    )
    if (missing !== undefined) {
      const instead = expectedResult.rows.slice(start, Math.min(end, start + 5)).map(({ row }) => row)
      return `got ${JSON.stringify(missing)} among rows ${start} to ${end} instead of ${JSON.stringify(instead)}`
    }
    start = end
  }
  return undefined
}

const isTie = (a: readonly Cell[], b: readonly Cell[]) =>
  a.every((key, i) => {
    const other = b[i] as Cell
    if (typeof key === 'number' && typeof other === 'number') return isClose(key, other, 1e-9)
    return compareNullsLast(key, other) === 0
  })

/** The first row without a counterpart; each counterpart is used once, the closest first. */
function unmatched(rows: readonly unknown[], among: readonly unknown[], precision: number): unknown {
  const left = new Map<string, unknown[]>()
  for (const row of among) left.set(rough(row), [...(left.get(rough(row)) ?? []), row])
  let open = rows.filter((row) => !removeMatch(row, left.get(rough(row)) ?? [], 1e-12))
  const rest = [...left.values()].flat()
  for (const each of [1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6])
    if (each <= precision) open = open.filter((row) => !removeMatch(row, rest, each))
  return open[0]
}

/** Removes the counterpart of a row from a list; false when there is none. */
function removeMatch(row: unknown, list: unknown[], precision: number): boolean {
  const at = list.findIndex((each) => isSame(row, each, precision))
  if (at !== -1) list.splice(at, 1)
  return at !== -1
}

/** A text that most equal rows share: their numbers with five digits. */
const rough = (row: unknown) =>
  JSON.stringify(row, (_, value: unknown) => (typeof value === 'number' ? value.toPrecision(5) : value))
