import { useFetcher } from '@remix-run/react'
import { useEffect, useRef, type RefObject } from 'react'
import { readFormErrors } from '#app/components/form/issues.ts'
import { ProveFields } from '#app/components/form/prove-form.tsx'
import type { Factors } from '#app/components/form/second-step-fields.tsx'
import OpenDialog from '#app/components/shell/open-dialog.tsx'
import { showToast } from '#app/client/toast.ts'

const path = '/account/prove'

/** A submitted form, and its button. */
export interface SubmittedForm {
  form: HTMLFormElement
  button: HTMLElement | null
}

/** The re-authentication dialog; after success the last form is submitted again. */
export default function ProveDialog({
  sentForm,
  onClose,
}: {
  sentForm: RefObject<SubmittedForm | null>
  onClose: () => void
}) {
  const { load, data: factorsData } = useFetcher<{ factors: Factors | null }>()
  const proof = useFetcher<{ ok: boolean }>()
  useEffect(() => load(path), [load])
  const settled = useRef(proof.data)
  useEffect(() => {
    if (proof.state !== 'idle' || settled.current === proof.data) return
    settled.current = proof.data
    if (!proof.data?.ok) return
    onClose()
    const { form, button } = sentForm.current ?? {}
    if (form?.isConnected) form.requestSubmit(button?.isConnected ? button : null)
    else void showToast((toast) => toast.success('Confirmed. Please do it again now.'))
  }, [proof.state, proof.data, sentForm, onClose])
  return (
    <OpenDialog title="Confirm that it is you" size="sm" onClose={onClose}>
      <div className="dialog-body">
        <proof.Form method="post" action={path} className="form" data-step-up="">
          <p>Before this is done, show once more who you are. It counts for ten minutes.</p>
          {factorsData ? (
            <ProveFields factors={factorsData.factors} errors={readFormErrors(proof.data)}>
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
    </OpenDialog>
  )
}
