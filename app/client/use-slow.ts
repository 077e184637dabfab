import { useEffect, useState } from 'react'

/** Milliseconds after which a pending operation is slow and needs a message. */
const slowAfterMs = 3000

/** Whether an operation has been pending for so long that a progress bar or spinner alone looks stuck. */
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
