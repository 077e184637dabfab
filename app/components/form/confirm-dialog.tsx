import type { ReactNode } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'

export interface ConfirmDialogProps {
  /** The question with the name of the thing: "Remove Ada from the team?" */
  question: string
  /** The consequences. */
  text: ReactNode
  /** The label of the button that says yes: "Remove". */
  answer: string
  /** The label of the button that says no, which has the focus: "Cancel". */
  refusal: string
  /** Whether saying yes cannot be undone; otherwise saying no is the button that stands out. */
  isDanger?: boolean
  onAnswer: (isConfirmed: boolean) => void
}

/** An open dialog that asks for a confirmation. Escape and a click beside it say no. */
export default function ConfirmDialog(props: ConfirmDialogProps) {
  const { question, text, answer, refusal, isDanger = false, onAnswer } = props
  const yes = (
    <Button className={isDanger ? 'button is-danger' : 'button'} onPress={() => onAnswer(true)}>
      {answer}
    </Button>
  )
  const no = (
    <Button className={isDanger ? 'button' : 'button is-primary'} autoFocus onPress={() => onAnswer(false)}>
      {refusal}
    </Button>
  )
  return (
    <ModalOverlay
      className="overlay"
      isOpen
      onOpenChange={(isOpen) => isOpen || onAnswer(false)}
      isDismissable
    >
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
            {isDanger ? no : yes}
            {isDanger ? yes : no}
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
