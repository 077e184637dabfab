import { useRef, useState, type ReactNode } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useHydrated } from '#app/client/use-hydrated.ts'

interface ConfirmButtonProps {
  /** Which of the screen's actions it asks for. */
  intent: string
  /** What stands on the button. */
  children: ReactNode
  /** The question, which names the thing: "Remove Ada from the team?" */
  question: string
  /** What is lost, or stays, when it is done. */
  text: ReactNode
  /** What the answer says: "Remove". */
  answer: string
  className?: string
}

/** A button that sends its form after asking once: for what cannot be undone. Without scripts it sends at once. */
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
