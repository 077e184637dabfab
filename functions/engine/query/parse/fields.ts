import type { QueryField } from '../types.ts'

/** The fields that a query may use, by path. Others do not exist for the caller. */
export interface FieldIndex {
  readonly byPath: ReadonlyMap<string, QueryField>
  /** Heads that only group fields, such as `data`. */
  readonly groups: ReadonlySet<string>
  /** The alias of the join whose fields these are; absent for the main rows. */
  readonly join?: string
  /** The fields of other rows, by the name that `~name.field` has. */
  readonly others: ReadonlyMap<string, FieldIndex>
}

/** The message for an unknown join. */
export const undefinedJoin = 'Must be a defined join!'

const none: ReadonlyMap<string, FieldIndex> = new Map()

/** The index of a list of fields. */
export function indexFields(
  fields: readonly QueryField[],
  join?: string,
  others: ReadonlyMap<string, FieldIndex> = none,
): FieldIndex {
  const byPath = new Map(fields.map((field) => [field.path, field]))
  const heads = fields.flatMap(({ path }) => (path.includes('.') ? [path.slice(0, path.indexOf('.'))] : []))
  return { byPath, groups: new Set(heads.filter((head) => !byPath.has(head))), join, others }
}

type FieldMatch = { field: QueryField; deeper: string[]; join?: string } | { message: string }

/** Resolves `~name.path` to the index of the rows and the path in it. Null for other paths; no index for an unknown name. */
function elsewhere({ others }: FieldIndex, path: string): { index?: FieldIndex; rest: string } | null {
  if (!path.startsWith('~')) return null
  const [name = '', ...rest] = path.slice(1).split('.')
  const index = others.get(name)
  return { index: index && { ...index, others: none }, rest: rest.join('.') }
}

/** Whether a path only groups fields, so that an object is allowed there: `data`, `~name`, `~name.data`. */
export function isGroup(index: FieldIndex, path: string): boolean {
  const other = elsewhere(index, path)
  if (!other) return index.groups.has(path)
  return other.index !== undefined && (other.rest === '' || isGroup(other.index, other.rest))
}

/** Resolves a dotted path to a field and nested keys, or returns an error message. */
export function findField(index: FieldIndex, path: string): FieldMatch {
  const other = elsewhere(index, path)
  if (other) return other.index ? findField(other.index, other.rest) : { message: undefinedJoin }
  const match = findOwn(index, path)
  return 'message' in match ? match : { ...match, join: index.join }
}

function findOwn({ byPath, groups }: FieldIndex, path: string): FieldMatch {
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

/** Whether values of the field have nested keys or items: maps, lists and geometries do. */
function hasInside({ type }: QueryField): boolean {
  return !['text', 'number', 'boolean', 'date'].includes(type)
}
