import { Link } from '@remix-run/react'
import { newest, type ListOffer } from '#app/components/list/list-query.ts'
import { Moment } from '#app/components/list/time.tsx'

export interface AlertRow {
  id: string
  kind: 'alert' | 'recovery'
  title: string
  createdAt: Date | string
  read: boolean
  datumIds: string[]
}

export interface AlertListProps {
  alerts: AlertRow[]
  /** The open one. */
  openId: string | null
  /** The URL that opens one. */
  buildAlertHref(id: string): string
}

/** The list capabilities for alerts. */
export const alertOffer: ListOffer = {
  sorts: { newest },
  filters: {
    kind: {
      label: 'Kind',
      options: [
        { value: 'alert', label: 'Alerts' },
        { value: 'recovery', label: 'Recoveries' },
      ],
    },
  },
  pageSize: 20,
}

/** The alerts of an observer with links; unread ones are emphasized by weight and a label. */
export function AlertList({ alerts, openId, buildAlertHref }: AlertListProps) {
  return (
    <ul className="list alerts">
      {alerts.map(({ id, kind, title, createdAt, read, datumIds }) => (
        <li key={id} className={read ? 'list-item' : 'list-item is-unread'}>
          <div className="list-main">
            <p className="list-title">
              <Link
                to={buildAlertHref(id)}
                preventScrollReset
                aria-current={id === openId ? 'true' : undefined}
              >
                {title}
              </Link>
            </p>
            {datumIds.length ? (
              <p className="list-note">
                About {datumIds.length === 1 ? 'one record' : `${datumIds.length} records`}
              </p>
            ) : null}
          </div>
          <div className="list-meta">
            <span className={kind === 'alert' ? 'badge is-danger' : 'badge is-success'}>
              {kind === 'alert' ? 'Alert' : 'Recovery'}
            </span>
            <span>{read ? 'Read' : <strong>Unread</strong>}</span>
            <Moment date={createdAt} />
          </div>
        </li>
      ))}
    </ul>
  )
}
