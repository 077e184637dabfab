import { useEffect, useState } from 'react'
import { useOwnSets } from '#app/client/use-own-sets.ts'
import type { MapPer } from '#functions/shapes/analytics.ts'
import { isPlainNumber } from '#functions/shapes/boundarySet.ts'

interface PerFieldProps {
  placeId: string
  /** The set whose regions the map is of; '': it is found from the values. */
  setId: string
  per: MapPer | undefined
  /** A `tag` joins what is typed into one step back. */
  onChange(per: MapPer | undefined, tag?: string): void
}

/** In the value of the choice: what follows is an attribute of the set. */
const prefix = 'of:'

/**
 * What the measure of a map of regions is divided by: their areas, or numbers that a set of the organization has of them, as how many people live there.
 * Sets that everyone has bring no numbers; there a question joins a source that has them.
 */
export function PerField({ placeId, setId, per, onChange }: PerFieldProps) {
  const sets = useOwnSets(placeId, 'seen')
  const isOwn = sets.some(([id]) => id === setId)
  const known = useNumbers(placeId, isOwn ? setId : '')
  const chosen = typeof per === 'object' ? per.attribute : null
  const attributes = chosen === null || known.includes(chosen) ? known : [chosen, ...known]
  return (
    <>
      <label className="field">
        <span className="field-label">Coloured by</span>
        <select
          value={chosen === null ? (per ?? '').toString() : prefix + chosen}
          aria-describedby="per-hint"
          onChange={({ target: { value } }) =>
            onChange(
              value.startsWith(prefix)
                ? { attribute: value.slice(prefix.length) }
                : value === 'area'
                  ? value
                  : undefined,
            )
          }
        >
          <option value="">The measure</option>
          <option value="area">The measure per area (km²) of the region</option>
          {attributes.map((name) => (
            <option key={name} value={prefix + name}>
              The measure per {name}
            </option>
          ))}
        </select>
        <span id="per-hint" className="field-hint">
          {isOwn
            ? 'Per a number of the set: how many people live there, how many homes there are.'
            : 'Choose a set of your organization that has numbers of its areas to divide by one of them.'}
        </span>
      </label>
      {chosen === null ? null : (
        <label className="field">
          <span className="field-label">Called on the map</span>
          <input
            value={(typeof per === 'object' ? per.name : undefined) ?? ''}
            maxLength={100}
            placeholder={chosen}
            onChange={({ target: { value } }) =>
              onChange({ attribute: chosen, ...(value.trim() ? { name: value } : {}) }, 'per.name')
            }
          />
        </label>
      )}
    </>
  )
}

/** The attributes of a set that are numbers, as far as its first values say; none until they are known. */
function useNumbers(placeId: string, boundarySetId: string): string[] {
  const [numbers, setNumbers] = useState<{ of: string; names: string[] }>({ of: '', names: [] })
  useEffect(() => {
    const control = new AbortController()
    if (placeId === '' || boundarySetId === '') return
    const ask = async () => {
      const { api } = await import('#app/client/api/index.ts')
      const signal = { signal: control.signal }
      const { fields, codeField } = await api().place.boundarySet.findById({ placeId, boundarySetId }, signal)
      const names = fields.flatMap(({ name, samples }) =>
        name !== codeField && samples.length > 0 && samples.every(isPlainNumber) ? [name] : [],
      )
      setNumbers({ of: boundarySetId, names })
    }
    // Who cannot be asked now divides by areas.
    void ask().catch(() => {})
    return () => control.abort()
  }, [placeId, boundarySetId])
  return numbers.of === boundarySetId ? numbers.names : []
}
