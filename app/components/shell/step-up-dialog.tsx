import { useFetcher } from '@remix-run/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { refusalIn } from '../form/issues.ts'
import { ProveFields } from '../form/prove-form.tsx'
import { DialogHead } from './dialog-head.tsx'
import { useStepUpAsked } from '#app/client/step-up.ts'
import { showToast } from '#app/client/toast.ts'

const path = '/account/prove'

/**
 * Asks for a proof where a form was refused for want of one, over the screen with all that is typed there; then the same form
 * is sent again.
 */
export function StepUpDialog() {
  const [isOpen, setOpen] = useState(false)
  const sent = useLastSent()
  const state = useFetcher<{ hasFactor: boolean }>()
  const proof = useFetcher<{ ok: boolean }>()
  const { load } = state
  const open = useCallback(() => {
    load(path)
    setOpen(true)
  }, [load])
  useStepUpAsked(open)
  const settled = useRef(proof.data)
  useEffect(() => {
    if (proof.state !== 'idle' || settled.current === proof.data) return
    settled.current = proof.data
    if (!proof.data?.ok) return
    setOpen(false)
    const { form, button } = sent.current ?? {}
    if (form?.isConnected) form.requestSubmit(button?.isConnected ? button : null)
    else void showToast((toast) => toast.success('Confirmed. Please do it again now.'))
  }, [proof.state, proof.data, sent])
  return (
    <ModalOverlay className="overlay" isOpen={isOpen} onOpenChange={setOpen} isDismissable>
      <Modal className="dialog is-sm">
        <Dialog>
          <DialogHead>Confirm that it is you</DialogHead>
          <div className="dialog-body">
            <proof.Form method="post" action={path} className="form" data-step-up="">
              <p>Before this is done, show once more who you are. It counts for ten minutes.</p>
              {state.data ? (
                <ProveFields hasFactor={state.data.hasFactor} refused={refusalIn(proof.data)}>
                  <div className="form-actions">
                    <button className="button is-primary" name="intent" value="prove">
                      {proof.state === 'idle' ? 'Confirm' : 'Confirming…'}
                    </button>
                  </div>
                </ProveFields>
              ) : (
                <p role="status">Loading…</p>
              )}
            </proof.Form>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/** The form of the screen that was sent last, and the button that sent it. */
function useLastSent() {
  const sent = useRef<{ form: HTMLFormElement; button: HTMLElement | null } | null>(null)
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
