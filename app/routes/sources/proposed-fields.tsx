import { formatNumber } from '#app/components/list/number-format.ts'
import { useEffect, useRef, useState } from 'react'
import { issueAt, type FormErrors } from '#app/components/form/issues.ts'
import { readingWords } from '#app/components/importer/column-reading.ts'
import type { Evidence, Guess, SeenColumn } from '#app/components/importer/trial.ts'
import { fieldInput, typesFor } from '#app/components/importer/type-form.ts'
import type { Field, FieldType } from '#functions/shapes/field.ts'

/**
 * The proposed fields, each with its evidence; names and types can be changed, and fields can be left out.
 */
export function ProposedFields({
  guess,
  paths,
  errors,
}: {
  guess: Guess
  paths: SeenColumn[]
  errors: FormErrors | undefined
}) {
  return (
    <div className="table-box" tabIndex={0} role="region" aria-label="Proposed fields">
      <table className="is-dense fields-table">
        <caption className="sr-only">Proposed fields</caption>
        <thead>
          <tr>
            <th scope="col">Take</th>
            <th scope="col">Name</th>
            <th scope="col">Type</th>
            <th scope="col">From</th>
            <th scope="col">Why</th>
            <th scope="col">Examples</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(guess.schema).map(([key, field]) => (
            <FieldRow key={key} name={key} {...{ field, guess, paths, errors }} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface FieldRowProps {
  name: string
  field: Field
  guess: Guess
  paths: SeenColumn[]
  errors: FormErrors | undefined
}

/**
 * The chosen type of a field with the types to choose from. A new proposal (for other rows) replaces the
 * former one, and a choice of the person only if that is no longer possible.
 */
function useChosenType(proposedType: FieldType) {
  const select = useRef<HTMLSelectElement>(null)
  const formerType = useRef(proposedType)
  const [type, setType] = useState(proposedType)
  const types = typesFor(proposedType)
  const choose = (to: FieldType) => {
    if (select.current) select.current.value = to
    setType(to)
  }
  useEffect(() => {
    if (formerType.current === proposedType) return
    const isKept = type !== formerType.current && types.some(({ value }) => value === type)
    formerType.current = proposedType
    // Also a kept choice: browsers select another option when the options change.
    choose(isKept ? type : proposedType)
  })
  return { select, type, types, choose }
}

/** A field with its name and type. The effect of another type is shown as soon as it is chosen. */
function FieldRow({ name: key, field, guess, paths, errors }: FieldRowProps) {
  const evidence = guess.fields.find((each) => each.key === key)
  const columns = paths.filter(({ path }) => evidence?.paths.includes(path))
  const examples = columns.flatMap((each) => each.examples)
  const error = issueAt(errors, fieldInput(key, 'name'))
  const { select, type, types, choose } = useChosenType(field.type)
  const misses = evidence ? evidence.values - evidence.parsed : 0
  return (
    <tr>
      <td>
        <input type="hidden" name="field" value={key} />
        <input
          type="checkbox"
          name={fieldInput(key, 'use')}
          aria-label={`Take ${field.name}`}
          defaultChecked
        />
      </td>
      <td>
        <input
          name={fieldInput(key, 'name')}
          aria-label={`Name of ${key}`}
          defaultValue={field.name}
          required
          aria-invalid={error ? true : undefined}
        />
        {error ? <p className="field-error">{error}</p> : null}
      </td>
      <td>
        <select
          ref={select}
          name={fieldInput(key, 'type')}
          aria-label={`Type of ${field.name}`}
          defaultValue={field.type}
          onChange={(event) => choose(event.currentTarget.value as FieldType)}
        >
          {types.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        {misses > 0 && type !== 'text' && types.some(({ value }) => value === 'text') ? (
          <button type="button" className="button is-small needs-scripts" onClick={() => choose('text')}>
            Take all as text
          </button>
        ) : null}
      </td>
      <td>
        {evidence?.paths.map((path) => (
          <code key={path}>{path} </code>
        ))}
      </td>
      <td>
        <p role="status">
          {type === field.type ? null : (
            <>
              {changeWords(columns, type, types.find(({ value }) => value === type)?.label ?? type)}{' '}
              <button
                type="button"
                className="button is-small needs-scripts"
                onClick={() => choose(field.type)}
              >
                As proposed
              </button>
            </>
          )}
        </p>
        {evidence ? <Why evidence={evidence} guess={guess} /> : null}
      </td>
      <td className="examples">{examples.slice(0, 3).join(' · ')}</td>
    </tr>
  )
}

/** Describes how many of the sampled values fit if the field has another type than the proposed one. */
export function changeWords([column]: SeenColumn[], type: FieldType, label: string): string {
  const ratio = column?.types[type]
  if (!column || ratio === undefined) return `As ${label}: the check of all rows says how many fit.`
  const fit = Math.round(ratio * column.values)
  const others = column.values - fit
  if (others === 0) return `As ${label}: all ${formatNumber(column.values)} values that were looked at fit.`
  return `As ${label}: ${formatNumber(fit)} of ${formatNumber(column.values)} values fit, ${others === 1 ? 'the other one is' : `the other ${formatNumber(others)} are`} refused.`
}

function Why({ evidence, guess }: { evidence: Evidence; guess: Guess }) {
  const { values, parsed, reason, notes, failing } = evidence
  const isWhole = parsed === values
  // Words read as missing are listed below, where they can be chosen.
  const readings = evidence.paths
    .map((path) => readingWords({ ...guess.columns[path], missing: undefined }))
    .filter(Boolean)
  return (
    <>
      <span className={isWhole ? 'badge is-success' : 'badge is-warning'}>
        {formatNumber(parsed)} of {formatNumber(values)} fit
      </span>{' '}
      <span className="muted">{reason}</span>
      {readings.length ? <p>Read with {readings.join('; ')}.</p> : null}
      {[...new Set(notes)].map((note) => (
        <p key={note} className="muted">
          {note}
        </p>
      ))}
      <MissingWords of={evidence} />
      {failing.length ? (
        <p>
          Would be refused:{' '}
          {failing
            .slice(0, 3)
            .map(({ row, value }) => `row ${row} “${value}”`)
            .join(', ')}
        </p>
      ) : null}
    </>
  )
}

/**
 * The words read as missing, and candidates to tick. The choice is stored with the importer, so that every
 * run applies it.
 */
function MissingWords({ of: { key, missing } }: { of: Evidence }) {
  const usual = missing.filter(({ how }) => how === 'usual')
  const open = missing.filter(({ how }) => how !== 'usual')
  if (!missing.length) return null
  return (
    <>
      {usual.length ? (
        <p className="muted">
          Read as missing: {usual.map(({ word, count }) => `${count} × “${word}”`).join(', ')}.
        </p>
      ) : null}
      {open.map(({ word, count, how }) => (
        <label key={word} className="choice">
          <input
            type="checkbox"
            name={fieldInput(key, 'missing')}
            value={word}
            defaultChecked={how === 'chosen'}
          />{' '}
          “{word}” ({count} ×) is missing
        </label>
      ))}
    </>
  )
}
