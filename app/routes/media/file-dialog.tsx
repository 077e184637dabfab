import type { ReactNode } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { DialogHead } from '#app/components/shell/dialog-head.tsx'
import { useHydrated } from '#app/client/use-hydrated.ts'

/** Shows a file's page in a dialog over the library; without scripts above the list. */
export function FileDialog({
  name,
  onClose,
  children,
}: {
  name: string
  onClose(): void
  children: ReactNode
}) {
  const isHydrated = useHydrated()
  if (!isHydrated)
    return (
      <section className="card card-body without-scripts" aria-label={name}>
        {children}
      </section>
    )
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
