import { useSyncExternalStore } from 'react'

const nothing = () => () => {}

/** Whether scripts run: false on the server and in the first render, true after. For what scripts replace. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    nothing,
    () => true,
    () => false,
  )
}
