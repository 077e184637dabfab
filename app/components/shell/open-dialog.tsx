import type { ReactNode } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { DialogHead } from './dialog-head.tsx'

interface OpenDialogProps {
  title: string
  /** Its width; without one 50rem. */
  size?: 'sm' | 'lg' | 'xl'
  onClose: () => void
  children: ReactNode
}

/** An open dialog with a title and a button to close it. Escape and a click beside it close it as well. */
export default function OpenDialog({ title, size, onClose, children }: OpenDialogProps) {
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(isOpen) => isOpen || onClose()}>
      <Modal className={size ? `dialog is-${size}` : 'dialog'}>
        <Dialog>
          <DialogHead>{title}</DialogHead>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
