import { hasSpan } from '#functions/shapes/calendar.ts'
import { isCalendarDate } from '#functions/shapes/field.ts'
import { FieldSelect } from './field-select.tsx'
import { useLanguage } from '#app/components/builder/language.ts'
import {
  constantFrom,
  divideField,
  divisionIn,
  getDefaultDivision,
  type BuilderField,
  type Division,
} from '#app/components/builder/values.ts'

/** A grouped field, and its grouping: by value, by a unit or part of its dates, or in steps of its numbers. */
export function Divide({
  value,
  label,
  onChange,
}: {
  value: unknown
  label: string
  onChange(value: unknown): void
}) {
  const { fields } = useLanguage()
  const fieldDivision = divisionIn(value)
  if (!fieldDivision) return null
  const { path, division } = fieldDivision
  const field = fields.find((each) => each.field === path)
  const type = field?.type
  const chooseField = (to: string) => {
    const next = fields.find((each) => each.field === to)
    if (next?.type === type && next?.precision === field?.precision)
      return onChange(divideField(to, division))
    onChange(divideField(to, getDefaultDivision(next)))
  }
  const isDivided = type === 'date' || type === 'number'
  return (
    <div className="divide">
      <FieldSelect label={`Field of ${label}`} value={path} fields={fields} onChange={chooseField} />
      {isDivided || division.by !== 'itself' ? (
        <DivisionSelect
          {...{ field, division, label }}
          onChange={(next) => onChange(divideField(path, next))}
        />
      ) : null}
      {division.by === 'steps' ? (
        <input
          aria-label={`Width of the steps of ${label}`}
          inputMode="decimal"
          value={String(division.width)}
          onChange={(event) => {
            const width = constantFrom(event.target.value, 'number')
            onChange(divideField(path, { by: 'steps', width: typeof width === 'boolean' ? 1 : width }))
          }}
        />
      ) : null}
    </div>
  )
}

interface DivisionSelectProps {
  /** The grouped field; undefined if unknown. */
  field: BuilderField | undefined
  division: Division
  label: string
  onChange(division: Division): void
}

/** The groupings of a field, by its type. */
function DivisionSelect({ field, division, label, onChange }: DivisionSelectProps) {
  const { functions } = useLanguage()
  const selectedValue = 'unit' in division ? `${division.by}:${division.unit}` : division.by
  const choose = (choice: string) => {
    const [by = '', unit = ''] = choice.split(':')
    const next: Division =
      by === 'bucket' || by === 'extract'
        ? { by, unit }
        : by === 'steps'
          ? { by, width: 10 }
          : { by: 'itself' }
    onChange(next)
  }
  const units = (by: 'bucket' | 'extract') => {
    const options = functions[by]?.signature[0]?.options ?? []
    return field && isCalendarDate(field)
      ? options.filter(({ value: unit }) => hasSpan(field.precision, unit))
      : options
  }
  const type = field?.type
  return (
    <select
      aria-label={`How ${label} is divided`}
      value={selectedValue}
      onChange={(event) => choose(event.target.value)}
    >
      <option value="itself">each value</option>
      {type === 'number' || division.by === 'steps' ? <option value="steps">in steps of</option> : null}
      {type === 'date' || 'unit' in division ? (
        <>
          <optgroup label={functions.bucket?.name ?? 'Bucket'}>
            {units('bucket').map((unit) => (
              <option key={unit.value} value={`bucket:${unit.value}`}>
                by {unit.label.toLowerCase()}
              </option>
            ))}
          </optgroup>
          <optgroup label={functions.extract?.name ?? 'Part'}>
            {units('extract').map((unit) => (
              <option key={unit.value} value={`extract:${unit.value}`}>
                {unit.label}
              </option>
            ))}
          </optgroup>
        </>
      ) : null}
    </select>
  )
}
