import { useSyncExternalStore } from 'react'

const key = 'single-keys'
const listeners = new Set<() => void>()

/** Whether single-key shortcuts are enabled; they are until someone turns them off in this browser. */
export function singleKeysCount(): boolean {
  try {
    return localStorage.getItem(key) !== 'off'
  } catch {
    return true
  }
}

/** The same as a hook, with a setter: users of speech input would trigger shortcuts by accident. */
export function useSingleKeys(): { count: boolean; setEnabled: (count: boolean) => void } {
  const count = useSyncExternalStore(subscribe, singleKeysCount, () => true)
  const setEnabled = (on: boolean) => {
    if (on) localStorage.removeItem(key)
    else localStorage.setItem(key, 'off')
    for (const listener of listeners) listener()
  }
  return { count, setEnabled }
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
