import { useNavigation } from '@remix-run/react'
import { useSlow } from '#app/client/use-slow.ts'
import { slowWords } from '../state/loader.tsx'

/**
 * A line at the top of the page while the next one, or the answer to a form, is on its way; it waits 150 ms, so quick answers
 * do not flicker, and after three seconds says that this can take a bit.
 */
export function ProgressBar() {
  const isBusy = useNavigation().state !== 'idle'
  const isSlow = useSlow(isBusy)
  if (!isBusy) return null
  return (
    <>
      <div className="progress-line" role="progressbar" aria-label="Loading" />
      {isSlow ? (
        <p className="progress-note" role="status">
          {slowWords}
        </p>
      ) : null}
    </>
  )
}
