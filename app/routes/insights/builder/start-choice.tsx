import { Link } from '@remix-run/react'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { MoreSources, type BuilderDataType } from '#app/components/builder/data-clause.tsx'

/** The choice of data for a new query. */
export function DataChoice({ dataTypes }: { dataTypes: BuilderDataType[] }) {
  if (!dataTypes.length)
    return (
      <EmptyState
        title="No data yet"
        text="A question is asked of the records of a source. Bring some data first."
        action={
          <Link className="button is-primary" to="/sources">
            Go to data
          </Link>
        }
      />
    )
  return (
    <section className="stack" aria-labelledby="choose-data">
      <h2 id="choose-data">Which data?</h2>
      <ul className="card-grid">
        {dataTypes.map(({ id, name, category, sources, hasMore }) => (
          <li key={id} className="card choice-card">
            <div className="card-body">
              <h3 className="card-title">
                <Link to={`/insights/create?dataType=${id}`}>{name}</Link>
              </h3>
              <p className="muted">
                {[category, countText(sources.length, hasMore)].filter(Boolean).join(' · ')}
              </p>
              {sources.length > 1 ? (
                <ul className="choice-sources">
                  {sources.map((source) => (
                    <li key={source.id}>
                      <Link to={`/insights/create?dataType=${id}&source=${source.id}`}>{source.name}</Link>
                    </li>
                  ))}
                </ul>
              ) : null}
              {hasMore ? <MoreSources dataTypeId={id} /> : null}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

const countText = (n: number, hasMore: boolean) =>
  hasMore ? `more than ${n} sources` : n === 1 ? '1 source' : `${n} sources`

export interface OfferedTemplate {
  id: string
  name: string
  notes: string
  /** The type of its visualization. */
  type: string
}

/** Templates that suit the chosen data, and an empty query. */
export function TemplateChoice({ templates, search }: { templates: OfferedTemplate[]; search: string }) {
  const to = (template: string) => {
    const params = new URLSearchParams(search)
    params.set('template', template)
    return `/insights/create?${params.toString()}`
  }
  return (
    <section className="stack" aria-labelledby="choose-template">
      <h2 id="choose-template">Begin with a question</h2>
      <ul className="card-grid">
        <li className="card choice-card">
          <div className="card-body">
            <h3 className="card-title">
              <Link to={to('none')}>Start empty</Link>
            </h3>
            <p className="muted">Count the records, and go on from there.</p>
          </div>
        </li>
        {templates.map(({ id, name, notes, type }) => (
          <li key={id} className="card choice-card">
            <div className="card-body">
              <h3 className="card-title">
                <Link to={to(id)}>{name}</Link>
              </h3>
              <p className="muted">{notes}</p>
              <span className="badge">{type}</span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
