import { formatNumber } from '#app/components/list/number-format.ts'
import { Link } from '@remix-run/react'
import type { InferOutput } from 'valibot'
import { fieldTypes } from '#functions/shapes/field.ts'
import type { SchemaChangeField, SchemaChangeReport } from '#functions/shapes/data-type-schema.ts'
import { Count } from '#app/components/list/time.tsx'

type Field = InferOutput<typeof SchemaChangeField>

/** A preview of a schema change: its effect on existing records, field by field. */
export function ChangeReport({ report }: { report: SchemaChangeReport }) {
  const { records, lost, idConflicts, movesOthers, fields } = report
  return (
    <section className="card change-report" aria-labelledby="change-report">
      <div className="card-head">
        <h3 id="change-report" className="card-title">
          What this changes
        </h3>
        <span className={lost || idConflicts ? 'badge is-danger' : 'badge is-success'}>
          {lost ? `${formatNumber(lost)} values lost` : 'No value is lost'}
        </span>
      </div>
      <div className="card-body stack">
        <p>
          {records ? (
            <>
              There are <Count n={records} /> records of this type in{' '}
              {movesOthers ? 'your organization' : 'all organizations'}.
            </>
          ) : (
            `There are no records of this type${movesOthers ? ' in your organization' : ''} yet.`
          )}{' '}
          {fields.length ? '' : 'Nothing changes for them.'}
        </p>
        {movesOthers ? (
          <p>
            Sources of other organizations that use this type continue on a copy of their own, as it is now.
            Where there are any the change is made as soon as they have moved, which may take some minutes.
          </p>
        ) : null}
        {idConflicts ? (
          <p className="field-error">
            {formatNumber(idConflicts)} records would have the id of another one. It cannot be saved like
            this.
          </p>
        ) : null}
        {fields.length ? (
          <ul className="list">
            {fields.map((field) => (
              <FieldLine key={`${field.was ?? ''}:${field.key}`} field={field} />
            ))}
          </ul>
        ) : null}
      </div>
    </section>
  )
}

function FieldLine({ field }: { field: Field }) {
  const { values, converts, lost, invalid, examples } = field
  return (
    <li className="list-item change-line">
      <div className="list-main">
        <p className="list-title">
          <code>{field.key}</code> {describeFieldChange(field)}
        </p>
        <p className="list-note">
          {values === 0 ? (
            'No record has a value.'
          ) : (
            <>
              <Count n={values} /> values: <Count n={converts} /> kept
              {lost ? (
                <>
                  , <strong>{formatNumber(lost)} lost</strong>
                </>
              ) : null}
              {invalid ? (
                <>
                  ; <Count n={invalid} /> records do not meet the new rules and stay as they are
                </>
              ) : null}
            </>
          )}
        </p>
        {examples.length ? (
          <p className="list-note">
            Do not convert, for instance:{' '}
            {examples.map(({ sourceId, id, value }, i) => (
              <span key={`${sourceId}:${id}`}>
                {i ? ', ' : ''}
                <Link to={`/sources/${sourceId}?record=${id}`}>
                  <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
                </Link>
              </span>
            ))}
          </p>
        ) : null}
        <Named label="Insights" of={field.insights} path="insights" />
        <Named label="Observers" of={field.observers} path={null} />
        <Named label="Importers" of={field.importers} path={null} />
        {field.isPrimaryDate ? <p className="list-note">Records are ordered by it now.</p> : null}
      </div>
      <div className="list-meta">
        <span className={lost ? 'badge is-danger' : 'badge'}>{field.kinds.map(kindWords).join(', ')}</span>
      </div>
    </li>
  )
}

/**
 * Things that refer to the field: their count in all organizations, and the names of those that the person
 * may see.
 */
function Named({ label, of, path }: { label: string; of: Field['insights']; path: string | null }) {
  if (!of.count) return null
  return (
    <p className="list-note">
      {label} that name it: {of.count}
      {of.rewritten ? `, ${of.rewritten} follow by themselves` : ''}
      {of.visible.length ? ': ' : ''}
      {of.visible.map(({ id, name }, i) => (
        <span key={id}>
          {i ? ', ' : ''}
          {path ? <Link to={`/${path}/${id}`}>{name}</Link> : name}
        </span>
      ))}
    </p>
  )
}

const kinds: Record<Field['kinds'][number], string> = {
  added: 'New',
  renamed: 'New key',
  retyped: 'New type',
  dropped: 'Goes',
  validation: 'New rules',
}
const kindWords = (kind: Field['kinds'][number]) => kinds[kind]

function describeFieldChange({ was, key, from, to }: Field): string {
  const label = (type: string | null) =>
    type && type in fieldTypes ? fieldTypes[type as 'text'] : (type ?? '')
  const parts = [
    was !== null && was !== key && to !== null ? `was ${was}` : '',
    from && to && from !== to ? `${label(from)} becomes ${label(to)}` : '',
  ]
  return parts.filter(Boolean).join(', ')
}
