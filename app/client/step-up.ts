import { useEffect } from 'react'

const eventName = 'commonplace-step-up'

/** Opens the re-authentication dialog; no effect on screens without one. */
export function askStepUp(): void {
  window.dispatchEvent(new Event(eventName))
}

/** Calls `run` when re-authentication is requested, until the component unmounts. */
export function useStepUpRequest(run: () => void): void {
  useEffect(() => {
    window.addEventListener(eventName, run)
    return () => window.removeEventListener(eventName, run)
  }, [run])
}

/** Opens the dialog once for each failure that re-authentication would resolve. The failure must keep its identity between renders. */
export function useStepUp(refusal: { reason?: string } | undefined): void {
  useEffect(() => {
    if (refusal?.reason === 'stepUp') askStepUp()
  }, [refusal])
}
