import { formatNumber } from '#app/components/list/number-format.ts'
import { formatFieldPath } from '#app/components/form/issues.ts'
import { messageWords } from '#app/components/form/message-words.ts'
import { formatShortValue } from '#app/components/importer/trial.ts'

export interface ShownReject {
  row: number
  line: number | null
  entry: string | null
  sheet: string | null
  url: string | null
  field: string | null
  message: string
  value: string | null
  isTaken: boolean
}

/** The title of the rows: some may have been imported without a value. */
export const titleOfRejects = (rows: ShownReject[]): string =>
  rows.some(({ isTaken }) => isTaken) ? 'Rows to look at' : 'Refused rows'

/** Rows that were rejected, or imported without a value: position, value, and reason. `names`: of fields, by key. */
export function RejectsTable({ rows, names }: { rows: ShownReject[]; names: Record<string, string> }) {
  const hasPart = rows.some(({ entry, sheet }) => entry !== null || sheet !== null)
  return (
    <div className="table-box" tabIndex={0} role="region" aria-label={titleOfRejects(rows)}>
      <table className="is-dense">
        <caption className="sr-only">{titleOfRejects(rows)}</caption>
        <thead>
          <tr>
            <th scope="col" className="is-number">
              Row
            </th>
            <th scope="col" className="is-number">
              Line
            </th>
            {hasPart ? <th scope="col">In</th> : null}
            <th scope="col">Field</th>
            <th scope="col">Value</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((reject, i) => (
            <tr key={i}>
              <td className="is-number">{formatNumber(reject.row)}</td>
              <td className="is-number">{reject.line == null ? '' : formatNumber(reject.line)}</td>
              {hasPart ? <td>{[reject.entry, reject.sheet].filter(Boolean).join(', ')}</td> : null}
              <td>
                {reject.field === null ? (
                  <span className="muted">the row</span>
                ) : (
                  formatFieldPath(reject.field, names)
                )}
              </td>
              <td>
                {reject.value === null ? (
                  <span className="muted">nothing</span>
                ) : (
                  formatShortValue(reject.value)
                )}
              </td>
              <td>
                {reject.isTaken ? <span className="badge">Came in without it</span> : null}{' '}
                {messageWords(reject.message)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
