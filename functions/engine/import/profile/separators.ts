import type { ColumnProfile } from './column.ts'
import { parseFormKey } from './texts.ts'

const minGood = 0.98

/**
 * Resolves ambiguous separators (`1.234`) of columns: where others of the table have decimal commas and none has a
 * decimal point, points separate thousands, since one author wrote them all. Returns the columns, and which of them were
 * resolved.
 */
export function settleSeparators(columns: readonly ColumnProfile[]): {
  columns: ColumnProfile[]
  settled: ReadonlySet<string>
} {
  const numbers = columns.filter(({ fits }) => fits.number.ratio >= minGood)
  const signs = numbers.map(({ counts }) =>
    Object.keys(counts.forms)
      .filter((key) => key !== '…')
      .map(parseFormKey)
      .filter(({ isOpen }) => !isOpen)
      .map(({ decimal }) => decimal),
  )
  const isComma = signs.some((each) => each.includes(',')) && !signs.some((each) => each.includes('.'))
  const open = numbers.filter(({ fits: { number } }) => isComma && number.alternative?.decimal === ',')
  const resolved = new Set(open.map(({ path }) => path))
  return {
    settled: resolved,
    columns: columns.map((column) => {
      const { fits, ranges, path } = column
      const { alternative } = fits.number
      if (!alternative || !resolved.has(path)) return column
      const [least = null, most = null] = ranges[','] ?? []
      return {
        ...column,
        fits: { ...fits, number: { ...fits.number, reading: alternative, alternative: null, least, most } },
      }
    }),
  }
}
