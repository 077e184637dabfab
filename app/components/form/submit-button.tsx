import { useNavigation } from '@remix-run/react'
import type { ReactNode } from 'react'

interface SubmitButtonProps {
  /** The intent of the action. */
  intent: string
  children: ReactNode
  /** The label while pending. */
  doing?: string
  className?: string
  /** For actions that are allowed with empty required inputs. */
  formNoValidate?: boolean
}

/** The submit button of an intent, with a pending state. */
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
