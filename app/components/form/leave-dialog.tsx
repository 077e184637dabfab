import { useBeforeUnload, useBlocker } from '@remix-run/react'
import { useCallback, useEffect } from 'react'
import { LazyConfirmDialog, preloadConfirmDialog } from './lazy-confirm-dialog.tsx'

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
  // Loaded while there still is a connection, for who leaves may have lost it.
  useEffect(() => {
    if (isUnsaved) preloadConfirmDialog()
  }, [isUnsaved])
  if (blocker.state !== 'blocked') return null
  const consequence = isKept
    ? 'They stay on this device and are offered when you come back; no one else sees them.'
    : 'If you leave now, they are lost.'
  return (
    <LazyConfirmDialog
      question="Leave without saving?"
      text={`Some of your words are not saved yet. ${consequence}`}
      answer="Leave"
      refusal="Stay"
      onAnswer={(isConfirmed) => (isConfirmed ? blocker.proceed() : blocker.reset())}
    />
  )
}
