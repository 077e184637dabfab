import { SelectField } from '../form/field.tsx'
import { headerOf, headerRowsText, shownHead } from './head-rows.ts'
import type { Grid } from './tried.ts'

interface HeaderChoiceProps {
  grid: Grid
  /** What was said or found; '' where the first row is read. */
  headerRows: string
  parser: string
  selector: string
  /** Takes another header at once; without it a form sends it. */
  onHeader?(headerRows: string): void
}

const counts = [1, 2, 3, 4, 5].map((count) => ({
  value: String(count),
  label: count === 1 ? 'One row' : `${count} rows, joined`,
}))

/** The first rows as they stand in the file: which of them is the header is seen and chosen. */
export function HeaderChoice({ grid, headerRows, parser, selector, onHeader }: HeaderChoiceProps) {
  const [first, last] = shownHead(headerRows, grid)
  const columns = Math.max(1, ...grid.rows.map(({ cells }) => cells.length))
  const above = grid.rows.filter(({ line }) => line < first).length
  return (
    <fieldset className="fieldset" key={`${headerOf(parser, selector)} ${headerRows}`}>
      <legend>Where the header is</legend>
      <p className="muted">
        {first === last
          ? `Row ${first} is read as the header.`
          : `Rows ${first} to ${last} are read as the header.`}
        {above === 0 ? null : above === 1 ? ' The row above is' : ` The ${above} rows above are`}
        {above === 0 ? null : ' left out, in each run of its importer.'} Choose another row if that is not so.
      </p>
      <input type="hidden" name="headerOf" value={headerOf(parser, selector)} />
      <div className="table-box" tabIndex={0} role="region" aria-label="First rows of the file">
        <table className="is-dense">
          <caption className="sr-only">The first rows as they stand in the file</caption>
          <thead className="sr-only">
            <tr>
              <th scope="col">Header begins here</th>
              <th scope="col" colSpan={columns}>
                What stands in the row
              </th>
            </tr>
          </thead>
          <tbody>
            {grid.rows.map(({ line, cells }) => (
              <tr
                key={line}
                className={line < first ? 'is-left-out' : line <= last ? 'is-header' : undefined}
              >
                <th scope="row">
                  <label className="choice">
                    <input
                      type="radio"
                      name="headerRow"
                      value={line}
                      defaultChecked={line === first}
                      onChange={() => onHeader?.(headerRowsText([line, line]))}
                    />
                    <span>
                      <span className="sr-only">The header begins in row </span>
                      {line}
                    </span>
                  </label>
                </th>
                {Array.from({ length: columns }, (_, i) => (
                  <td key={i}>{cells[i]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <SelectField
        label="Rows of the header"
        name="headerCount"
        hint="Two or more become one name a column; what spans several columns is added to each."
        options={counts}
        defaultValue={String(Math.min(5, last - first + 1))}
        onChange={(event) =>
          onHeader?.(headerRowsText([first, first + Number(event.currentTarget.value) - 1]))
        }
      />
    </fieldset>
  )
}
