import { useRef, useState, type ReactNode } from 'react'
import { useHydrated } from '#app/client/use-hydrated.ts'
import { LazyConfirmDialog, preloadConfirmDialog } from './lazy-confirm-dialog.tsx'

interface ConfirmButtonProps {
  /** The intent of the action. */
  intent: string
  /** The label of the button. */
  children: ReactNode
  /** The question with the name of the thing: "Remove Ada from the team?" */
  question: string
  /** The consequences. */
  text: ReactNode
  /** The label of the confirming button: "Remove". */
  answer: string
  className?: string
}

/** A button that submits its form after a confirmation, for irreversible actions. Without scripts it submits at once. */
export function ConfirmButton({
  intent,
  children,
  question,
  text,
  answer,
  className = 'button is-small is-danger',
}: ConfirmButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [isAsking, setAsking] = useState(false)
  const isHydrated = useHydrated()
  return (
    <>
      <button
        ref={button}
        className={className}
        name="intent"
        value={intent}
        aria-haspopup={isHydrated ? 'dialog' : undefined}
        onPointerEnter={preloadConfirmDialog}
        onFocus={preloadConfirmDialog}
        onClick={(event) => {
          event.preventDefault()
          setAsking(true)
        }}
      >
        {children}
      </button>
      {isAsking ? (
        <LazyConfirmDialog
          question={question}
          text={text}
          answer={answer}
          refusal="Cancel"
          isDanger
          onAnswer={(isConfirmed) => {
            setAsking(false)
            if (isConfirmed) button.current?.form?.requestSubmit(button.current)
          }}
        />
      ) : null}
    </>
  )
}
