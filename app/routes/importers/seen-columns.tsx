import { formatNumber } from '#app/components/list/number-format.ts'
import type { SeenColumn } from '#app/components/importer/trial.ts'

/** Statistics of the read columns: values, distinct values, matching types. */
export function SeenColumns({ paths }: { paths: SeenColumn[] }) {
  if (!paths.length) return null
  return (
    <div className="table-box" tabIndex={0} role="region" aria-label="Columns">
      <table className="is-dense">
        <caption className="sr-only">Columns</caption>
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col" className="is-number">
              Values
            </th>
            <th scope="col" className="is-number">
              Missing
            </th>
            <th scope="col" className="is-number">
              Different
            </th>
            <th scope="col">Fits</th>
            <th scope="col">Examples</th>
          </tr>
        </thead>
        <tbody>
          {paths.map(({ path, values, missing, distinct, types, examples }) => (
            <tr key={path}>
              <td>
                <code>{path}</code>
              </td>
              <td className="is-number">{formatNumber(values)}</td>
              <td className="is-number">{formatNumber(missing)}</td>
              <td className="is-number">{formatNumber(distinct)}</td>
              <td>{formatTypeRatios(types)}</td>
              <td className="examples">{examples.slice(0, 3).join(' · ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** "number 98 %, date 3 %": the types matched by some values, most first; every value is a text. */
function formatTypeRatios(types: Record<string, number>): string {
  return Object.entries(types)
    .filter(([name, ratio]) => name !== 'text' && ratio > 0)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 3)
    .map(([name, ratio]) => `${name} ${Math.floor(ratio * 100)} %`)
    .join(', ')
}
