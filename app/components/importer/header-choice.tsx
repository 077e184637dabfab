import { SelectField } from '../form/field.tsx'
import { getHeaderKey, headerRowsText, getEffectiveHeader } from './head-rows.ts'
import { choiceWith, toRowKey, isLeftOut } from './leave-out.ts'
import type { Grid, LeftOutRow } from './trial.ts'

interface HeaderChoiceProps {
  grid: Grid
  /** The chosen or detected header; '' for the first row. */
  headerRows: string
  /** Which of the rows that are not records are left out; '' without a choice. */
  leaveOut: string
  parser: string
  selector: string
  /** Applies another header at once; without it the form is submitted. */
  onHeader?(headerRows: string): void
  /** Applies another choice at once. */
  onLeaveOut?(leaveOut: string): void
}

const counts = [1, 2, 3, 4, 5].map((count) => ({
  value: String(count),
  label: count === 1 ? 'One row' : `${count} rows, joined`,
}))

/** The first rows of the file, and later ones that seem not to be records, with the choice of header and of the rows to leave out. */
export function HeaderChoice(props: HeaderChoiceProps) {
  const { grid, headerRows, leaveOut, parser, selector, onHeader, onLeaveOut } = props
  const [first, last] = getEffectiveHeader(headerRows, grid)
  const columns = Math.max(1, ...grid.rows.map(({ cells }) => cells.length))
  const of = getHeaderKey(parser, selector)
  return (
    <fieldset className="fieldset" key={`${of} ${headerRows} ${onLeaveOut ? '' : leaveOut}`}>
      <legend>Which rows are read</legend>
      <p className="muted">{headerWords(grid, [first, last])} Choose another row if that is not so.</p>
      {grid.leftOut.length ? <p className="muted">{describeLeftOutRows(grid.leftOut, leaveOut)}</p> : null}
      <input type="hidden" name="headerOf" value={of} />
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
            <GridRows {...props} head={[first, last]} columns={columns} />
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

interface GridRowsProps extends HeaderChoiceProps {
  head: readonly [number, number]
  columns: number
}

/** The first rows, then those further below that seem not to be records. */
function GridRows(props: GridRowsProps) {
  const { grid, head, columns, onHeader } = props
  const [first, last] = head
  const noRecords = new Map(grid.leftOut.map((row) => [row.line, row]))
  const lastShown = grid.rows.at(-1)?.line ?? 0
  const below = grid.leftOut.filter(({ line }) => line > lastShown)
  return (
    <>
      {grid.rows.map(({ line, cells }) => {
        const noRecord = line > last ? noRecords.get(line) : undefined
        if (noRecord) return <NoRecord key={line} row={noRecord} {...props} />
        return (
          <tr key={line} className={line < first ? 'is-left-out' : line <= last ? 'is-header' : undefined}>
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
            <Cells cells={cells} columns={columns} />
          </tr>
        )
      })}
      {below.length ? (
        <tr>
          <th scope="row">
            <span aria-hidden="true">…</span>
          </th>
          <td colSpan={columns} className="muted">
            The other rows
          </td>
        </tr>
      ) : null}
      {below.map((row) => (
        <NoRecord key={row.line} row={row} {...props} />
      ))}
    </>
  )
}

/** A row that seems not to be a record, with a button to leave it out or take it in. */
function NoRecord({ row, grid, leaveOut, columns, onLeaveOut }: GridRowsProps & { row: LeftOutRow }) {
  const isOut = isLeftOut(leaveOut, row)
  return (
    <tr className={isOut ? 'is-left-out' : undefined}>
      <th scope="row">
        <input type="hidden" name="foundOut" value={toRowKey(row)} />
        <label className="choice">
          <input
            type="checkbox"
            name="leftOut"
            value={toRowKey(row)}
            {...(onLeaveOut ? { checked: isOut } : { defaultChecked: isOut })}
            onChange={(event) => onLeaveOut?.(choiceWith(leaveOut, grid, row, event.currentTarget.checked))}
          />
          <span>
            <span className="sr-only">Leave out row </span>
            {row.line}
            <span className="left-out-kind">{row.kind === 'notes' ? ' note' : ' total'}</span>
          </span>
        </label>
      </th>
      <Cells cells={row.cells} columns={columns} />
    </tr>
  )
}

/** The cells of a row; a single one spans all columns. */
function Cells({ cells, columns }: { cells: string[]; columns: number }) {
  const isAlone = cells.filter((cell) => cell.trim() !== '').length === 1 && cells[0]?.trim() !== ''
  if (isAlone) return <td colSpan={columns}>{cells[0]}</td>
  return (
    <>
      {Array.from({ length: columns }, (_, i) => (
        <td key={i}>{cells[i]}</td>
      ))}
    </>
  )
}

function headerWords({ rows }: Grid, [first, last]: readonly [number, number]): string {
  const head = first === last ? `Row ${first} is` : `Rows ${first} to ${last} are`
  const above = rows.filter(({ line }) => line < first).length
  const others = above === 1 ? 'The row above is' : `The ${above} rows above are`
  return `${head} read as the header.${above ? ` ${others} left out, in each run of its importer.` : ''}`
}

function describeLeftOutRows(rows: LeftOutRow[], leaveOut: string): string {
  const out = rows.filter((row) => isLeftOut(leaveOut, row))
  const count = (kind: LeftOutRow['kind'], one: string) => {
    const { length } = out.filter((row) => row.kind === kind)
    return length === 0 ? [] : [length === 1 ? `one ${one}` : `${length} ${one}s`]
  }
  const summary = [...count('notes', 'note'), ...count('totals', 'total')].join(' and ')
  const are = out.length === 1 ? 'is left out as no record' : 'are left out as no records'
  const begin = summary
    ? `${summary.charAt(0).toUpperCase()}${summary.slice(1)} ${are}, in each run, which says so.`
    : 'Rows that seem to be notes or totals are taken in as records.'
  return `${begin} A row with its box ticked is left out.`
}
