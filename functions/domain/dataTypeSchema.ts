import { Failure } from '../errors.ts'
import { cleanDataType, validateDataType } from '../shapes/fields/document.ts'
import type { Issue } from '../shapes/issue.ts'

/** The part of a data type that says what its records are. */
export interface DataTypeDocument {
  schema: Record<string, unknown>
  temporal?: { primary: string } | null
  mappingLabelSchema?: Record<string, string> | null
}

/** The document as it is stored. Failure `invalid` with everything that is wrong in it. */
export function checkedSchema<Document extends DataTypeDocument>(document: Document): Document {
  const cleaned = cleanDataType(Object.fromEntries(Object.entries(document)))
  const issues = validateDataType(cleaned, 'schema')
  if (issues.length) throw new Failure('invalid', { issues })
  return cleaned as unknown as Document
}

/** Refuses to change the type of a field that already has a column: its values would no longer fit. */
export function refuseRetyped(before: Record<string, unknown>, after: Record<string, unknown>): void {
  const issues = Object.entries(after).flatMap(([key, field]): Issue[] => {
    const old = Object.hasOwn(before, key) ? typeOf(before[key]) : undefined
    const type = typeOf(field)
    if (old === undefined || old === type) return []
    return [
      {
        path: ['schema', key, 'type'],
        value: type,
        message: `There is data of this field, and it is ${old}.`,
      },
    ]
  })
  if (issues.length) throw new Failure('invalid', { issues })
}

/** The type of a field; for a list with the type of its items. */
function typeOf(field: unknown): string {
  const { type, items } = field as { type?: string; items?: { type?: string } }
  return type === 'array' ? `array of ${items?.type ?? 'unknown'}` : String(type)
}
