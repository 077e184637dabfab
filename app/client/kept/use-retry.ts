import { useCallback, useEffect, useRef, useState } from 'react'
import type { FailedSave } from './keep-typed.ts'

/** The wait before the nth attempt after the first, in milliseconds: 2 s, 4, 8 … 60 s, each a quarter more or less. */
export function waitBefore(attempt: number, random: () => number = Math.random): number {
  return Math.min(60_000, 1000 * 2 ** Math.min(attempt, 6)) * (0.75 + random() / 2)
}

/** Said to all tabs by a screen that someone is signed in to: what waited for that goes on. */
const signedInName = 'commonplace.signed-in'

export function announceSignedIn(): void {
  try {
    localStorage.setItem(signedInName, String(Date.now()))
  } catch {
    // Other tabs then go on when they are looked at.
  }
}

/**
 * Tries a failed save again, by itself: with growing waits, at once when the connection is back, and after signing out when
 * someone has signed in. Gives the whole seconds until then; null while nothing waits. `isBusy`: it is being tried.
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
    // Whoever comes back to the tab may have signed in elsewhere.
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
