import { useEffect, useState } from 'react'

type OwnSets = [id: string, name: string][]

/** The boundary sets of a place by name: the public ones, or all that are visible to the person; empty until loaded. */
export function useOwnSets(placeId: string, which: 'public' | 'seen' = 'public'): OwnSets {
  const [sets, setSets] = useState<OwnSets>([])
  useEffect(() => {
    const control = new AbortController()
    if (placeId === '') return
    const ask = async () => {
      const { api } = await import('#app/client/api/index.ts')
      const { boundarySet } = api().place
      const signal = { signal: control.signal }
      if (which === 'public') {
        const { results } = await boundarySet.offered({ placeId }, signal)
        return setSets(results.flatMap((set) => (set.placeId === null ? [] : [[set.id, set.name]])))
      }
      const { results } = await boundarySet.find({ placeId, options: { limit: '200' } }, signal)
      setSets(
        results.map(({ id, name, visibility }) => [
          id,
          visibility === 'public' ? name : `${name} (not on the hub)`,
        ]),
      )
    }
    // After a failure only the built-in sets are offered.
    void ask().catch(() => {})
    return () => control.abort()
  }, [placeId, which])
  return sets
}
