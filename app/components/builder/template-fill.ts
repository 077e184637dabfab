import { isAmount, type Field, type FieldSchema } from '#functions/shapes/field.ts'
import { isObject, type JsonObject } from './json.ts'

/** A ready-made question as the server lists it. */
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
 * The question of a template with the fields of a data type in the place of its own: each by its key, else the one that
 * measures the same, else the first of its type, and none twice. Null where the data type has no field for one of them.
 */
export function fillTemplate(template: Template, schema: FieldSchema): JsonObject | null {
  const chosen = new Map<string, string>()
  const free = new Map(Object.entries(schema))
  const wanted = Object.entries(template.fields)
  const choose = (fits: (key: string, field: Field, own: string, mine: Field) => boolean) => {
    for (const [own, mine] of wanted) {
      if (chosen.has(own)) continue
      const match = [...free].find(([key, field]) => isOfKind(field, mine) && fits(own, mine, key, field))
      if (!match) continue
      chosen.set(own, match[0])
      free.delete(match[0])
    }
  }
  choose((own, _mine, key) => own === key)
  choose(
    (_own, mine, _key, field) =>
      mine.measurement !== undefined && field.measurement?.type === mine.measurement.type,
  )
  choose((_own, mine, _key, field) => field.name.toLowerCase().includes(mine.name.toLowerCase()))
  choose((_own, _mine, _key, field) => !isId(field))
  choose(() => true)
  if (chosen.size < wanted.length) return null
  const renamed = (path: string) => {
    const [, own = ''] = /^data\.(.+)$/.exec(path) ?? []
    const key = chosen.get(own)
    return key === undefined ? path : `data.${key}`
  }
  return replace(template.query, renamed) as JsonObject
}

/** Templates add numbers up and average them: only amounts may stand for them, unless the template's own field is none. */
const isOfKind = (field: Field, mine: Field) =>
  field.type === mine.type && (mine.type !== 'number' || isAmount(field) || !isAmount(mine))

/** A field whose every value is another one tells nothing in groups. */
const isId = ({ name, identifier }: Field) => identifier === true || /^(id|code|key)$/i.test(name)

/** The value with every field renamed: in `{ field }`, and as the key of a filter. */
function replace(value: unknown, renamed: (path: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => replace(each, renamed))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      renamed(key),
      key === 'field' && typeof part === 'string' ? renamed(part) : replace(part, renamed),
    ]),
  )
}
