import type { BuilderField } from '#app/components/builder/values.ts'

/** A select of fields; an unknown current value stays selected, by its path. */
export function FieldSelect({
  label,
  value,
  fields,
  onChange,
}: {
  label: string
  value: string
  fields: BuilderField[]
  onChange(field: string): void
}) {
  return (
    <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      {fields.some(({ field }) => field === value) ? null : <option value={value}>{value}</option>}
      {fields.map(({ field, name }) => (
        <option key={field} value={field}>
          {name}
        </option>
      ))}
    </select>
  )
}
