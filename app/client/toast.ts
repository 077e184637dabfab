import { useSyncExternalStore } from 'react'

type Toast = (typeof import('react-toastify/unstyled'))['toast']

let isWanted = false
const waiting = new Set<() => void>()

/**
 * Shows a message: `show` is given the library's `toast`, which is fetched with the first message, since most visits to
 * a screen see none. Messages appear in the order in which they were asked for.
 */
export async function showToast(show: (toast: Toast) => unknown): Promise<void> {
  isWanted = true
  for (const listener of waiting) listener()
  const { toast } = await import('react-toastify/unstyled')
  show(toast)
}

/** Whether anything was shown yet: until then the place for messages need not be there. */
export function useToastsWanted(): boolean {
  return useSyncExternalStore(
    (listener) => {
      waiting.add(listener)
      return () => waiting.delete(listener)
    },
    () => isWanted,
    () => false,
  )
}
