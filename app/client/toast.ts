import { useSyncExternalStore } from 'react'

type Toast = (typeof import('react-toastify/unstyled'))['toast']

let isWanted = false
const waiting = new Set<() => void>()

/**
 * Shows a message: `show` receives the library's `toast`, which is loaded with the first message, since most visits see none. Messages
 * appear in the order of the calls.
 */
export async function showToast(show: (toast: Toast) => unknown): Promise<void> {
  isWanted = true
  for (const listener of waiting) listener()
  const { toast } = await import('react-toastify/unstyled')
  show(toast)
}

/** Whether any message was requested; until then the toaster need not render. */
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
