import { formatNumber } from '../list/number-format.ts'
import { Link } from '@remix-run/react'

export interface UnreadCounts {
  total: number
  observers: { id: string; dataTypeId: string; name: string; count: number }[]
}

/** The person's unread alerts in a place, by observer with links; nothing if all are read. */
export function UnreadAlerts({ unread }: { unread: UnreadCounts | null }) {
  if (!unread?.total) return null
  const { total, observers } = unread
  return (
    <p className="notice is-info">
      {total === 1 ? 'One unread alert' : `${formatNumber(total)} unread alerts`}:{' '}
      {observers.map(({ id, dataTypeId, name, count }, i) => (
        <span key={id}>
          {i ? ', ' : ''}
          <Link to={`/types/${dataTypeId}/observers/${id}`}>{name}</Link> ({formatNumber(count)})
        </span>
      ))}
    </p>
  )
}
