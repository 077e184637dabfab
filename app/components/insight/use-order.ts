import { useFetcher } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'

export interface Order {
  /** The ids in the order a person wants and the server does not have yet; null: the server's own. */
  order: string[] | null
  arrange(ids: string[]): void
}

/**
 * Sends the order of a list to the screen it is on, as `arrange`: one at a time, since two at once could each move half
 * of it. It belongs to the screen and not to the list, so that what waits is sent though the list was closed.
 */
export function useOrder(): Order {
  const { state, submit } = useFetcher()
  const [sendingOrder, setSendingOrder] = useState<string[] | null>(null)
  const lastSent = useRef<string | null>(null)
  useEffect(() => {
    if (!sendingOrder || state !== 'idle') return
    const order = sendingOrder.join(',')
    if (lastSent.current === order) {
      lastSent.current = null
      setSendingOrder(null)
    } else {
      lastSent.current = order
      void submit({ intent: 'arrange', order }, { method: 'post' })
    }
  }, [sendingOrder, state, submit])
  return { order: sendingOrder, arrange: setSendingOrder }
}
