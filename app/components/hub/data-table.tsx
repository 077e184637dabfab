interface Column {
  label: string
  /** For numbers: aligned at the end, tabular digits. */
  isNumber?: boolean
  /** Texts of the column do not wrap. */
  isShort?: boolean
  /** For sentences and lists: a minimum width where lines wrap. */
  isLong?: boolean
}

const getCellClass = ({ isNumber, isShort, isLong }: Column) =>
  [isNumber && 'is-number', isShort && 'is-short', isLong && 'is-long'].filter(Boolean).join(' ') || undefined

/** A table of formatted texts: rows in display order, a cell per column. */
export interface TableData {
  columns: Column[]
  rows: string[][]
  /** Shown above the rows, for instance the number of rows. */
  caption?: string
}

interface DataTableProps extends TableData {
  /** The accessible name of the scrolling region. */
  label: string
}

/** A table in a horizontally scrolling region that is keyboard accessible. */
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
                <td key={c} className={getCellClass(column)}>
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
