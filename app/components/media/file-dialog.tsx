import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useHydrated } from '#app/client/use-hydrated.ts'

/** Shows a file's page over the library; without scripts it stands above the list. */
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
          <header className="dialog-head">
            <Heading slot="title" className="dialog-title truncate">
              {name}
            </Heading>
            <Button slot="close" className="button is-quiet is-icon is-small" aria-label="Close">
              <X size={18} aria-hidden="true" />
            </Button>
          </header>
          <div className="dialog-body">{children}</div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
