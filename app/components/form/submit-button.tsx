import { useNavigation } from '@remix-run/react'
import type { ReactNode } from 'react'

interface SubmitButtonProps {
  /** Which of the screen's actions it asks for. */
  intent: string
  children: ReactNode
  /** What it says while it is being done. */
  doing?: string
  className?: string
  /** For what may be asked while a required input of the form is empty. */
  formNoValidate?: boolean
}

/** The button that sends a form: it names the action, and says when it is being done. */
export function SubmitButton({
  intent,
  children,
  doing,
  className = 'button is-primary',
  formNoValidate,
}: SubmitButtonProps) {
  const { state, formData } = useNavigation()
  const isBusy = state !== 'idle' && formData?.get('intent') === intent
  return (
    <button
      className={className}
      name="intent"
      value={intent}
      formNoValidate={formNoValidate}
      aria-disabled={isBusy || undefined}
      onClick={(event) => isBusy && event.preventDefault()}
    >
      {isBusy && doing ? doing : children}
    </button>
  )
}
