import { SelectField, TextArea, TextField } from '#app/components/form/field.tsx'
import type { CustomField, CustomKind } from '#functions/shapes/customField.ts'
import { customName } from './custom-form.ts'

const inputTypes: Partial<Record<CustomKind, string>> = { date: 'date', url: 'url', email: 'email' }

/** The fields that the organization has made for its sources. Nothing where it has made none. */
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

/** The input of one of them. `empty`: what an empty choice is called; `defaultValue`: where it stands in no form that says it. */
export function CustomInput({
  field,
  name,
  empty = 'Not stated',
  ...given
}: {
  field: CustomField
  name: string
  empty?: string
  defaultValue?: string | undefined
}) {
  const { title, notes, kind, choices, isPublic } = field
  const own = given.defaultValue === undefined ? {} : { defaultValue: given.defaultValue }
  // What may be left out is the rule and not said; a required one is refused by the server alone, so that the rest of a draft is not lost.
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
