import { Link, useLoaderData } from '@remix-run/react'
import { useContext } from 'react'
import { describeSchedule } from '#app/components/form/schedule.ts'
import { JobBadge } from '#app/components/importer/job-badge.tsx'
import { ListItem } from '#app/components/list/list-item.tsx'
import { Moment } from '#app/components/list/time.tsx'
import { TimeZone } from '#app/components/list/time-zone.ts'
import { EmptyState } from '#app/components/state/empty-state.tsx'
import { importersScreen } from './source.server.ts'

/** The importers of a source: schedule, and outcome of the last run. */
export const loader = importersScreen

export default function SourceImporters() {
  const { sourceId, importers, mayImport } = useLoaderData<typeof loader>()
  const timeZone = useContext(TimeZone)
  const at = `/sources/${sourceId}/importers`
  const create = mayImport ? (
    <Link className={importers.length ? 'button' : 'button is-primary'} to={`${at}/create`}>
      Create an importer
    </Link>
  ) : null
  if (!importers.length)
    return (
      <EmptyState
        level={3}
        title="No importers yet"
        text="An importer brings rows from a file, an address or a portal, once or on a schedule, and says of each bad row why it was refused."
        action={create}
      />
    )
  return (
    <section className="stack" aria-label="Importers">
      <ul className="list">
        {importers.map(({ id, name, enabled, schedule, nextRunAt, lastJob }) => (
          <ListItem
            key={id}
            to={`${at}/${id}`}
            title={name}
            note={schedule === null ? 'Runs by hand only' : `Runs ${describeSchedule(schedule, timeZone)}`}
            meta={
              <>
                {enabled && nextRunAt ? (
                  <span>
                    next <Moment date={nextRunAt} />
                  </span>
                ) : null}
                {enabled ? null : <span className="badge is-warning">Switched off</span>}
                {lastJob ? <JobBadge job={lastJob} /> : <span className="badge">Never ran</span>}
              </>
            }
          />
        ))}
      </ul>
      <p>{create}</p>
    </section>
  )
}
