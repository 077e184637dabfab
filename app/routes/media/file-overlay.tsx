import type { ReactNode } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { DialogHead } from '#app/components/shell/dialog-head.tsx'

interface FileOverlayProps {
  name: string
  onClose(): void
  children: ReactNode
}

/** The open dialog of `FileDialog`. */
export default function FileOverlay({ name, onClose, children }: FileOverlayProps) {
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Modal className="dialog is-xl">
        <Dialog>
          <DialogHead>{name}</DialogHead>
          <div className="dialog-body">{children}</div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
