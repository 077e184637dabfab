import { useCallback, useEffect, useRef, useState } from 'react'
import type { FailedSave } from './client-handlers.ts'

/** The delay before the nth retry, in milliseconds: 2 s, 4, 8 … 60 s, with a jitter of a quarter. */
export function waitBefore(attempt: number, random: () => number = Math.random): number {
  return Math.min(60_000, 1000 * 2 ** Math.min(attempt, 6)) * (0.75 + random() / 2)
}

/** Storage key by which a screen tells other tabs that someone has signed in, so that they retry. */
const signedInName = 'commonplace.signed-in'

export function announceSignedIn(): void {
  try {
    localStorage.setItem(signedInName, String(Date.now()))
  } catch {
    // Without storage other tabs retry when they become visible.
  }
}

/**
 * Retries a failed save: with growing delays, at once when the connection is back, and after the end of a session when someone has
 * signed in. Gives the whole seconds until the next retry; null while none is scheduled. `isBusy`: a retry is running.
 */
export function useRetry(
  failure: FailedSave | null,
  isBusy: boolean,
  again: () => void,
): { seconds: number | null } {
  const attempts = useRef(0)
  const [seconds, setSeconds] = useState<number | null>(null)
  const latest = useRef(again)
  latest.current = again
  const now = useCallback(() => latest.current(), [])
  useEffect(() => {
    if (isBusy) return
    if (!failure) {
      attempts.current = 0
      setSeconds(null)
      return
    }
    const isTimed = failure.kind !== 'signedOut' && failure.kind !== 'otherUser'
    attempts.current += 1
    const due = Date.now() + waitBefore(attempts.current)
    const tick = () => {
      const restMs = due - Date.now()
      if (restMs <= 0) {
        clearInterval(timer)
        now()
      } else setSeconds(Math.ceil(restMs / 1000))
    }
    const timer = isTimed ? setInterval(tick, 500) : undefined
    if (isTimed) tick()
    else setSeconds(null)
    // Whoever returns to the tab may have signed in elsewhere.
    const onLook = () => !isTimed && !document.hidden && now()
    const onStored = (event: StorageEvent) => !isTimed && event.key === signedInName && now()
    addEventListener('online', now)
    addEventListener('storage', onStored)
    document.addEventListener('visibilitychange', onLook)
    return () => {
      clearInterval(timer)
      removeEventListener('online', now)
      removeEventListener('storage', onStored)
      document.removeEventListener('visibilitychange', onLook)
    }
  }, [failure, isBusy, now])
  return { seconds: isBusy ? null : seconds }
}
