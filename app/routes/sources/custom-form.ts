import type { CustomField, CustomValueChanges, CustomValues } from '#functions/shapes/custom-field.ts'

const prefix = 'customFields.'

/** The name of a field's input, which equals the path of its issues. */
export const customName = (key: string) => `${prefix}${key}`

/** The initial values by input name. */
export function customFormValues(
  fields: readonly CustomField[],
  values: CustomValues,
): Record<string, string> {
  return Object.fromEntries(fields.map(({ key }) => [customName(key), String(values[key] ?? '')]))
}

/** The custom field values of a form for the endpoint: null if empty. */
export function customValuesIn(form: FormData): CustomValueChanges {
  return Object.fromEntries(
    [...form].flatMap(([name, value]): [string, string | null][] =>
      name.startsWith(prefix) && typeof value === 'string'
        ? [[name.slice(prefix.length), value.trim() === '' ? null : value]]
        : [],
    ),
  )
}
