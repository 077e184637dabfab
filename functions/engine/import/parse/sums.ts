import type { TableCell } from './leftOut.ts'

/** Of each column: how many numbers that are not 0, and their sums in both ways to read them, of the whole table and since the last total. */
type ColumnSums = [
  count: number,
  point: number,
  comma: number,
  groupCount: number,
  groupPoint: number,
  groupComma: number,
]
export type SumsState = [column: number, sums: ColumnSums][]

/** Published sums are of numbers before they were rounded: so much of them they may be off. */
const tolerance = 0.0005

/** Sums of the columns of a table, by which a row is known that has them. */
export class Sums {
  private columns: Map<number, ColumnSums>

  constructor(state: SumsState = []) {
    this.columns = new Map(structuredClone(state))
  }

  add(numbers: ReadonlyMap<number, readonly [number, number]>) {
    for (const [column, [point, comma]] of numbers) {
      const sums = this.columns.get(column) ?? [0, 0, 0, 0, 0, 0]
      // A nothing says nothing: of one number and many of them each like it would be the sum.
      if (point !== 0) sums[0] += 1
      sums[1] += point
      sums[2] += comma
      if (point !== 0) sums[3] += 1
      sums[4] += point
      sums[5] += comma
      this.columns.set(column, sums)
    }
  }

  /** The next rows are of another group. */
  endGroup() {
    for (const sums of this.columns.values()) sums.fill(0, 3)
  }

  /**
   * How the numbers of a row are sums of their columns. `hasSums`: half of them are, of the whole table or of the group; `isWhole`: most
   * are of the whole table, each of three numbers or more; `isAll`: all are. `cells`: how many could be.
   */
  match(numbers: ReadonlyMap<number, readonly [number, number]>) {
    let [ofTable, group, ofThree, cells] = [0, 0, 0, 0]
    for (const [column, [point, comma]] of numbers) {
      const sums = this.columns.get(column)
      if (!sums || sums[0] < 2) continue
      cells += 1
      const isWhole = isNear(point, sums[1]) || isNear(comma, sums[2])
      if (isWhole) ofTable += 1
      if (isWhole && sums[0] > 2) ofThree += 1
      if (sums[3] > 0 && (isNear(point, sums[4]) || isNear(comma, sums[5]))) group += 1
    }
    return {
      cells,
      hasSums: cells > 0 && Math.max(ofTable, group) * 2 >= cells,
      isWhole: ofThree * 2 > cells,
      isAll: cells > 0 && ofThree === cells,
    }
  }

  toState(): SumsState {
    return structuredClone([...this.columns])
  }
}

const isNear = (value: number, sum: number) =>
  sum !== 0 && Math.abs(value - sum) <= Math.max(Math.abs(sum) * tolerance, 1e-9)

/** A number as it reads with a decimal point and with a decimal comma; null for what is none. */
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
