import { Plus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { CheckField, TextArea, TextField } from '../form/field.tsx'
import { issueAt, type FormErrors } from '../form/issues.ts'
import {
  emptyRow,
  chooseUnusedIds,
  rowLists,
  sourceInput,
  type RowList,
  type ShownRow,
  type ShownSource,
} from './remote-source.ts'
import { isSecretName } from '#functions/shapes/secret-name.ts'

interface RequestRowsProps {
  source: ShownSource
  list: RowList
  errors: FormErrors | undefined
  /** Whether it is shown only without scripts: a <noscript> must not be nested. */
  isUnscripted?: boolean | undefined
  /** Called when a row is added or removed, which fires no input event. */
  onChange(): void
}

const words: Record<RowList, { title: string; one: string; hint: string }> = {
  headers: { title: 'Headers', one: 'header', hint: 'Sent with each request, such as Accept or X-Api-Key.' },
  query: { title: 'Parameters', one: 'parameter', hint: 'Added to the address after its question mark.' },
  members: {
    title: 'More that is sent for the token',
    one: 'member',
    hint: 'Such as audience, or username and password of another kind of grant.',
  },
}

/** Number of empty rows where no script can add one. */
const emptyRows = 3

/** Names and values of a request, in rows that can be added and removed. Empty rows are ignored. */
export function RequestRows({ source, list, errors, isUnscripted, onChange }: RequestRowsProps) {
  const start = source[list]
  const [rows, setRows] = useState(start)
  const first = Number(chooseUnusedIds(start, 1)[0])
  const [next, setNext] = useState(first)
  const add = useRef<HTMLButtonElement>(null)
  const { title, one, hint } = words[list]
  const error = issueAt(errors, sourceInput(source.id, ...rowLists[list]))
  const common = { source, list, errors, one }
  const spare = chooseUnusedIds(start, emptyRows).map((id, i) => (
    <RequestRow key={id} {...common} row={emptyRow(id)} number={start.length + i + 1} />
  ))
  return (
    <fieldset className="request-part">
      <legend>{title}</legend>
      <p className="field-hint">
        {hint}
        <span className="without-scripts"> A row whose name and value are emptied is removed.</span>
      </p>
      {rows.map((row, i) => (
        <RequestRow
          key={row.id}
          {...common}
          row={row}
          number={i + 1}
          isNew={Number(row.id) >= first}
          onRemove={() => {
            setRows(rows.filter((each) => each !== row))
            onChange()
            add.current?.focus()
          }}
        />
      ))}
      {isUnscripted ? spare : <noscript>{spare}</noscript>}
      {error ? <p className="field-error">{error}</p> : null}
      <p className="needs-scripts">
        <button
          type="button"
          className="button is-small"
          ref={add}
          onClick={() => {
            setRows([...rows, emptyRow(String(next))])
            setNext(next + 1)
            onChange()
          }}
        >
          <Plus size={16} aria-hidden="true" /> Add a {one}
        </button>
      </p>
    </fieldset>
  )
}

interface RequestRowProps extends Pick<RequestRowsProps, 'source' | 'list' | 'errors'> {
  row: ShownRow
  number: number
  one: string
  /** Whether it was just added, and its name gets the focus. */
  isNew?: boolean
  onRemove?(): void
}

function RequestRow({ source, list, errors, row, number, one, isNew, onRemove }: RequestRowProps) {
  const [name, setName] = useState(row.name)
  const getInputName = (...part: string[]) => sourceInput(source.id, ...rowLists[list], ...part)
  const label = name.trim() || `${one} ${number}`
  const isSecret = row.isKept || isSecretName(name)
  // A single-line input would lose line breaks.
  const Value = row.value.includes('\n') ? TextArea : TextField
  return (
    <div className="request-row" role="group" aria-label={`${one} ${number}`} data-never-kept="">
      <input type="hidden" name={getInputName()} value={row.id} />
      {row.isKept ? <input type="hidden" name={getInputName(row.id, 'kept')} value="yes" /> : null}
      <TextField
        label="Name"
        name={getInputName(row.id, 'name')}
        defaultValue={row.name}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={isNew}
        onChange={(event) => setName(event.currentTarget.value)}
        errors={errors}
      />
      <Value
        label="Value"
        name={getInputName(row.id, 'value')}
        defaultValue={row.value}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={row.isKept ? 'Type to replace it' : undefined}
        hint={secretHint(row)}
        errors={errors}
      />
      <div className="request-end">
        {isSecret ? (
          <span className="badge">{row.isKept ? 'Kept secret' : 'Secret'}</span>
        ) : (
          <CheckField
            label="Secret"
            name={getInputName(row.id, 'secret')}
            value="yes"
            defaultChecked={row.isSecret}
            aria-label={`${label} is secret`}
          />
        )}
        {onRemove ? (
          <button
            type="button"
            className="button is-quiet is-icon is-small needs-scripts"
            aria-label={`Remove ${label}`}
            title="Remove"
            onClick={onRemove}
          >
            <X size={16} aria-hidden="true" />
          </button>
        ) : null}
      </div>
    </div>
  )
}

/** The hint at a secret that must be typed again, as it is not in the page. */
export function secretHint({ isKept, isAgain }: ShownRow): string | undefined {
  if (!isAgain) return undefined
  return isKept ? 'The one before is kept. Type the new one again.' : 'Type it again: it was not sent back.'
}
