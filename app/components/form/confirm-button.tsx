import { useRef, useState, type ReactNode } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useHydrated } from '#app/client/use-hydrated.ts'

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
  const isMeant = useRef(false)
  const [isAsking, setAsking] = useState(false)
  const isHydrated = useHydrated()
  const send = () => {
    isMeant.current = true
    setAsking(false)
    button.current?.form?.requestSubmit(button.current)
    isMeant.current = false
  }
  return (
    <>
      <button
        ref={button}
        className={className}
        name="intent"
        value={intent}
        aria-haspopup={isHydrated ? 'dialog' : undefined}
        onClick={(event) => {
          if (isMeant.current) return
          event.preventDefault()
          setAsking(true)
        }}
      >
        {children}
      </button>
      <ModalOverlay className="overlay" isOpen={isAsking} onOpenChange={setAsking} isDismissable>
        <Modal className="dialog is-sm">
          <Dialog role="alertdialog">
            <div className="dialog-head">
              <Heading slot="title" className="dialog-title">
                {question}
              </Heading>
            </div>
            <div className="dialog-body">
              <p>{text}</p>
            </div>
            <div className="dialog-foot">
              <Button className="button" autoFocus onPress={() => setAsking(false)}>
                Cancel
              </Button>
              <Button className="button is-danger" onPress={send}>
                {answer}
              </Button>
            </div>
          </Dialog>
        </Modal>
      </ModalOverlay>
    </>
  )
}
