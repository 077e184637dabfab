import type { CustomField, CustomValueChanges, CustomValues } from '#functions/shapes/customField.ts'

const prefix = 'customFields.'

/** The name of the input of a field: what is wrong with a value has this path. */
export const customName = (key: string) => `${prefix}${key}`

/** What the inputs begin with, by their names. */
export function customFormValues(
  fields: readonly CustomField[],
  values: CustomValues,
): Record<string, string> {
  return Object.fromEntries(fields.map(({ key }) => [customName(key), String(values[key] ?? '')]))
}

/** What a form says in the fields of the organization, as the endpoint takes it: what was left empty is null. */
export function customValuesIn(form: FormData): CustomValueChanges {
  return Object.fromEntries(
    [...form].flatMap(([name, value]): [string, string | null][] =>
      name.startsWith(prefix) && typeof value === 'string'
        ? [[name.slice(prefix.length), value.trim() === '' ? null : value]]
        : [],
    ),
  )
}
