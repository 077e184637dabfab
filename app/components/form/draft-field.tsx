import { createContext, useContext, useEffect, useRef } from 'react'
import { restoring } from '#app/client/drafts/storable-inputs.ts'

/** Called when a form's values change without an input event. */
export const FormChanged = createContext<() => void>(() => {})

/** Whether the form itself shows failed saves and keeps the input. */
export const KeepsWords = createContext(false)

interface DraftFieldProps {
  name: string
  value: string
  /** Restores the value of a draft. */
  onRestore(value: string): void
  /** While true it is not submitted. */
  disabled?: boolean
}

/** A hidden field with the value of an editor without native inputs, which is stored in drafts like typed text. */
export function DraftField({ name, value, onRestore, disabled }: DraftFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const noteChange = useContext(FormChanged)
  const before = useRef(value)
  const restore = useRef(onRestore)
  restore.current = onRestore
  useEffect(() => {
    if (before.current === value) return
    before.current = value
    noteChange()
  }, [value, noteChange])
  useEffect(() => {
    const element = input.current
    const handleRestore = (event: Event) => restore.current((event as CustomEvent<string>).detail)
    element?.addEventListener(restoring, handleRestore)
    return () => element?.removeEventListener(restoring, handleRestore)
  }, [])
  return <input ref={input} type="hidden" name={name} value={value} disabled={disabled} data-kept="" />
}
