import { useSyncExternalStore } from 'react'

/** The parts of the screen with unsaved input. While there are any, nothing may replace the screen. */
const parts = new Set<string>()
const listeners = new Set<() => void>()

/** Marks a part of the screen as having unsaved input or not. */
export function setUnsaved(part: string, isTyped: boolean): void {
  if (parts.has(part) === isTyped) return
  if (isTyped) parts.add(part)
  else parts.delete(part)
  for (const listener of listeners) listener()
}

export const hasUnsavedInput = (): boolean => parts.size > 0

/** Whether the screen shows stale data, because reloading it failed. */
let isOld = false

export function setStale(next: boolean): void {
  if (isOld === next) return
  isOld = next
  for (const listener of listeners) listener()
}

const listen = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether the screen shows stale data, because reloading it after a save failed. */
export function useStale(): boolean {
  return useSyncExternalStore(
    listen,
    () => isOld,
    () => false,
  )
}

/** Whether any part of the screen has unsaved input. */
export function useHasUnsavedInput(): boolean {
  return useSyncExternalStore(listen, hasUnsavedInput, () => false)
}
