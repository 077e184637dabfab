import { lazy, Suspense } from 'react'
import { useToastsWanted } from '#app/client/toast.ts'

const Messages = lazy(() => import('./toast-container.tsx'))

/** Where short messages appear, from the first one on. */
export function Toasts() {
  return useToastsWanted() ? (
    <Suspense fallback={null}>
      <Messages />
    </Suspense>
  ) : null
}
