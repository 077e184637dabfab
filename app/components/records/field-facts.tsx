import { HistogramBars } from '#app/components/records/histogram-bars.tsx'
import { Link } from '@remix-run/react'
import { Count } from '../list/time.tsx'

/** Statistics of a field over all records, formatted. */
export interface FieldFacts {
  key: string
  name: string
  type: string
  notes: string
  /** The values that were read as empty; null if unknown. */
  emptied: string | null
  /** Null until statistics are ready. */
  profile: {
    filled: number
    total: number
    /** The same in words. */
    fill: string
    /** Null: not counted, as for shapes. */
    distinct: string | null
    range: [name: string, value: string][]
    middle: string | null
    /** The most frequent values, and a note on what the list leaves out. */
    top: { value: string; label: string; count: number }[]
    topNote: string
    histogram: { bars: number[]; label: string; from: string; to: string } | null
    coverage: string | null
  } | null
}

/** The fields of a screen. */
export interface FieldsShown {
  /** Why there are no statistics now; null if there are. */
  why: string | null
  fields: FieldFacts[]
  /** A sentence with the number of omitted fields; '' for none. */
  more: string
}

/** Fields with fill rate, range, distribution and most frequent values, which link to their records if these are listed (`hasRecords`). */
export function FieldFactsList({ facts, hasRecords }: { facts: FieldsShown; hasRecords: boolean }) {
  const { why, fields, more } = facts
  return (
    <>
      {why ? (
        <p className="notice" role="status">
          {why}
        </p>
      ) : null}
      <ul className="field-facts">
        {fields.map((field) => (
          <li key={field.key} className="card">
            <div className="card-head">
              <h3 className="card-title">{field.name}</h3>
              <span className="badge">{field.type}</span>
            </div>
            <div className="card-body stack is-tight">
              {field.notes ? <p className="muted">{field.notes}</p> : null}
              {field.profile ? (
                <Profile
                  name={field.name}
                  field={field.key}
                  profile={field.profile}
                  hasRecords={hasRecords}
                />
              ) : null}
              {field.emptied ? <p>{field.emptied}</p> : null}
            </div>
          </li>
        ))}
      </ul>
      {more ? <p className="muted">{more}</p> : null}
    </>
  )
}

interface ProfileProps {
  name: string
  field: string
  profile: NonNullable<FieldFacts['profile']>
  hasRecords: boolean
}

function Profile({ name, field, profile, hasRecords }: ProfileProps) {
  const { distinct, range, middle, top, topNote, histogram, coverage } = profile
  return (
    <>
      <Fill {...profile} />
      {distinct !== null || range.length ? (
        <p>
          {distinct}{' '}
          {range.map(([name, value], i) => (
            <span key={name}>
              {i ? ', ' : ''}
              {i ? name.toLowerCase() : name} <strong className="num">{value}</strong>
            </span>
          ))}
          {range.length ? '. ' : ''}
          {middle}
        </p>
      ) : null}
      {histogram ? <Histogram {...histogram} /> : null}
      {coverage ? <p>{coverage}</p> : null}
      {top.length ? <Top name={name} field={field} top={top} hasRecords={hasRecords} /> : null}
      {topNote ? <p className="muted">{topNote}</p> : null}
    </>
  )
}

function Fill({
  filled: filledCount,
  total,
  fill,
}: Pick<ProfileProps['profile'], 'filled' | 'total' | 'fill'>) {
  return (
    <p className="fill">
      <progress
        className="progress"
        value={filledCount}
        max={Math.max(total, 1)}
        aria-label="Records with a value"
      />
      <span className="muted">{fill}</span>
    </p>
  )
}

/** A histogram; its label summarizes it in a sentence. */
function Histogram({ bars, label, from, to }: NonNullable<NonNullable<FieldFacts['profile']>['histogram']>) {
  const most = Math.max(...bars, 1)
  return (
    <div className="histogram">
      <HistogramBars shares={bars.map((count) => count / most)} label={label} />
      <p className="muted num" aria-hidden="true">
        <span>{from}</span>
        <span>{to}</span>
      </p>
    </div>
  )
}

interface TopProps extends Pick<ProfileProps, 'name' | 'field' | 'hasRecords'> {
  top: ProfileProps['profile']['top']
}

function Top({ name, field, top, hasRecords }: TopProps) {
  const most = top[0]?.count ?? 1
  return (
    <ul className="top-values" aria-label={`Most frequent values of ${name}`}>
      {top.map(({ value, label, count }) => (
        <li key={value}>
          {hasRecords ? (
            <Link to={`?${new URLSearchParams({ where: field, is: value }).toString()}`} className="truncate">
              {label}
            </Link>
          ) : (
            <span className="truncate">{label}</span>
          )}
          <progress className="progress" value={count} max={most} aria-hidden="true" />
          <Count n={count} />
        </li>
      ))}
    </ul>
  )
}
