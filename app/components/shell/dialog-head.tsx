import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, Heading } from 'react-aria-components'

/** The head of a dialog: title and close button. */
export function DialogHead({ children }: { children: ReactNode }) {
  return (
    <header className="dialog-head">
      <Heading slot="title" className="dialog-title truncate">
        {children}
      </Heading>
      <Button slot="close" className="button is-quiet is-icon is-small" aria-label="Close">
        <X size={18} aria-hidden="true" />
      </Button>
    </header>
  )
}
