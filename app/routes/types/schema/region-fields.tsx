import { useRouteLoaderData } from '@remix-run/react'
import { useOwnSets } from '#app/client/use-own-sets.ts'
import { SelectField } from '#app/components/form/field.tsx'
import type { RefusedForm } from '#app/components/form/issues.ts'
import type { FieldDraft } from '#app/components/schema/draft.ts'
import type { MainFrame } from '#app/components/shell/frame.ts'

interface RegionFieldsProps {
  field: FieldDraft
  /** The fields beside it, of which one is the point. */
  beside: readonly FieldDraft[]
  at: string
  refused: RefusedForm
  onChange(field: FieldDraft): void
}

/** Has a text be calculated: the area of a public set of the organization that the point of a record lies in. */
export function RegionFields({ field, beside, at, refused, onChange }: RegionFieldsProps) {
  const frame = useRouteLoaderData<{ main: MainFrame | null }>('root')?.main
  const sets = useOwnSets(frame?.place?.id ?? '')
  const points = beside.filter(({ type }) => type === 'point')
  const { regionOf } = field
  // A field that has values of its own keeps them.
  const isFixed = field.was !== null && !regionOf
  if (isFixed || (!regionOf && (points.length === 0 || sets.length === 0))) return null
  const name = `${at}.regionOf`
  const isUnknown = regionOf && !sets.some(([id]) => id === regionOf.boundarySetId)
  const setOptions = [...sets, ...(isUnknown ? [[regionOf.boundarySetId, regionOf.boundarySetId]] : [])].map(
    ([value = '', label = '']) => ({ value, label }),
  )
  const choose = (boundarySetId: string) => {
    const point = regionOf?.point ?? points[0]?.id ?? ''
    const next = { point, boundarySetId, value: regionOf?.value ?? ('name' as const) }
    onChange({ ...field, regionOf: boundarySetId ? next : null, rules: boundarySetId ? {} : field.rules })
  }
  return (
    <div className="field-row">
      <SelectField
        form=""
        refused={refused}
        label="Region of a set"
        name={`${name}.boundarySetId`}
        hint="Calculated for each record of its point; no value is brought."
        options={[{ value: '', label: 'None: values are brought' }, ...setOptions]}
        value={regionOf?.boundarySetId ?? ''}
        onChange={(event) => choose(event.target.value)}
      />
      {regionOf ? (
        <>
          <SelectField
            form=""
            refused={refused}
            label="Point"
            name={`${name}.point`}
            options={points.map(({ id, name: label }) => ({ value: id, label }))}
            value={regionOf.point}
            onChange={(event) => onChange({ ...field, regionOf: { ...regionOf, point: event.target.value } })}
          />
          <SelectField
            form=""
            refused={refused}
            label="Of the area"
            name={`${name}.value`}
            options={[
              { value: 'name', label: 'Name' },
              { value: 'code', label: 'Code' },
            ]}
            value={regionOf.value}
            onChange={(event) =>
              onChange({ ...field, regionOf: { ...regionOf, value: event.target.value as 'name' | 'code' } })
            }
          />
        </>
      ) : null}
    </div>
  )
}
