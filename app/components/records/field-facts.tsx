import { Link } from '@remix-run/react'
import { Count } from '../list/time.tsx'

/** What is known of a field over all records. */
export interface FieldFacts {
  key: string
  name: string
  type: string
  notes: string
  filled: number
  total: number
  /** Null: not counted, as for shapes. */
  distinct: number | null
  range: [name: string, value: string][]
  /** The most frequent values. */
  top: { value: string; label: string; count: number }[]
}

/** Fields with how full they are, what they range over and their most frequent values, which lead to their records. */
export function FieldFactsList({ fields }: { fields: FieldFacts[] }) {
  return (
    <ul className="field-facts">
      {fields.map((field) => (
        <li key={field.key} className="card">
          <div className="card-head">
            <h2 className="card-title">{field.name}</h2>
            <span className="badge">{field.type}</span>
          </div>
          <div className="card-body stack is-tight">
            {field.notes ? <p className="muted">{field.notes}</p> : null}
            <Fill filled={field.filled} total={field.total} />
            <p>
              {field.distinct === null ? null : (
                <>
                  <Count n={field.distinct} /> different {field.distinct === 1 ? 'value' : 'values'}.{' '}
                </>
              )}
              {field.range.map(([name, value], i) => (
                <span key={name}>
                  {i ? ', ' : ''}
                  {i ? name.toLowerCase() : name} <strong className="num">{value}</strong>
                </span>
              ))}
            </p>
            {field.top.length ? <Top field={field} /> : null}
          </div>
        </li>
      ))}
    </ul>
  )
}

function Fill({ filled, total }: { filled: number; total: number }) {
  const share = total ? filled / total : 0
  const text = share === 1 ? 'All records have it' : `${Math.floor(share * 100)} % of records have it`
  return (
    <p className="fill">
      <progress
        className="progress"
        value={filled}
        max={Math.max(total, 1)}
        aria-label="Records with a value"
      />
      <span className="muted">{total ? text : 'No records yet'}</span>
    </p>
  )
}

function Top({ field }: { field: FieldFacts }) {
  const most = field.top[0]?.count ?? 1
  return (
    <ul className="top-values" aria-label={`Most frequent values of ${field.name}`}>
      {field.top.map(({ value, label, count }) => (
        <li key={value}>
          <Link
            to={`?${new URLSearchParams({ where: field.key, is: value }).toString()}`}
            className="truncate"
          >
            {label}
          </Link>
          <progress className="progress" value={count} max={most} aria-hidden="true" />
          <Count n={count} />
        </li>
      ))}
    </ul>
  )
}
