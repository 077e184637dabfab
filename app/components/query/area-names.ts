import { useEffect, useState } from 'react'

/** How many codes of a question are looked up; the others are shown as codes. */
const maxLookedUp = 50
/** How many areas one search returns: a short code is found in many others. */
const maxFound = 200

/** What is known of an area: its name; null where the set has no area with this code; undefined where that is not known. */
type AreaNames = Record<string, string | null | undefined>

/**
 * The names of areas of a boundary set by their codes, looked up in the browser one after the other. A code that is not
 * looked up yet is missing from the result.
 */
export function useAreaNames(placeId: string, setId: string, codes: readonly string[]): AreaNames {
  const [lookups, setLookups] = useState<{ of: string; names: AreaNames }>({ of: '', names: {} })
  const names = lookups.of === setId ? lookups.names : {}
  const next = codes.slice(0, maxLookedUp).find((code) => !(code in names))
  useEffect(() => {
    if (placeId === '' || setId === '' || next === undefined) return
    const control = new AbortController()
    const lookUp = async () => {
      const { api } = await import('#app/client/api/index.ts')
      const setRequest = { placeId, boundarySetId: setId, options: { search: next, limit: maxFound } }
      const { results, meta } = await api().place.boundarySet.area.find(setRequest, {
        signal: control.signal,
      })
      const area = results.find(({ code }) => code === next)
      if (area) return area.name
      return meta.total === results.length ? null : undefined
    }
    const storeName = (name: string | null | undefined) => {
      if (control.signal.aborted) return
      setLookups((before) => ({
        of: setId,
        names: { ...(before.of === setId ? before.names : {}), [next]: name },
      }))
    }
    void lookUp().then(storeName, () => storeName(undefined))
    return () => control.abort()
  }, [placeId, setId, next])
  return names
}
