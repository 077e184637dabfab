import { unknownTargets } from '#functions/engine/import/map/index.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import type { Mapping } from '#functions/shapes/importerMapping.ts'

const mostNamed = 20

/** Names in a sentence, each in quotes: the first of them, and how many more. */
export function quoteNames(names: readonly string[]): string {
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : ''
  return `${names
    .slice(0, mostNamed)
    .map((name) => `"${name}"`)
    .join(', ')}${more}`
}

/**
 * What is to be said of a mapping whose fields the data type does not have (any more): their columns go nowhere. Null
 * where it has them all. It is no reason to refuse the rows, for the other fields are as good as ever.
 */
export function unknownFields(mapping: Mapping, schema: FieldSchema): string | null {
  const unknown = unknownTargets(mapping, schema)
  if (unknown.length === 0) return null
  return `The mapping names fields that the data type does not have: ${quoteNames(unknown)}. Nothing is kept for them.`
}
