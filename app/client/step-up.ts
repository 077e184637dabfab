import { useEffect } from 'react'

const eventName = 'commonplace-step-up'

/** Has the dialog opened that proves once more who sits here; nothing happens where a screen has none. */
export function askStepUp(): void {
  window.dispatchEvent(new Event(eventName))
}

/** Runs when a proof is asked for, until the component goes. */
export function useStepUpRequest(run: () => void): void {
  useEffect(() => {
    window.addEventListener(eventName, run)
    return () => window.removeEventListener(eventName, run)
  }, [run])
}

/** Asks once for each refusal that such a proof would lift. The refusal must be the same object until there is another. */
export function useStepUp(refusal: { reason?: string } | undefined): void {
  useEffect(() => {
    if (refusal?.reason === 'stepUp') askStepUp()
  }, [refusal])
}
