import { useState, type ReactNode } from 'react'

interface DialogButtonProps {
  label: ReactNode
  className: string
  /** Begins to load the script of the dialog. */
  preload: () => void
  /** The open dialog. */
  children: (close: () => void) => ReactNode
}

/** A button that opens a dialog whose script is loaded when the pointer or the focus comes to the button. */
export function DialogButton({ label, className, preload, children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={className}
        aria-haspopup="dialog"
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      {isOpen ? children(() => setOpen(false)) : null}
    </>
  )
}
