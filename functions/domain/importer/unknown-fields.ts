import { listUnknownTargets } from '#functions/engine/import/map/index.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import type { Mapping } from '#functions/shapes/importer-mapping.ts'

const maxNamed = 20

/** Names in a sentence, in quotes: the first few, and how many more there are. */
export function quoteNames(names: readonly string[]): string {
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ''
  return `${names
    .slice(0, maxNamed)
    .map((name) => `"${name}"`)
    .join(', ')}${more}`
}

/**
 * A warning for a mapping to fields that the data type does not have (any more), whose columns are ignored. Null where
 * it has them all. Not an error, since the other fields are not affected.
 */
export function describeUnknownFields(mapping: Mapping, schema: FieldSchema): string | null {
  const unknown = listUnknownTargets(mapping, schema)
  if (unknown.length === 0) return null
  return `The mapping names fields that the data type does not have: ${quoteNames(unknown)}. Nothing is kept for them.`
}
