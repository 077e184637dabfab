import { usePreview } from '#app/client/use-preview.ts'
import { describeCondition, formatMeasuredValue, type Names, type ObserverCondition } from './words.ts'

/** What an observer would measure now. `holds` null: the condition does not depend on the current value alone. */
export type WatchNow = { ok: true; value: unknown; holds: boolean | null } | { ok: false; message: string }

interface WatchPreviewProps {
  /** The form's source, filters and condition, as text. */
  previewRequest: { sourceId: string; filters: string; condition: string }
  condition: ObserverCondition
  names: Names
}

/** What the observer would measure now, updated with each change of its form. */
export function WatchPreview({ previewRequest: request, condition, names }: WatchPreviewProps) {
  const { result: now, isAsking } = usePreview<WatchNow>(request, {
    key: JSON.stringify(request),
    isFirst: true,
  })
  return (
    <div className="card watch-now needs-scripts" role="status">
      <div className="card-body stack is-tight">
        <p className="metric-label">Alert when: {describeCondition(condition, names)}</p>
        {now?.ok ? (
          <>
            <p className="metric-value">{formatMeasuredValue(now.value)}</p>
            <p className="muted">{describeCurrentState(now, condition)}</p>
          </>
        ) : now ? (
          <p className="field-error">{now.message}</p>
        ) : (
          <p className="muted">{isAsking ? 'Looking…' : ''}</p>
        )}
      </div>
    </div>
  )
}

function describeCurrentState({ holds }: { holds: boolean | null }, { operator }: ObserverCondition): string {
  if (operator === 'each') return 'records fit now. It tells of those that come from now on.'
  if (operator === 'change') return 'now. It tells when this becomes another value.'
  return holds
    ? 'now. The condition holds already, so it gives an alert at its first look.'
    : 'now. The condition does not hold, so it waits.'
}
