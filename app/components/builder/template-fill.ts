import { isAmount, type Field, type FieldSchema } from '#functions/shapes/field.ts'
import { isObject, type JsonObject } from './json.ts'

/** A template as returned by the server. */
export interface Template {
  id: string
  category: string
  name: string
  notes: string
  fields: FieldSchema
  visualization: JsonObject
  query: JsonObject
}

/**
 * The template's query with its fields replaced by those of a data type: by key, else by measurement, else the first of its type, each
 * used once. Null if a field has no match.
 */
export function fillTemplate(template: Template, schema: FieldSchema): JsonObject | null {
  const choices = new Map<string, string>()
  const free = new Map(Object.entries(schema))
  const templateFields = Object.entries(template.fields)
  const choose = (fits: (key: string, field: Field, own: string, templateField: Field) => boolean) => {
    for (const [own, templateField] of templateFields) {
      if (choices.has(own)) continue
      const match = [...free].find(
        ([key, field]) => isOfKind(field, templateField) && fits(own, templateField, key, field),
      )
      if (!match) continue
      choices.set(own, match[0])
      free.delete(match[0])
    }
  }
  choose((own, _mine, key) => own === key)
  choose(
    (_own, templateField, _key, field) =>
      templateField.measurement !== undefined && field.measurement?.type === templateField.measurement.type,
  )
  choose((_own, templateField, _key, field) =>
    field.name.toLowerCase().includes(templateField.name.toLowerCase()),
  )
  choose((_own, _mine, _key, field) => !isId(field))
  choose(() => true)
  if (choices.size < templateFields.length) return null
  const newPath = (path: string) => {
    const [, own = ''] = /^data\.(.+)$/.exec(path) ?? []
    const key = choices.get(own)
    return key === undefined ? path : `data.${key}`
  }
  return replace(template.query, newPath) as JsonObject
}

/** Templates sum and average numbers: only measures may replace them, unless the template's own field is none. */
const isOfKind = (field: Field, templateField: Field) =>
  field.type === templateField.type &&
  (templateField.type !== 'number' || isAmount(field) || !isAmount(templateField))

/** Grouping by a unique field is useless. */
const isId = ({ name, identifier }: Field) => identifier === true || /^(id|code|key)$/i.test(name)

/** Renames all fields in a value: in `{ field }`, and as keys of filters. */
function replace(value: unknown, newPath: (path: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => replace(each, newPath))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      newPath(key),
      key === 'field' && typeof part === 'string' ? newPath(part) : replace(part, newPath),
    ]),
  )
}
