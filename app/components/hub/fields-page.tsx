import { HistogramBars } from '#app/components/records/histogram-bars.tsx'
import { Breadcrumb } from './breadcrumb.tsx'
import { trustTexts, hubTexts } from './texts.ts'

/** Definition and statistics of a field, formatted. */
export interface DescribedField {
  key: string
  name: string
  type: string
  unit: string
  notes: string
  /** Further remarks, in sentences. */
  remarks: string[]
  /** The meanings of coded values. */
  codes: { value: string; name: string }[]
  /** Null until statistics are ready. */
  values: {
    missing: string
    /** Null: not counted, as for shapes. */
    different: string | null
    range: string | null
    /** The heights of the bars, and a sentence about them. */
    histogram: { bars: number[]; label: string; from: string; to: string } | null
    top: { label: string; count: string; share: number }[]
    topNotes: string[]
  } | null
}

export interface FieldsPageProps {
  title: string
  crumbs: { label: string; href: string }[]
  /** Why there are no statistics; null if there are. */
  why: string | null
  fields: DescribedField[]
  /** A sentence with the number of omitted fields; '' for none. */
  more: string
  locale: string
}

/** The fields of a source: title, key, type, unit, description, and statistics of their values. */
export function FieldsPage({ title, crumbs, why, fields, more, locale }: FieldsPageProps) {
  return (
    <div className="page fields-page">
      <header className="page-head">
        <Breadcrumb label={hubTexts(locale).domains} crumbs={crumbs} />
        <h1>{title}</h1>
      </header>
      {why ? <p className="muted">{why}</p> : null}
      <ul className="field-list">
        {fields.map((field) => (
          <li key={field.key} id={`field-${field.key}`}>
            <DescribedFieldCard field={field} locale={locale} />
          </li>
        ))}
      </ul>
      {more ? <p className="muted">{more}</p> : null}
    </div>
  )
}

function DescribedFieldCard({ field, locale }: { field: DescribedField; locale: string }) {
  const w = trustTexts(locale).fields
  const { name, key, type, unit, notes, remarks, codes, values } = field
  const facts: [term: string, text: string | null][] = [
    [w.type, type],
    [w.unit, unit || null],
    [w.missing, values?.missing ?? null],
    [w.different, values?.different ?? null],
    [w.range, values?.range ?? null],
  ]
  return (
    <>
      <h2 dir="auto">{name}</h2>
      {notes ? (
        <p className="field-notes" dir="auto">
          {notes}
        </p>
      ) : null}
      {remarks.map((remark) => (
        <p key={remark} className="muted">
          {remark}
        </p>
      ))}
      <dl className="facts-list">
        <div>
          <dt>{w.key}</dt>
          <dd>
            <code>{key}</code>
          </dd>
        </div>
        {facts.map(([term, text]) =>
          text === null ? null : (
            <div key={term}>
              <dt>{term}</dt>
              <dd>
                <bdi>{text}</bdi>
              </dd>
            </div>
          ),
        )}
      </dl>
      {values?.histogram ? <Histogram {...values.histogram} /> : null}
      {values && values.top.length > 0 ? <Top values={values} title={w.top} /> : null}
      {values && values.top.length === 0
        ? values.topNotes.map((note) => (
            <p key={note} className="muted">
              {note}
            </p>
          ))
        : null}
      {codes.length > 0 ? (
        <details>
          <summary>{w.codes}</summary>
          <dl className="field-codes">
            {codes.map(({ value, name: meaning }) => (
              <div key={value}>
                <dt>
                  <code>{value}</code>
                </dt>
                <dd dir="auto">{meaning}</dd>
              </div>
            ))}
          </dl>
        </details>
      ) : null}
    </>
  )
}

/** A histogram; its label summarizes it in a sentence. */
function Histogram({
  bars,
  label,
  from,
  to,
}: NonNullable<NonNullable<DescribedField['values']>['histogram']>) {
  return (
    <div className="field-bars">
      <HistogramBars shares={bars} label={label} />
      <p aria-hidden="true">
        <bdi>{from}</bdi>
        <bdi>{to}</bdi>
      </p>
    </div>
  )
}

function Top({ values, title }: { values: NonNullable<DescribedField['values']>; title: string }) {
  return (
    <>
      <h3>{title}</h3>
      <ul className="field-top">
        {values.top.map(({ label, count, share }, i) => (
          <li key={i}>
            <bdi>{label}</bdi>
            <span>{count}</span>
            <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
              <rect width={Math.max(share * 100, 0.5)} height={4} />
            </svg>
          </li>
        ))}
      </ul>
      {values.topNotes.map((note) => (
        <p key={note} className="muted">
          {note}
        </p>
      ))}
    </>
  )
}
