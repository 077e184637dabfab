import { useNavigation } from '@remix-run/react'

/** A line at the top of the page while the next one is on its way; it waits 150 ms, so quick answers do not flicker. */
export function ProgressBar() {
  const { state } = useNavigation()
  if (state === 'idle') return null
  return <div className="progress-line" role="progressbar" aria-label="Loading" />
}
