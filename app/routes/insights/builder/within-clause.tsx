import { useState } from 'react'
import { Clause, RemoveButton } from '#app/components/builder/clause.tsx'
import { isObject, type JsonObject } from '#app/components/builder/json.ts'
import { messagesAt, useLanguage } from '#app/components/builder/language.ts'
import { changeClauses, type Clauses } from '#app/components/builder/query-model.ts'
import { AreaInput } from '#app/components/query/area-input.tsx'
import { useAreaNames } from '#app/components/query/area-names.ts'
import { SetField, type ChosenSet } from '#app/components/query/set-field.tsx'
import { isGeometryType } from '#functions/shapes/field.ts'
import type { ColumnClauseProps } from './column-clauses.tsx'

interface AreaCondition {
  boundarySetId: string
  area: string[]
}

/** The areas of a set that limit a query; null for none, and for a box, which is shown as JSON. */
export function areasIn(within: unknown): AreaCondition | null {
  if (!isObject(within) || typeof within.boundarySetId !== 'string') return null
  const codes = (Array.isArray(within.area) ? within.area : [within.area]).filter(
    (code): code is string | number => typeof code === 'string' || typeof code === 'number',
  )
  return { boundarySetId: within.boundarySetId, area: codes.map(String) }
}

/** Limits the query to these areas; null removes the limit. Other parts keep their order. */
export function narrowed(clauses: Clauses, within: AreaCondition | null): Clauses {
  const { within: _before, ...otherParts } = clauses.unshownParts
  const next: JsonObject =
    within && within.area.length > 0 ? { ...otherParts, within: { ...within } } : otherParts
  return changeClauses(clauses, { unshownParts: next })
}

/** Limits a query to records within areas of a public set; hidden if the data have no positions. */
export function WithinClause({ placeId, clauses, onChange }: ColumnClauseProps & { placeId: string }) {
  const { fields, issues } = useLanguage()
  const within = areasIn(clauses.unshownParts.within)
  const [selectedSet, setSelectedSet] = useState<ChosenSet | null>(null)
  const setId = within?.boundarySetId ?? selectedSet?.id ?? ''
  const hasPlaces = fields.some(({ type }) => isGeometryType(type))
  const isOther = within === null && clauses.unshownParts.within !== undefined
  // For sets of other organizations, areas come from the owner.
  const owner = selectedSet?.id === setId ? selectedSet.placeId : null
  const names = useAreaNames(owner ?? placeId, setId, within?.area ?? [])
  if (isOther || (within === null && !hasPlaces)) return null
  const changeAreas = (area: string[]) => onChange(narrowed(clauses, { boundarySetId: setId, area }))
  return (
    <Clause title="Within areas" messages={messagesAt(issues, 'within')}>
      <div className="chart-settings">
        <SetField
          label="Areas of"
          none="Everywhere"
          whose="all"
          value={setId}
          onChange={(set) => {
            setSelectedSet(set)
            onChange(narrowed(clauses, null))
          }}
        />
        {setId === '' ? null : (
          <AreaInput
            key={setId}
            {...{ setId }}
            placeId={owner ?? placeId}
            label="Add an area"
            onChoose={({ code }) => {
              if (!within?.area.includes(code)) changeAreas([...(within?.area ?? []), code])
            }}
          />
        )}
      </div>
      {within ? (
        <ul className="row" aria-label="Areas that are asked">
          {within.area.map((code) => (
            <li key={code} className="tag">
              {names[code] === null ? `${code}: not an area of this set` : (names[code] ?? code)}
              <RemoveButton
                what={names[code] ?? code}
                onPress={() => {
                  if (selectedSet?.id !== setId) setSelectedSet({ id: setId, name: setId, placeId: null })
                  changeAreas(within.area.filter((each) => each !== code))
                }}
              />
            </li>
          ))}
        </ul>
      ) : null}
    </Clause>
  )
}
