import type { TableCell } from './left-out.ts'

/**
 * By column: the number of non-zero values and their two sums (read with a decimal point, and with a decimal
 * comma), for the whole table and since the last total.
 */
type ColumnSums = [
  count: number,
  point: number,
  comma: number,
  groupCount: number,
  groupPoint: number,
  groupComma: number,
]
export type SumsState = [column: number, sums: ColumnSums][]

/** Maximum relative error of a total: published totals are sums of numbers before rounding. */
const tolerance = 0.0005

/** Running sums of the columns of a table, to recognise rows of totals. */
export class Sums {
  private columns: Map<number, ColumnSums>

  constructor(state: SumsState = []) {
    this.columns = new Map(structuredClone(state))
  }

  add(numbers: ReadonlyMap<number, readonly [number, number]>) {
    for (const [column, [point, comma]] of numbers) {
      const sums = this.columns.get(column) ?? [0, 0, 0, 0, 0, 0]
      // A 0 is not counted: after one number and many zeros, every equal number would look like a total.
      if (point !== 0) sums[0] += 1
      sums[1] += point
      sums[2] += comma
      if (point !== 0) sums[3] += 1
      sums[4] += point
      sums[5] += comma
      this.columns.set(column, sums)
    }
  }

  /** Starts a new group, after a row of subtotals. */
  endGroup() {
    for (const sums of this.columns.values()) sums.fill(0, 3)
  }

  /**
   * Compares the numbers of a row with the sums of their columns. `cells`: the number of columns with at
   * least two numbers to add up; `hasSums`: at least half of those equal the sum of the table or of the
   * group; `isWhole`: most equal the sum of the whole table, of three numbers or more; `isAll`: all of them
   * do.
   */
  match(numbers: ReadonlyMap<number, readonly [number, number]>) {
    let [tableCount, group, largeTableCount, cells] = [0, 0, 0, 0]
    for (const [column, [point, comma]] of numbers) {
      const sums = this.columns.get(column)
      if (!sums || sums[0] < 2) continue
      cells += 1
      const isWhole = isNear(point, sums[1]) || isNear(comma, sums[2])
      if (isWhole) tableCount += 1
      if (isWhole && sums[0] > 2) largeTableCount += 1
      if (sums[3] > 0 && (isNear(point, sums[4]) || isNear(comma, sums[5]))) group += 1
    }
    return {
      cells,
      hasSums: cells > 0 && Math.max(tableCount, group) * 2 >= cells,
      isWhole: largeTableCount * 2 > cells,
      isAll: cells > 0 && largeTableCount === cells,
    }
  }

  toState(): SumsState {
    return structuredClone([...this.columns])
  }
}

const isNear = (value: number, sum: number) =>
  sum !== 0 && Math.abs(value - sum) <= Math.max(Math.abs(sum) * tolerance, 1e-9)

/** A number as read with a decimal point and with a decimal comma; null if it is not a number. */
export function numberReadings(cell: TableCell): [number, number] | null {
  if (typeof cell === 'number') return [cell, cell]
  if (typeof cell !== 'string' || cell.length > 40 || !/\d/.test(cell)) return null
  const text = cell.replace(/[\s\u00a0\u202f'’]/g, '').replace(/^[−–]/, '-')
  const bare = text.replace(/^[$€£¥]|[%€$£¥]$/g, '')
  if (!/^[-+]?(?:\d[\d.,]*|[.,]\d+)$/.test(bare)) return null
  const point = Number(bare.replaceAll(',', ''))
  const comma = Number(bare.replaceAll('.', '').replace(',', '.'))
  if (Number.isNaN(point) && Number.isNaN(comma)) return null
  return [Number.isNaN(point) ? comma : point, Number.isNaN(comma) ? point : comma]
}
