import { useFetcher, useFormAction } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'

/** How long nothing changes before a preview is requested, in milliseconds. */
export const previewPauseMs = 400

/**
 * Submits the fields of a form to the screen's own action with the intent `preview`, after a pause in their changes. They are
 * equal while `key` is, and its first value is submitted only with `isFirst`. Returns the action's `result`, undefined before
 * the first one, and whether one is awaited.
 */
export function usePreview<Result>(
  fields: Record<string, string>,
  { key, isFirst }: { key: unknown; isFirst: boolean },
): { result: Result | undefined; isAsking: boolean } {
  const { submit, data, state } = useFetcher<{ intent: string; result: Result }>()
  // Named, as a timer can end between the redirect after a save and the next screen, whose action is another.
  const action = useFormAction()
  const submittedKey = useRef(isFirst ? undefined : key)
  const latestFields = useRef(fields)
  latestFields.current = fields
  const [isWaiting, setWaiting] = useState(false)
  useEffect(() => {
    if (submittedKey.current === key) return
    setWaiting(true)
    const timer = setTimeout(() => {
      submittedKey.current = key
      setWaiting(false)
      void submit({ ...latestFields.current, intent: 'preview' }, { method: 'post', action })
    }, previewPauseMs)
    return () => clearTimeout(timer)
  }, [action, key, submit])
  return {
    result: data && 'result' in data ? data.result : undefined,
    isAsking: isWaiting || state !== 'idle',
  }
}
