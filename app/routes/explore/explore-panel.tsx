import { formatNumber } from '#app/components/list/number-format.ts'
import { Link, useSearchParams } from '@remix-run/react'
import { DataTable } from '#app/components/hub/data-table.tsx'
import { Facts } from '#app/components/list/facts.tsx'
import { Count, Day } from '#app/components/list/time.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import type { explorePanel } from './explore-panel.server.ts'

type Panel = NonNullable<Awaited<ReturnType<typeof explorePanel>>>

/** A public source for signed-out people: metadata, first records, downloads, and its API URL. */
export function ExplorePanel({ panel }: { panel: Panel }) {
  const [params] = useSearchParams()
  const others = new URLSearchParams(params)
  others.delete('source')
  const closed = `/explore${others.size > 0 ? `?${others}` : ''}`
  if (panel.isMissing)
    return (
      <EmptyState
        title="This source is not here"
        text="It was deleted, or it is not public any more."
        action={
          <Link className="button" to={closed}>
            All public data
          </Link>
        }
      />
    )
  const { name, notes, place, dataType, count, dataUpdatedAt, attribution, records, files, api } = panel
  return (
    <section className="card explore-panel" aria-labelledby="panel-title">
      <div className="card-head">
        <h2 id="panel-title" className="card-title">
          {name}
        </h2>
        <Link className="button is-small" to={closed} preventScrollReset>
          Close
        </Link>
      </div>
      <div className="card-body stack">
        {notes ? <p className="is-wrapping">{notes}</p> : null}
        <Facts
          facts={[
            ['Organization', place],
            ['Data type', dataType],
            ['Records', <Count key="count" n={count} />],
            ['Newest data', <Day key="day" date={dataUpdatedAt} never="no data yet" />],
            ['Attribution', attribution],
            ['Licence', <Licence key="licence" name={panel.licence} url={panel.licenceUrl} />],
          ]}
        />
        {records.rows.length > 0 ? (
          <DataTable
            {...records}
            label={`First records of ${name}`}
            caption={formatCaption(records.rows.length, count)}
          />
        ) : null}
        <div className="button-group">
          {panel.hubUrl === null ? null : (
            <a className="button is-primary" href={panel.hubUrl}>
              Open on its hub
            </a>
          )}
          {count > 0
            ? files.map(({ label, path }) => (
                <a key={path} className="button" href={path} download>
                  {label}
                </a>
              ))
            : null}
        </div>
        <p>
          For programs: <code>{api}</code>
        </p>
      </div>
    </section>
  )
}

const formatCaption = (rowCount: number, count: number) =>
  rowCount < count ? `The first ${rowCount} of ${formatNumber(count)} records` : 'All records'

function Licence({ name, url }: { name: string | null; url: string | null }) {
  if (name === null && url === null) return <>none is said</>
  return url === null ? (
    <>{name}</>
  ) : (
    <a href={url} rel="license">
      {name ?? url}
    </a>
  )
}
