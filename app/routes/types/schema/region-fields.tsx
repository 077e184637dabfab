import { SetField } from '#app/components/query/set-field.tsx'
import { SelectField } from '#app/components/form/field.tsx'
import type { FormErrors } from '#app/components/form/issues.ts'
import type { FieldDraft } from '#app/components/schema/draft.ts'
import { isGeometryType } from '#functions/shapes/field.ts'

interface RegionFieldsProps {
  field: FieldDraft
  /** The fields on the same level, among them the points and shapes. */
  beside: readonly FieldDraft[]
  at: string
  errors: FormErrors
  onChange(field: FieldDraft): void
}

/**
 * Inputs that make a text calculated: the name or code of the area that contains the record's point, or the middle of
 * its line or area, from a built-in boundary set or a public one of the organization.
 */
export function RegionFields({ field, beside, at, errors, onChange }: RegionFieldsProps) {
  const points = beside.filter(({ type }) => isGeometryType(type))
  const { regionOf } = field
  // A stored field with its own values keeps them.
  const isFixed = field.was !== null && !regionOf
  if (isFixed || (!regionOf && points.length === 0)) return null
  const name = `${at}.regionOf`
  const choose = (boundarySetId: string) => {
    const point = regionOf?.point ?? points[0]?.id ?? ''
    const next = { point, boundarySetId, value: regionOf?.value ?? ('name' as const) }
    onChange({ ...field, regionOf: boundarySetId ? next : null, rules: boundarySetId ? {} : field.rules })
  }
  return (
    <div className="field-row">
      <SetField
        errors={errors}
        label="Region of a set"
        name={`${name}.boundarySetId`}
        hint="Calculated for each record of its point, or of the middle of its line or area; no value is brought."
        none="None: values are brought"
        whose="usable"
        value={regionOf?.boundarySetId ?? ''}
        onChange={(set) => choose(set?.id ?? '')}
      />
      {regionOf ? (
        <>
          <SelectField
            form=""
            errors={errors}
            label="Located by"
            name={`${name}.point`}
            options={points.map(({ id, name: label }) => ({ value: id, label }))}
            value={regionOf.point}
            onChange={(event) => onChange({ ...field, regionOf: { ...regionOf, point: event.target.value } })}
          />
          <SelectField
            form=""
            errors={errors}
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
