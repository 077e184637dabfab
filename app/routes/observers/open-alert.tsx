import { formatNumber } from '#app/components/list/number-format.ts'
import { Form, Link } from '@remix-run/react'
import { ConfirmButton } from '#app/components/form/confirm-button.tsx'
import { DataTable, type TableData } from '#app/components/hub/data-table.tsx'
import { Facts } from '#app/components/list/facts.tsx'
import { Moment } from '#app/components/list/time.tsx'

export interface OpenAlertProps {
  alert: {
    id: string
    kind: 'alert' | 'recovery'
    title: string
    value: number | null
    threshold: number | null
    datumIds: string[]
    createdAt: Date | string
    /** Those of its records that are visible to the person. */
    records: TableData | null
  }
  closeUrl: string
  mayDelete: boolean
}

/** An alert: message, time, and its records. */
export function OpenAlert({ alert, closeUrl, mayDelete }: OpenAlertProps) {
  const { kind, title, value, threshold, datumIds, records } = alert
  return (
    <section className="card open-alert" aria-labelledby="open-alert">
      <div className="card-head">
        <span className={kind === 'alert' ? 'badge is-danger' : 'badge is-success'}>
          {kind === 'alert' ? 'Alert' : 'Recovery'}
        </span>
        <h2 id="open-alert" className="card-title">
          {title}
        </h2>
        <Link className="button is-small" to={closeUrl} preventScrollReset>
          Close
        </Link>
      </div>
      <div className="card-body stack">
        <Facts
          facts={[
            ['At', <Moment key="at" date={alert.createdAt} />],
            ['Value', value === null ? null : formatNumber(value)],
            ['Threshold', threshold === null ? null : formatNumber(threshold)],
            ['Records', datumIds.length ? datumIds.length : null],
          ]}
        />
        {records?.rows.length ? <DataTable {...records} label="Records the alert is about" /> : null}
        {datumIds.length && (records?.rows.length ?? 0) < datumIds.length ? (
          <p className="muted">Some of its records are gone since, or are not yours to see.</p>
        ) : null}
        {mayDelete ? (
          <Form method="post" preventScrollReset>
            <input type="hidden" name="alertId" value={alert.id} />
            <ConfirmButton
              intent="deleteAlert"
              question="Delete this alert?"
              text="It goes for the whole team and cannot be brought back."
              answer="Delete"
            >
              Delete the alert
            </ConfirmButton>
          </Form>
        ) : null}
      </div>
    </section>
  )
}
