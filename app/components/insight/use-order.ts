import { useFetcher } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'

export interface Order {
  /** The optimistic order of ids, not saved yet; null: the server's. */
  order: string[] | null
  arrange(ids: string[]): void
}

/**
 * Saves the order of a list to its screen as `arrange`: sequentially, since concurrent ones could each move half of it. It belongs to
 * the screen and not to the list, so that a pending order is saved even if the list was closed.
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
