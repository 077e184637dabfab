import { useBeforeUnload, useBlocker } from '@remix-run/react'
import { useCallback } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'

interface LeaveDialogProps {
  isUnsaved: boolean
  /** A query parameter under which the same path shows another screen. */
  other?: string
  /** Whether the input is stored as a draft and offered again. */
  isKept?: boolean
}

/** Asks before unsaved input is left: on links of the workspace, and with the browser's dialog on leaving the site. */
export function LeaveDialog({ isUnsaved, other, isKept = false }: LeaveDialogProps) {
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
            <p>
              Some of your words are not saved yet.{' '}
              {isKept
                ? 'They stay on this device and are offered when you come back; no one else sees them.'
                : 'If you leave now, they are lost.'}
            </p>
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
