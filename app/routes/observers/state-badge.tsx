import { formatNumber } from '#app/components/list/number-format.ts'
import { getObserverState, type ObserverState } from '#app/components/observer/words.ts'

const looks: Record<ObserverState, { label: string; title: string; look: string }> = {
  armed: { label: 'Armed', title: 'It waits for its condition', look: 'badge is-success' },
  tripped: { label: 'Tripped', title: 'Its condition holds now', look: 'badge is-danger' },
  failing: { label: 'Check failed', title: 'Its data could not be queried', look: 'badge is-warning' },
  paused: { label: 'Paused', title: 'It looks at nothing', look: 'badge' },
}

/** A badge with the state of an observer. */
export function StateBadge({
  observer,
}: {
  observer: { enabled: boolean; error: string | null; isCrossed: boolean }
}) {
  const { label, title, look } = looks[getObserverState(observer)]
  return (
    <span className={look} title={title}>
      {label}
    </span>
  )
}

/** A badge with the number of unread alerts; nothing for zero. */
export function UnreadBadge({ count }: { count: number }) {
  if (!count) return null
  return <span className="badge is-info">{formatNumber(count)} unread</span>
}
