import { useCallback, useEffect, useRef, useState } from 'react'
import type { SubmittedForm } from './prove-dialog.tsx'
import { useStepUpRequest } from '#app/client/step-up.ts'
import { loadOnDemand } from '#app/components/state/load-on-demand.tsx'

// Loaded on demand, as it would burden every screen.
const { Component: ProveDialog } = loadOnDemand(() => import('./prove-dialog.tsx'))

/** Opens the re-authentication dialog when a form requires it, over the screen with its input; then the form is submitted again. */
export function StepUpDialog() {
  const [isOpen, setOpen] = useState(false)
  const lastForm = useLastSent()
  const open = useCallback(() => setOpen(true), [])
  const close = useCallback(() => setOpen(false), [])
  useStepUpRequest(open)
  return isOpen ? <ProveDialog sentForm={lastForm} onClose={close} /> : null
}

/** The last submitted form of the screen, and its button. */
function useLastSent() {
  const lastForm = useRef<SubmittedForm | null>(null)
  useEffect(() => {
    const rememberForm = (event: SubmitEvent) => {
      const form = event.target
      if (form instanceof HTMLFormElement && !('stepUp' in form.dataset))
        lastForm.current = { form, button: event.submitter }
    }
    document.addEventListener('submit', rememberForm, true)
    return () => document.removeEventListener('submit', rememberForm, true)
  }, [])
  return lastForm
}
