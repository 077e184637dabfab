import { useOwnSets } from '#app/client/use-own-sets.ts'

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

/** Chooses what the regions of a map are: one of the sets that everyone has, or one of the place. Those that are not public colour maps in the workspace only. */
export function RegionSetField({ placeId, value, onChange }: RegionSetFieldProps) {
  const own = useOwnSets(placeId, 'seen')
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
