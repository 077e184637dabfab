interface Column {
  label: string
  /** True for figures: aligned at the end, digits of one width. */
  isNumber?: boolean
  /** True where no text of the column is broken into lines. */
  isShort?: boolean
  /** True where texts are sentences or lists: as wide as some words at least, where the table is drawn with lines that break. */
  isLong?: boolean
}

const classOf = ({ isNumber, isShort, isLong }: Column) =>
  [isNumber && 'is-number', isShort && 'is-short', isLong && 'is-long'].filter(Boolean).join(' ') || undefined

/** A table of texts already formatted for the reader; rows in the order they are shown, a cell per column. */
export interface TableData {
  columns: Column[]
  rows: string[][]
  /** Shown above the rows, for instance how many of how many they are. */
  caption?: string
}

interface DataTableProps extends TableData {
  /** Says what the table holds; the name of its scrolling box. */
  label: string
}

/** A table in a box of its own that scrolls sideways and can be scrolled by keyboard. */
export function DataTable({ columns, rows, label, caption }: DataTableProps) {
  return (
    <div className="table-box" tabIndex={0} role="region" aria-label={label}>
      <table>
        {caption ? <caption>{caption}</caption> : <caption className="sr-only">{label}</caption>}
        <thead>
          <tr>
            {columns.map((column, i) => (
              <th key={i} scope="col" className={column.isNumber ? 'is-number' : undefined}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, r) => (
            <tr key={r}>
              {columns.map((column, c) => (
                <td key={c} className={classOf(column)}>
                  {row[c] ?? ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
