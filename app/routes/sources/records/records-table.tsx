import { Link, useLocation } from '@remix-run/react'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { recordHref, sortHref, type RecordsQuery } from './records-query.ts'

export interface RecordsTableProps {
  label: string
  query: Pick<RecordsQuery, 'sort' | 'direction'>
  /** One column for each field; `key` is null if records cannot be sorted by it. */
  columns: { label: string; isNumber?: boolean; key: string | null }[]
  rows: { id: string; cells: string[] }[]
  open: string | null
}

/** The records as a table, with sortable headers and a link to each record. */
export function RecordsTable({ label, query, columns, rows, open }: RecordsTableProps) {
  const { search } = useLocation()
  return (
    <div className="table-box records" tabIndex={0} role="region" aria-label={label}>
      <table className="is-dense">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Open</span>
            </th>
            {columns.map(({ label: text, isNumber, key }, i) => {
              const isSorted = key !== null && key === query.sort
              return (
                <th
                  key={i}
                  scope="col"
                  className={isNumber ? 'is-number' : undefined}
                  aria-sort={isSorted ? (query.direction === 'asc' ? 'ascending' : 'descending') : undefined}
                >
                  {key === null ? (
                    text
                  ) : (
                    <Link to={sortHref(search, query, key)} preventScrollReset className="records-sort">
                      {text}
                      {isSorted ? (
                        query.direction === 'asc' ? (
                          <ArrowUp size={14} aria-hidden="true" />
                        ) : (
                          <ArrowDown size={14} aria-hidden="true" />
                        )
                      ) : null}
                    </Link>
                  )}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, cells }) => (
            <tr key={id} aria-selected={id === open || undefined}>
              <td>
                <Link to={recordHref(search, id)} preventScrollReset>
                  Open<span className="sr-only"> record {cells[0] ?? id}</span>
                </Link>
              </td>
              {cells.map((text, i) => (
                <td key={i} className={columns[i]?.isNumber ? 'is-number' : undefined}>
                  <span className="records-cell">{text}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
