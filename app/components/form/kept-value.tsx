import { createContext, useContext, useEffect, useRef } from 'react'
import { restoring } from '#app/client/kept/allowed.ts'

/** Told that a form holds other words than before, by what no input event tells of. */
export const FormChanged = createContext<() => void>(() => {})

/** Whether a form says itself that it could not be saved, and keeps what was typed. */
export const KeepsWords = createContext(false)

interface KeptValueProps {
  name: string
  value: string
  /** Takes over what was kept on this device. */
  onRestore(value: string): void
  /** While it is not to be sent. */
  disabled?: boolean
}

/** A hidden field that holds what an editor without inputs of its own says: kept on the device as typed words are. */
export function KeptValue({ name, value, onRestore, disabled }: KeptValueProps) {
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
    const take = (event: Event) => restore.current((event as CustomEvent<string>).detail)
    element?.addEventListener(restoring, take)
    return () => element?.removeEventListener(restoring, take)
  }, [])
  return <input ref={input} type="hidden" name={name} value={value} disabled={disabled} data-kept="" />
}
