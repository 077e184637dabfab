import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import type { Sent } from './prove-dialog.tsx'
import { useStepUpRequest } from '#app/client/step-up.ts'

// Loaded when it is asked for: every screen would carry it.
const ProveDialog = lazy(() => import('./prove-dialog.tsx'))

/**
 * Asks for a proof where a form was refused for want of one, over the screen with all that is typed there; then the same form
 * is sent again.
 */
export function StepUpDialog() {
  const [isOpen, setOpen] = useState(false)
  const sent = useLastSent()
  const open = useCallback(() => setOpen(true), [])
  const close = useCallback(() => setOpen(false), [])
  useStepUpRequest(open)
  return isOpen ? (
    <Suspense fallback={null}>
      <ProveDialog sentForm={sent} onClose={close} />
    </Suspense>
  ) : null
}

/** The form of the screen that was sent last, and the button that sent it. */
function useLastSent() {
  const sent = useRef<Sent | null>(null)
  useEffect(() => {
    const note = (event: SubmitEvent) => {
      const form = event.target
      if (form instanceof HTMLFormElement && !('stepUp' in form.dataset))
        sent.current = { form, button: event.submitter }
    }
    document.addEventListener('submit', note, true)
    return () => document.removeEventListener('submit', note, true)
  }, [])
  return sent
}
