import { useEffect, useState } from 'react'

/** Milliseconds after which something that is under way is slow, and a person should be told that it still is. */
const slowAfterMs = 3000

/** Whether something has been under way for so long that a line or a ring alone looks like nothing. */
export function useSlow(isBusy: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isBusy) return
    const timer = setTimeout(() => setSlow(true), slowAfterMs)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isBusy])
  return isBusy && isSlow
}
