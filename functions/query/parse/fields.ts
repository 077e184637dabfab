import type { QueryField } from '../types.ts'

/** The fields a query may use, by path. What is not here does not exist for the caller. */
export interface FieldIndex {
  readonly byPath: ReadonlyMap<string, QueryField>
  /** Heads that only group fields, such as `data`. */
  readonly groups: ReadonlySet<string>
}

/** The index of a list of fields. */
export function indexFields(fields: readonly QueryField[]): FieldIndex {
  const byPath = new Map(fields.map((field) => [field.path, field]))
  const heads = fields.flatMap(({ path }) => (path.includes('.') ? [path.slice(0, path.indexOf('.'))] : []))
  return { byPath, groups: new Set(heads.filter((head) => !byPath.has(head))) }
}

export type FoundField = { field: QueryField; deeper: string[] } | { message: string }

/** The field a dotted path names, with the keys below it; or the text of what is wrong with the path. */
export function findField({ byPath, groups }: FieldIndex, path: string): FoundField {
  const exact = byPath.get(path)
  if (exact) return { field: exact, deeper: [] }
  const [head = '', next, ...rest] = path.split('.')
  if (next === undefined) return { message: 'Field does not exist.' }
  if (groups.has(head)) {
    const field = byPath.get(`${head}.${next}`)
    if (!field || !hasInside(field))
      return { message: `Field does not exist: ${field ? path : `${head}.${next}`}` }
    return { field, deeper: rest }
  }
  const column = byPath.get(head)
  if (!column) return { message: `Field does not exist: ${head}` }
  if (column.type !== 'object') return { message: `Field is not JSON: ${head}` }
  if (!column.schema) return { message: `Field is not queryable: ${head}` }
  if (!Object.hasOwn(column.schema, next)) return { message: `Field does not exist: ${head}.${next}` }
  return { field: column, deeper: [next, ...rest] }
}

/** Whether values of the field have keys or places of their own: maps, lists and geometries do. */
function hasInside({ type }: QueryField): boolean {
  return !['text', 'number', 'boolean', 'date'].includes(type)
}
