import { useSyncExternalStore } from 'react'

/** The parts of the screen that hold words which are not saved. While there are any, nothing may take the screen away. */
const parts = new Set<string>()
const listeners = new Set<() => void>()

/** Says whether a part of the screen holds words that are not saved. */
export function setTyped(part: string, isTyped: boolean): void {
  if (parts.has(part) === isTyped) return
  if (isTyped) parts.add(part)
  else parts.delete(part)
  for (const listener of listeners) listener()
}

export const isAnythingTyped = (): boolean => parts.size > 0

/** Whether the screen shows what could be read last, since reading it again failed. */
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

/** Whether the screen could not be read again after a save, and shows what it was. */
export function useStale(): boolean {
  return useSyncExternalStore(
    listen,
    () => isOld,
    () => false,
  )
}

/** Whether any part of the screen holds words that are not saved. */
export function useTyped(): boolean {
  return useSyncExternalStore(listen, isAnythingTyped, () => false)
}
