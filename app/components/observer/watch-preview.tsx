import { useFetcher } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { conditionWords, seenWords, type Names, type ObserverCondition } from './words.ts'

/** What an observer would measure now. `holds` null: the condition does not depend on the current value alone. */
export type WatchNow = { ok: true; value: unknown; holds: boolean | null } | { ok: false; message: string }

interface WatchPreviewProps {
  /** The form's source, filters and condition, as text. */
  previewRequest: { sourceId: string; filters: string; condition: string }
  condition: ObserverCondition
  names: Names
}

/** Debounce delay of the preview, in milliseconds. */
const patience = 400

/** What the observer would measure now, updated with each change of its form. */
export function WatchPreview({ previewRequest: request, condition, names }: WatchPreviewProps) {
  const { submit, data, state } = useFetcher<{ intent: string; result: WatchNow }>()
  const before = useRef('')
  const { sourceId, filters, condition: text } = request
  useEffect(() => {
    const key = JSON.stringify([sourceId, filters, text])
    if (before.current === key) return
    const timer = setTimeout(() => {
      before.current = key
      void submit({ intent: 'preview', sourceId, filters, condition: text }, { method: 'post' })
    }, patience)
    return () => clearTimeout(timer)
  }, [sourceId, filters, text, submit])
  const now = data?.result
  return (
    <div className="card watch-now needs-scripts" role="status">
      <div className="card-body stack is-tight">
        <p className="metric-label">Alert when: {conditionWords(condition, names)}</p>
        {now?.ok ? (
          <>
            <p className="metric-value">{seenWords(now.value)}</p>
            <p className="muted">{sentenceOf(now, condition)}</p>
          </>
        ) : now ? (
          <p className="field-error">{now.message}</p>
        ) : (
          <p className="muted">{state === 'idle' ? '' : 'Looking…'}</p>
        )}
      </div>
    </div>
  )
}

function sentenceOf({ holds }: { holds: boolean | null }, { operator }: ObserverCondition): string {
  if (operator === 'each') return 'records fit now. It tells of those that come from now on.'
  if (operator === 'change') return 'now. It tells when this becomes another value.'
  return holds
    ? 'now. The condition holds already, so it gives an alert at its first look.'
    : 'now. The condition does not hold, so it waits.'
}
