import { SelectField, TextArea, TextField } from '#app/components/form/field.tsx'
import type { CustomField, CustomKind } from '#functions/shapes/custom-field.ts'
import { customName } from './custom-form.ts'

const inputTypes: Partial<Record<CustomKind, string>> = { date: 'date', url: 'url', email: 'email' }

/** The inputs of the organization's custom fields. Nothing without any. */
export function CustomInputs({ fields }: { fields: readonly CustomField[] }) {
  if (fields.length === 0) return null
  return (
    <fieldset className="fieldset">
      <legend>Fields of your organization</legend>
      {fields.map((field) => (
        <CustomInput key={field.key} field={field} name={customName(field.key)} />
      ))}
    </fieldset>
  )
}

/** The input of a custom field. `empty`: the label of an empty choice; `defaultValue`: outside of a form that provides it. */
export function CustomInput({
  field,
  name,
  empty = 'Not stated',
  ...rest
}: {
  field: CustomField
  name: string
  empty?: string
  defaultValue?: string | undefined
}) {
  const { title, notes, kind, choices, isPublic } = field
  const own = rest.defaultValue === undefined ? {} : { defaultValue: rest.defaultValue }
  // Required fields are checked only by the server, so that a browser does not block saving the rest.
  const label = field.required ? `${title} (required)` : title
  const hint = [notes, isPublic ? '' : 'Only your organization sees it.'].filter(Boolean).join(' ')
  if (kind === 'choice')
    return (
      <SelectField
        {...{ label, name, hint, ...own }}
        options={[
          { value: '', label: empty },
          ...choices.map((choice) => ({ value: choice, label: choice })),
        ]}
      />
    )
  if (kind === 'longText') return <TextArea {...{ label, name, hint, ...own }} maxLength={10_000} />
  return (
    <TextField
      {...{ label, name, hint, ...own }}
      type={inputTypes[kind] ?? 'text'}
      {...(kind === 'number' && { inputMode: 'decimal' as const })}
    />
  )
}
