import { useEffect, useState } from 'react'

interface RegionSetFieldProps {
  placeId: string
  /** The set that is chosen; '': it is found from the values. */
  value: string
  onChange(id: string): void
}

/** The sets of regions that everyone has. */
const everyones: [id: string, name: string][] = [
  ['us-states', 'States of the United States'],
  ['us-counties', 'Counties of the United States'],
  ['world-countries', 'Countries of the world'],
]

/** Chooses what the regions of a map are: one of the sets that everyone has, or a public one of the place. */
export function RegionSetField({ placeId, value, onChange }: RegionSetFieldProps) {
  const own = useOwnSets(placeId)
  const sets = [...own, ...everyones]
  const isGone = value !== '' && !sets.some(([id]) => id === value)
  return (
    <label className="field">
      <span className="field-label">Regions of</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">Found from the values</option>
        {sets.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {isGone ? <option value={value}>{value}</option> : null}
      </select>
    </label>
  )
}

/** The public sets of the place; empty until they are known. */
function useOwnSets(placeId: string): [id: string, name: string][] {
  const [sets, setSets] = useState<[id: string, name: string][]>([])
  useEffect(() => {
    const control = new AbortController()
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
