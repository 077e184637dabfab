import { unknownTargets } from '#functions/importers/map/index.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import type { Mapping } from '#functions/shapes/importerMapping.ts'

const shown = 20

/**
 * What is to be said of a mapping whose fields the data type does not have (any more): their columns go nowhere. Null
 * where it has them all. It is no reason to refuse the rows, for the other fields are as good as ever.
 */
export function unknownFields(mapping: Mapping, schema: FieldSchema): string | null {
  const unknown = unknownTargets(mapping, schema)
  if (unknown.length === 0) return null
  const names = unknown.slice(0, shown).map((name) => `"${name}"`)
  const more = unknown.length > shown ? ` and ${unknown.length - shown} more` : ''
  return `The mapping names fields that the data type does not have: ${names.join(', ')}${more}. Nothing is kept for them.`
}
