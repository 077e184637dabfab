import { lazy, Suspense } from 'react'
import { useToastsWanted } from '#app/client/toast.ts'

const Messages = lazy(() => import('./toast-container.tsx'))

/** The container of toasts, loaded with the first message. */
export function Toasts() {
  return useToastsWanted() ? (
    <Suspense fallback={null}>
      <Messages />
    </Suspense>
  ) : null
}
