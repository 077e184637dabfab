import { useEffect, useRef } from 'react'
import { loadOnDemand } from '#app/components/state/load-on-demand.tsx'
import type { ConfirmDialogProps } from './confirm-dialog.tsx'

/** `ConfirmDialog`, loaded when it is needed. Where it cannot be loaded, the browser's own dialog asks. */
export const { Component: LazyConfirmDialog, preload: preloadConfirmDialog } = loadOnDemand(
  () => import('./confirm-dialog.tsx'),
  BrowserConfirm,
)

function BrowserConfirm({ question, text, onAnswer }: ConfirmDialogProps) {
  const isRequested = useRef(false)
  useEffect(() => {
    // Effects run twice in development.
    if (isRequested.current) return
    isRequested.current = true
    onAnswer(window.confirm(typeof text === 'string' ? `${question}\n\n${text}` : question))
  }, [question, text, onAnswer])
  return null
}
