import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { knowledgeKeys, type Field, type FieldSchema } from '#functions/shapes/field.ts'
import { needsConversion } from './schema-change/fields.ts'
import { cleanDataType, validateDataType } from '#functions/shapes/fields/document.ts'
import { isPlainObject, getOwnProperty } from '#functions/shapes/fields/plain.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import { ChangedTypeError, makeTable, type TableOwner } from '#db/data-table.ts'

/** The part of a data type that describes its records. */
interface DataTypeDocument {
  schema: Record<string, unknown>
  temporal?: { primary: string } | null
  mappingLabelSchema?: Record<string, string> | null
}

/** The same with validated fields. */
export type CheckedDocument = DataTypeDocument & { schema: FieldSchema }

/** Validates the document and returns it as it is stored. Failure `invalid` with all issues. */
export function checkedSchema<Document extends DataTypeDocument>(
  document: Document,
): Document & CheckedDocument {
  const dataType = cleanDataType(Object.fromEntries(Object.entries(document)))
  const issues = validateDataType(dataType, 'schema')
  if (issues.length) throw new Failure('invalid', { issues })
  return { ...document, ...dataType } as Document & CheckedDocument
}

/**
 * Merges descriptive members of fields into a changed schema that omits them: older clients do not know these members,
 * and must not erase them by sending back what they have read. Null removes a member. `renames`: new keys by old ones.
 */
export function withKnowledge(
  before: object,
  after: object,
  renames: Record<string, string> = {},
): JsonObject {
  const origins = new Map(Object.entries(renames).map(([from, to]) => [to, from]))
  return Object.fromEntries(
    Object.entries(after).map(([key, field]) => {
      const was: unknown = getOwnProperty(before as JsonObject, origins.get(key) ?? key)
      return [key, isPlainObject(field) && isPlainObject(was) ? knowing(was, field, renames) : field]
    }),
  )
}

function knowing(was: JsonObject, field: JsonObject, renames: Record<string, string> = {}): JsonObject {
  // A field of another type describes something else: the old description of its values may be wrong or not allowed
  // any more.
  const keptKeys =
    was.type === field.type ? ['precision', ...knowledgeKeys].filter((key) => isKept(key, field)) : []
  const { regionOf } = was
  const isCalculated = field.type === 'text' && field.regionOf === undefined && isPlainObject(regionOf)
  return {
    ...field,
    ...(isCalculated && {
      regionOf: { ...regionOf, point: getOwnProperty(renames, String(regionOf.point)) ?? regionOf.point },
    }),
    ...Object.fromEntries(keptKeys.filter((key) => was[key] !== undefined).map((key) => [key, was[key]])),
    ...(isPlainObject(was.items) && isPlainObject(field.items) && { items: knowing(was.items, field.items) }),
    ...(isPlainObject(was.schema) &&
      isPlainObject(field.schema) && { schema: withKnowledge(was.schema, field.schema) }),
  }
}

/** Whether the change omits the member and everything that excludes it. */
function isKept(key: string, field: JsonObject): boolean {
  if (field[key] !== undefined) return false
  if (key === 'unit') return !field.measurement
  if (key === 'identifier') return field.additive !== true
  return key !== 'additive' || field.identifier !== true
}

/**
 * Refuses to change the type of a field that there are records of: its values would no longer fit. Failure `conflict`
 * with the path of each, those inside lists and maps included.
 */
export function refuseRetyped(before: FieldSchema, after: FieldSchema): void {
  const issues = retypedIn(before, after, ['schema'])
  if (issues.length) throw refuseNewType(issues)
}

/**
 * Adds the columns of new fields to the table of a data type that has one. Failure `conflict` for a field whose key had
 * another type before: the table still has that column.
 */
export async function widen(ctx: Context, owner: TableOwner): Promise<void> {
  if (owner.tableName === null) return
  try {
    await makeTable(ctx.db, owner)
  } catch (error) {
    if (!(error instanceof ChangedTypeError)) throw error
    throw refuseNewType([
      {
        path: ['schema', error.field, 'type'],
        value: owner.schema[error.field]?.type,
        message: 'There is data of a field with this key, of another type.',
      },
    ])
  }
}

function refuseNewType(issues: Issue[]): Failure {
  return new Failure('conflict', { message: 'There is data of this type.', issues })
}

type JsonObject = Record<string, unknown>

function retypedIn(before: FieldSchema, after: FieldSchema, path: Issue['path']): Issue[] {
  return Object.entries(after).flatMap(([key, field]) =>
    fieldRetyped(getOwnProperty(before, key), field, [...path, key]),
  )
}

/** `before` undefined: there was no such field. */
function fieldRetyped(before: Field | undefined, after: Field, path: Issue['path']): Issue[] {
  if (!before) return []
  if (before.type !== after.type) {
    const message = `There is data of this field, and it is ${before.type}.`
    return [{ path: [...path, 'type'], value: after.type, message }]
  }
  if (before.type === 'date' && needsConversion(before, after)) {
    const message = `There is data of this field, and it is exact to the ${before.precision ?? 'second'}.`
    return [{ path: [...path, 'precision'], value: after.precision, message }]
  }
  return [
    ...(after.items ? fieldRetyped(before.items, after.items, [...path, 'items']) : []),
    ...(before.schema && after.schema ? retypedIn(before.schema, after.schema, [...path, 'schema']) : []),
  ]
}
