import { useCallback, useEffect, useState } from 'react'
import { refusalLine } from '../form/message-words.ts'
import type { Asset } from './asset.ts'

/** Maximum number of pictures in a picker; others are found by search. */
const most = 60

/** The state of a picker's search; `assets` null while loading for the first time. */
interface LibraryResult {
  assets: Asset[] | null
  total: number
  /** The error message; null without one. */
  error: string | null
  again(): void
}

/** The pictures of a library that match a search, newest first; debounced by 250 ms. */
export function useLibrary(assetsId: string, search: string): LibraryResult {
  const [assets, setAssets] = useState<Asset[] | null>(null)
  const [total, setTotal] = useState(0)
  const [error, setError] = useState<string | null>(null)
  const [round, setRound] = useState(0)
  useEffect(() => {
    const control = new AbortController()
    const ask = async () => {
      const { api } = await import('#app/client/api/index.ts')
      const options = {
        ...(search.trim() ? { search: search.trim() } : {}),
        kind: 'image' as const,
        limit: most,
        orderings: [{ value: { field: 'createdAt' }, direction: 'desc' as const }],
      }
      const page = await api().assets.file.find(
        { assetsId, options: options as never },
        { signal: control.signal },
      )
      setAssets(page.results)
      setTotal(page.meta.total)
      setError(null)
    }
    const timer = setTimeout(
      () =>
        void ask().catch((cause: unknown) => {
          if (control.signal.aborted) return
          setError(cause instanceof Error ? refusalLine(cause.message) : 'The library could not be loaded.')
        }),
      search ? 250 : 0,
    )
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [assetsId, search, round])
  const again = useCallback(() => setRound((n) => n + 1), [])
  return { assets, total, error, again }
}
