import { useSyncExternalStore } from 'react'

const key = 'single-keys'
const listeners = new Set<() => void>()

/** Whether shortcuts of single keys count; they do until someone turns them off in this browser. */
export function singleKeysCount(): boolean {
  try {
    return localStorage.getItem(key) !== 'off'
  } catch {
    return true
  }
}

/** The same for a component, with a way to turn it: whoever speaks to the computer would press keys by chance. */
export function useSingleKeys(): { count: boolean; turn: (count: boolean) => void } {
  const count = useSyncExternalStore(subscribe, singleKeysCount, () => true)
  const turn = (on: boolean) => {
    if (on) localStorage.removeItem(key)
    else localStorage.setItem(key, 'off')
    for (const listener of listeners) listener()
  }
  return { count, turn }
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
