import { Link } from '@remix-run/react'

export interface Unread {
  total: number
  observers: { id: string; dataTypeId: string; name: string; count: number }[]
}

/** The alerts of a place that the person has not read, by observer, each with the way to them; nothing where all are read. */
export function UnreadAlerts({ unread }: { unread: Unread | null }) {
  if (!unread?.total) return null
  const { total, observers } = unread
  return (
    <p className="notice is-info">
      {total === 1 ? 'One unread alert' : `${total.toLocaleString('en')} unread alerts`}:{' '}
      {observers.map(({ id, dataTypeId, name, count }, i) => (
        <span key={id}>
          {i ? ', ' : ''}
          <Link to={`/types/${dataTypeId}/observers/${id}`}>{name}</Link> ({count.toLocaleString('en')})
        </span>
      ))}
    </p>
  )
}
