import { formatFieldPath } from '../form/issues.ts'
import { messageWords } from '../form/message-words.ts'
import { formatShortValue, type TrialResult } from './trial.ts'

const most = 20

/** The first rows as records, a column per field, with the errors of each row. Without a data type they are shown as read. */
export function TrialRows({
  trialResult,
  fields,
}: {
  trialResult: TrialResult
  fields: { key: string; name: string }[]
}) {
  const rows = trialResult.rows.slice(0, most)
  if (!rows.length) return null
  const names = Object.fromEntries(fields.map(({ key, name }) => [key, name]))
  return (
    <div className="table-box" tabIndex={0} role="region" aria-label="First rows">
      <table className="is-dense">
        <caption>
          The first {rows.length} rows
          {trialResult.rows.length > rows.length ? ` of ${trialResult.rows.length} looked at` : ''}
        </caption>
        <thead>
          <tr>
            {fields.map(({ key, name }) => (
              <th key={key} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ input, output, errors }, i) =>
            errors.length ? (
              <tr key={i} className="is-refused">
                <td colSpan={Math.max(fields.length, 1)}>
                  <strong>Row {i + 1} would be refused.</strong>{' '}
                  {errors
                    .map(({ field, message = '' }) =>
                      [field && formatFieldPath(field, names), messageWords(message)]
                        .filter(Boolean)
                        .join(': '),
                    )
                    .join(' · ')}
                </td>
              </tr>
            ) : (
              <tr key={i}>
                {fields.map(({ key }) => (
                  <td key={key}>{formatShortValue(getFieldValue(output ?? input, key))}</td>
                ))}
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  )
}

const getFieldValue = (record: unknown, key: string) => (record as Record<string, unknown> | null)?.[key]
