import { useBeforeUnload, useBlocker } from '@remix-run/react'
import { useCallback } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'

export interface LeaveDialogProps {
  isUnsaved: boolean
  /** A name in the query of an address under which the same path shows another screen. */
  other?: string
}

/** Asks before unsaved words are left behind: on links of the workspace, and (in the browser's words) on leaving it. */
export function LeaveDialog({ isUnsaved, other }: LeaveDialogProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isUnsaved &&
      (currentLocation.pathname !== nextLocation.pathname ||
        (other !== undefined && new URLSearchParams(nextLocation.search).has(other))),
  )
  useBeforeUnload(
    useCallback(
      (event: BeforeUnloadEvent) => {
        if (isUnsaved) event.preventDefault()
      },
      [isUnsaved],
    ),
  )
  return (
    <ModalOverlay
      className="overlay"
      isOpen={blocker.state === 'blocked'}
      onOpenChange={(isOpen) => !isOpen && blocker.reset?.()}
      isDismissable
    >
      <Modal className="dialog is-sm">
        <Dialog role="alertdialog">
          <div className="dialog-head">
            <Heading slot="title" className="dialog-title">
              Leave without saving?
            </Heading>
          </div>
          <div className="dialog-body">
            <p>Some of your words are not saved yet. If you leave now, they are lost.</p>
          </div>
          <div className="dialog-foot">
            <Button className="button" onPress={() => blocker.proceed?.()}>
              Leave
            </Button>
            <Button className="button is-primary" autoFocus onPress={() => blocker.reset?.()}>
              Stay
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
