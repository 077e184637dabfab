import { useState } from 'react'
import { useRoot } from '#app/root.tsx'
import { AreaInput } from '#app/components/query/area-input.tsx'
import { builtInSets, nameOfSet } from '#functions/shapes/region-sets.ts'
import type { RecordsQuery } from './records-query.ts'

interface WithinFieldsProps {
  sets: { id: string; name: string }[]
  place: RecordsQuery['place']
}

/**
 * Filters records by an area of a boundary set, in a GET form. The area is found by name or code; without
 * scripts it is typed without suggestions.
 */
export function WithinFields({ sets, place }: WithinFieldsProps) {
  const placeId = useRoot()?.main?.place?.id ?? ''
  const [first] = sets
  const [setId, setSetId] = useState(place.set || (first?.id ?? 'world-countries'))
  return (
    <>
      <label className="field">
        <span className="field-label">Within</span>
        <select name="set" value={setId} onChange={({ target }) => setSetId(target.value)}>
          {sets.length > 0 ? (
            <optgroup label="Of your organization">
              {sets.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </optgroup>
          ) : null}
          <optgroup label="Everyone’s">
            {builtInSets().map((id) => (
              <option key={id} value={id}>
                {nameOfSet(id)}
              </option>
            ))}
          </optgroup>
        </select>
      </label>
      <AreaInput
        key={setId}
        {...{ placeId, setId }}
        label="Area"
        name="area"
        defaultValue={setId === place.set ? place.area : ''}
      />
    </>
  )
}
