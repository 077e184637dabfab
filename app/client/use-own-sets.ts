import { useEffect, useState } from 'react'

/** The public sets of the place; empty until they are known. */
export function useOwnSets(placeId: string): [id: string, name: string][] {
  const [sets, setSets] = useState<[id: string, name: string][]>([])
  useEffect(() => {
    const control = new AbortController()
    if (placeId === '') return
    const ask = async () => {
      const { api } = await import('#app/client/api/index.ts')
      const { results } = await api().place.boundarySet.offered({ placeId }, { signal: control.signal })
      setSets(results.flatMap((set) => (set.placeId === null ? [] : [[set.id, set.name]])))
    }
    // Who cannot be asked now has the sets of everyone.
    void ask().catch(() => {})
    return () => control.abort()
  }, [placeId])
  return sets
}
