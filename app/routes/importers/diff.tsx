import { Form } from '@remix-run/react'
import type { ReactNode } from 'react'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import { Count } from '#app/components/list/time.tsx'
import { formatShortValue } from '#app/components/importer/trial.ts'
import { fieldTypes } from '#functions/shapes/field.ts'
import { getOwnProperty } from '#functions/shapes/fields/plain.ts'
import type { TypeOffer } from './change-type.server.ts'

type Json = Record<string, unknown>

/** The shown part of a dry run's result. */
export interface ShownPreview {
  comparedWith: { version: number; records: number }
  samples: {
    created: { row: number; externalId: string; data: Json }[]
    updated: {
      row: number
      externalId: string
      changes: { field: string; before?: unknown; after?: unknown }[]
    }[]
    removed: { externalId: string; data: Json }[]
  }
  type: {
    rows: number
    isCut: boolean
    fields: {
      change: 'new' | 'gone' | 'other' | 'refused'
      field: string
      type: string | null
      proposed: string | null
      reason: string
      notes: string[]
    }[]
    /** Words that may stand for missing values, and are not read so. */
    mayBeMissing?: { field: string; path: string; words: { word: string; count: number }[] }[]
  }
  readAsEmpty?: {
    field: string
    count: number
    values: { value: string; count: number }[]
    others: number
  }[]
}

const changeWords = {
  new: 'Column that no field is made of',
  gone: 'Field whose column is missing',
  other: 'Looks like another type',
  refused: 'Values that do not fit',
} as const

const most = 10

interface DiffProps {
  preview: ShownPreview
  /** The labels of fields, by key. */
  names: Record<string, string>
  /** The types that a button gives to fields; null: none. */
  typeOffer: TypeOffer | null
  /** Whether the person may change how the importer reads. */
  mayChange: boolean
}

/** The effects of a commit on records, with the first of each kind, and mismatches with the data type. */
export function Diff({ preview, names, typeOffer, mayChange }: DiffProps) {
  const { type, comparedWith } = preview
  const samples = {
    created: preview.samples.created.slice(0, most),
    updated: preview.samples.updated.slice(0, most),
    removed: preview.samples.removed.slice(0, most),
  }
  const name = (field: string) => names[field] ?? field
  const fields = listFieldKeys(samples.created.map(({ data }) => data))
  return (
    <div className="stack">
      <p className="muted">
        Compared with {comparedWith.records ? <Count n={comparedWith.records} /> : 'no'} records that are
        there now.
      </p>
      {type.fields.length ? <TypeChanges fields={type.fields} {...{ name, typeOffer }} /> : null}
      {type.mayBeMissing?.length ? (
        <MayBeMissing fields={type.mayBeMissing} {...{ name, mayChange }} />
      ) : null}
      {preview.readAsEmpty?.length ? <ReadAsEmpty fields={preview.readAsEmpty} name={name} /> : null}
      {samples.created.length ? (
        <Part id="created" title="New records" note="the first of them">
          <Table
            label="New records"
            head={['Id', ...fields.map(name)]}
            rows={samples.created.map(({ externalId, data }) => [
              externalId,
              ...fields.map((key) => formatShortValue(data[key])),
            ])}
          />
        </Part>
      ) : null}
      {samples.updated.length ? (
        <Part id="updated" title="Changed records" note="the first of them">
          <Table
            label="Changed records"
            head={['Id', 'Field', 'Before', 'After']}
            rows={samples.updated.flatMap(({ externalId, changes }) =>
              changes.map(({ field, before, after }) => [
                externalId,
                name(field),
                formatShortValue(before) || '(nothing)',
                formatShortValue(after) || '(nothing)',
              ]),
            )}
          />
        </Part>
      ) : null}
      {samples.removed.length ? (
        <Part id="removed" title="Records that would be removed" note="the first of them">
          <Table
            label="Records that would be removed"
            head={['Id', ...listFieldKeys(samples.removed.map(({ data }) => data)).map(name)]}
            rows={samples.removed.map(({ externalId, data }) => [
              externalId,
              ...listFieldKeys(samples.removed.map((each) => each.data)).map((key) =>
                formatShortValue(data[key]),
              ),
            ])}
          />
        </Part>
      ) : null}
    </div>
  )
}

interface FindingsProps<Found> {
  fields: Found[]
  /** The label of a field. */
  name(field: string): string
}

type TypeChangesProps = FindingsProps<ShownPreview['type']['fields'][number]> & Pick<DiffProps, 'typeOffer'>

function TypeChanges({ fields, name, typeOffer }: TypeChangesProps) {
  return (
    <Part id="type-changes" title="What the data type lacks">
      <ul className="findings">
        {fields.map((each) => (
          <li key={`${each.change}-${each.field}`}>
            <span className="badge is-warning">{changeWords[each.change]}</span>{' '}
            <strong>{name(each.field)}</strong>
            {each.proposed && each.type && each.proposed !== each.type
              ? ` (${typeLabel(each.type)}, rather ${typeLabel(each.proposed)})`
              : ''}
            : {each.reason} {each.notes.join(' ')}{' '}
            <ChangeType field={each.field} name={name(each.field)} typeOffer={typeOffer} />
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** The label of a field type; the type itself if unknown. */
const typeLabel = (type: string): string => getOwnProperty<string>(fieldTypes, type) ?? type

/** A button that gives a field the offered type and starts another dry run, whose report shows the effect. */
export function ChangeType({
  field,
  name,
  typeOffer,
}: { field: string; name: string } & Pick<DiffProps, 'typeOffer'>) {
  const type = typeOffer?.types[field]
  if (!typeOffer || !type) return null
  return (
    <Form method="post">
      <input type="hidden" name="field" value={field} />
      <input type="hidden" name="type" value={type} />
      <input type="hidden" name="version" value={typeOffer.version} />
      <SubmitButton intent="changeType" className="button is-small" doing="Changing…">
        Change {name} to {fieldTypes[type]} and look again
      </SubmitButton>
    </Form>
  )
}

type MayBeMissingProps = FindingsProps<NonNullable<ShownPreview['type']['mayBeMissing']>[number]> &
  Pick<DiffProps, 'mayChange'>

/** Words that may stand for missing values, each with a button that reads it so and starts another dry run. */
function MayBeMissing({ fields, name, mayChange }: MayBeMissingProps) {
  return (
    <Part id="may-be-missing" title="May stand for values that are missing">
      <ul className="findings">
        {fields.flatMap(({ field, path, words }) =>
          words.map(({ word, count }) => (
            <li key={`${field} ${word}`}>
              <strong>{name(field)}</strong>: “{word}” stands in <Count n={count} />{' '}
              {count === 1 ? 'row' : 'rows'}.{' '}
              {mayChange ? (
                <Form method="post">
                  <input type="hidden" name="path" value={path} />
                  <input type="hidden" name="word" value={word} />
                  <SubmitButton intent="readAsMissing" className="button is-small" doing="Changing…">
                    Read “{word}” in {name(field)} as missing and look again
                  </SubmitButton>
                </Form>
              ) : null}
            </li>
          )),
        )}
      </ul>
    </Part>
  )
}

function ReadAsEmpty({ fields, name }: FindingsProps<NonNullable<ShownPreview['readAsEmpty']>[number]>) {
  return (
    <Part id="read-as-empty" title="Read as empty">
      <ul className="findings">
        {fields.map(({ field, count, values, others }) => (
          <li key={field}>
            <strong>{name(field)}</strong>: <Count n={count} /> {count === 1 ? 'value was' : 'values were'}{' '}
            read as empty:{' '}
            {values.map(({ value, count }, i) => (
              <span key={value}>
                {i ? ', ' : ''}
                <Count n={count} /> × “{value}”
              </span>
            ))}
            {others ? (
              <>
                , <Count n={others} /> others
              </>
            ) : null}
            .
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Part({
  id,
  title,
  note,
  children,
}: {
  id: string
  title: string
  note?: string
  children: ReactNode
}) {
  return (
    <section className="stack is-tight" aria-labelledby={id}>
      <h3 id={id}>
        {title} {note ? <small className="muted">{note}</small> : null}
      </h3>
      {children}
    </section>
  )
}

function Table({ label, head, rows }: { label: string; head: string[]; rows: string[][] }) {
  return (
    <div className="table-box" tabIndex={0} role="region" aria-label={label}>
      <table className="is-dense">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr>
            {head.map((text) => (
              <th key={text} scope="col">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              {row.map((text, c) => (
                <td key={c}>{text}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The fields that occur in the records, in order of first occurrence; at most twelve. */
function listFieldKeys(records: Json[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))].slice(0, 12)
}
