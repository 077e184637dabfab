import { useNavigation } from '@remix-run/react'
import { useSlow } from '#app/client/use-slow.ts'
import { slowWords } from '../state/loader.tsx'

/**
 * A progress bar at the top of the page during navigation and submission; after 150 ms, so quick responses do not flicker, and with a
 * message after three seconds.
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
