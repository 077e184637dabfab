import { useEffect, useState } from 'react'
import { useOwnSets } from '#app/client/use-own-sets.ts'
import type { MapPer } from '#functions/shapes/analytics.ts'
import { isPlainNumber } from '#functions/shapes/plain-number.ts'

interface PerFieldProps {
  placeId: string
  /** The map's region set; '': inferred from the values. */
  setId: string
  per: MapPer | undefined
  /** Changes with the same `tag` are merged into one undo step. */
  onChange(per: MapPer | undefined, tag?: string): void
}

/** The prefix of select values that are attributes of the set. */
const prefix = 'of:'

/**
 * The divisor of a region map's measure: areas, or numeric attributes of the organization's set, such as population. Built-in sets
 * have no attributes; there a query can join a source with them.
 */
export function PerField({ placeId, setId, per, onChange }: PerFieldProps) {
  const sets = useOwnSets(placeId, 'seen')
  const isOwn = sets.some(([id]) => id === setId)
  const numericAttributes = useNumbers(placeId, isOwn ? setId : '')
  const selectedAttribute = typeof per === 'object' ? per.attribute : null
  const attributes =
    selectedAttribute === null || numericAttributes.includes(selectedAttribute)
      ? numericAttributes
      : [selectedAttribute, ...numericAttributes]
  return (
    <>
      <label className="field">
        <span className="field-label">Coloured by</span>
        <select
          value={selectedAttribute === null ? (per ?? '').toString() : prefix + selectedAttribute}
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
      {selectedAttribute === null ? null : (
        <label className="field">
          <span className="field-label">Called on the map</span>
          <input
            value={(typeof per === 'object' ? per.name : undefined) ?? ''}
            maxLength={100}
            placeholder={selectedAttribute}
            onChange={({ target: { value } }) =>
              onChange({ attribute: selectedAttribute, ...(value.trim() ? { name: value } : {}) }, 'per.name')
            }
          />
        </label>
      )}
    </>
  )
}

/** The numeric attributes of a set, judging by its first values; empty until loaded. */
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
    // After a failure only areas are offered.
    void ask().catch(() => {})
    return () => control.abort()
  }, [placeId, boundarySetId])
  return numbers.of === boundarySetId ? numbers.names : []
}
