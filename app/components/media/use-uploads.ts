import { useCallback, useEffect, useRef, useState } from 'react'
import type { Asset } from './asset.ts'
import { describeUploadError, sendFile } from './send-file.ts'

/** A file being uploaded. */
export interface Upload {
  id: number
  name: string
  size: number
  state: 'waiting' | 'sending' | 'done' | 'failed'
  /** The share that was sent, 0 to 1. */
  share: number
  /** The error message. */
  message: string
}

/** Concurrent uploads; more would only share the same bandwidth. */
const sideBySide = 2

/** Uploads files to a library, two at a time, with progress. `onSent` is called for each finished one; unmounting aborts the rest. */
export function useUploads({ assetsId, onSent }: { assetsId: string; onSent(asset: Asset): void }) {
  const [uploads, setUploads] = useState<Upload[]>([])
  const queue = useRef<{ id: number; file: File; folderId: string | null }[]>([])
  const running = useRef(0)
  const nextId = useRef(1)
  const stop = useRef(new AbortController())
  const onSentRef = useRef(onSent)
  onSentRef.current = onSent

  useEffect(() => {
    const control = new AbortController()
    stop.current = control
    return () => control.abort()
  }, [])

  const change = useCallback((id: number, changes: Partial<Upload>) => {
    setUploads((list) => list.map((one) => (one.id === id ? { ...one, ...changes } : one)))
  }, [])

  const work = useCallback(() => {
    const { signal } = stop.current
    while (running.current < sideBySide) {
      const next = queue.current.shift()
      if (!next) return
      running.current += 1
      change(next.id, { state: 'sending' })
      const { id, file, folderId } = next
      sendFile({ assetsId, folderId, file, signal, onProgress: (share) => change(id, { share }) })
        .then(
          (asset) => {
            change(id, { state: 'done', share: 1 })
            onSentRef.current(asset)
          },
          (error: unknown) => change(id, { state: 'failed', message: describeUploadError(error) }),
        )
        .finally(() => {
          running.current -= 1
          // oxlint-disable-next-line react/immutability -- it calls itself, long after it was declared
          work()
        })
    }
  }, [assetsId, change])

  const add = useCallback(
    (files: readonly File[], folderId: string | null) => {
      const additions = files.map((file) => ({ id: nextId.current++, file, folderId }))
      queue.current.push(...additions)
      setUploads((list) => [
        ...list.filter(({ state }) => state !== 'done'),
        ...additions.map(({ id, file: { name, size } }) => ({
          ...{ id, name, size, state: 'waiting' as const, share: 0, message: '' },
        })),
      ])
      work()
    },
    [work],
  )
  const clear = useCallback(
    () => setUploads((list) => list.filter(({ state }) => state === 'waiting' || state === 'sending')),
    [],
  )
  return { uploads, add, clear }
}
