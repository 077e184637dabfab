import { DataTable } from '#app/components/hub/data-table.tsx'
import type { SpeedRow, UsageTable } from './usage-parts.server.ts'

const ratings: Record<SpeedRow['rating'], { text: string; sign: string }> = {
  good: { text: 'Good', sign: 'badge is-success' },
  'needs improvement': { text: 'Needs improvement', sign: 'badge is-warning' },
  poor: { text: 'Poor', sign: 'badge is-danger' },
}

/** The usage of a hub as tables, side by side on wide screens. */
export function UsageTables({ tables }: { tables: UsageTable[] }) {
  return (
    <div className="usage-parts">
      {tables.map(({ title, note, columns, rows }) => (
        <section key={title}>
          <h2>{title}</h2>
          <DataTable label={title} columns={columns} rows={rows} />
          {note ? <p className="muted">{note}</p> : null}
        </section>
      ))}
    </div>
  )
}

/** The speed of pages: 75th percentiles, with ratings. */
export function SpeedTable({ rows }: { rows: SpeedRow[] }) {
  return (
    <div className="table-box" tabIndex={0} role="region" aria-labelledby="usage-speed">
      <table>
        <thead>
          <tr>
            <th scope="col">Measure</th>
            <th scope="col" className="is-number">
              Three of four within
            </th>
            <th scope="col">Rating</th>
            <th scope="col" className="is-number">
              Loads
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ measure, what, value, rating, loads }) => (
            <tr key={measure}>
              <th scope="row">
                {measure} <span className="muted">{what}</span>
              </th>
              <td className="is-number">{value}</td>
              <td>
                <span className={ratings[rating].sign}>{ratings[rating].text}</span>
              </td>
              <td className="is-number">{loads}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
