import { isObject, type JsonObject } from './json.ts'

/**
 * A condition of a question as the builder draws it. `form` and `isPlain` remember how it was written, so that what is
 * not changed is written the same way again. What has no drawing is `raw` and stays as it is.
 */
export type FilterNode =
  | { kind: 'group'; join: 'all'; form: 'object' | 'list' | 'and'; of: FilterNode[] }
  | { kind: 'group'; join: 'any'; of: FilterNode[] }
  | { kind: 'not'; of: FilterNode }
  | { kind: 'rule'; field: string; operator: string; value: unknown; isPlain: boolean }
  | { kind: 'condition'; value: JsonObject }
  | { kind: 'raw'; json: unknown }
export type FilterGroup = Extract<FilterNode, { kind: 'group' }>
export type FilterRule = Extract<FilterNode, { kind: 'rule' }>

const isValue = (value: unknown) => isObject(value) && ('field' in value || 'function' in value)

/** Reads the conditions of a query, of an aggregation or of a part of them. */
export function parseFilter(input: unknown): FilterNode {
  if (Array.isArray(input)) return { kind: 'group', join: 'all', form: 'list', of: input.map(parseFilter) }
  if (!isObject(input)) return { kind: 'raw', json: input }
  if (typeof input.function === 'string') return { kind: 'condition', value: input }
  const members = Object.entries(input).flatMap(([key, value]) => entry(key, value))
  const [only] = members
  return only && members.length === 1 ? only : { kind: 'group', join: 'all', form: 'object', of: members }
}

function entry(key: string, value: unknown): FilterNode[] {
  const raw: FilterNode[] = [{ kind: 'raw', json: { [key]: value } }]
  if (key === '$or' && Array.isArray(value))
    return [{ kind: 'group', join: 'any', of: value.map(parseFilter) }]
  if (key === '$and' && Array.isArray(value))
    return [{ kind: 'group', join: 'all', form: 'and', of: value.map(parseFilter) }]
  if (key === '$not' && (isObject(value) || Array.isArray(value)))
    return [{ kind: 'not', of: parseFilter(value) }]
  if (key.startsWith('$')) return raw
  if (!isObject(value) || isValue(value))
    return [{ kind: 'rule', field: key, operator: '$eq', value, isPlain: true }]
  const operators = Object.entries(value)
  const isDrawn = operators.length > 0 && operators.every(([name]) => isComparison(name))
  if (!isDrawn) return raw
  return operators.map(([operator, right]) => ({
    kind: 'rule',
    field: key,
    operator,
    value: right,
    isPlain: false,
  }))
}

const isComparison = (name: string) => name.startsWith('$') && !['$and', '$or', '$not'].includes(name)

/** The conditions as JSON: exactly what was read where nothing was changed. */
export function printFilter(node: FilterNode): unknown {
  switch (node.kind) {
    case 'raw':
      return node.json
    case 'condition':
      return node.value
    case 'not':
      return { $not: printFilter(node.of) }
    case 'rule':
      return { [node.field]: node.isPlain ? node.value : { [node.operator]: node.value } }
    case 'group': {
      const members = node.of.map(printFilter)
      if (node.join === 'any') return { $or: members }
      if (node.form === 'and') return { $and: members }
      return (node.form === 'object' && merge(members)) || members
    }
  }
}

/** Several conditions as one object; null where two of them would need the same key. */
function merge(members: unknown[]): JsonObject | null {
  const all: JsonObject = {}
  for (const member of members) {
    if (!isObject(member) || typeof member.function === 'string') return null
    for (const [key, value] of Object.entries(member)) {
      const before = all[key]
      if (!Object.hasOwn(all, key)) all[key] = value
      else if (areOperators(before) && areOperators(value) && !overlap(before, value))
        all[key] = { ...before, ...value }
      else return null
    }
  }
  return all
}

const areOperators = (value: unknown): value is JsonObject =>
  isObject(value) && Object.keys(value).every(isComparison)
const overlap = (a: JsonObject, b: JsonObject) => Object.keys(a).some((key) => Object.hasOwn(b, key))

/** The conditions as a group that others can be added to. */
export function asGroup(node: FilterNode | null): FilterGroup {
  if (node?.kind === 'group') return node
  return { kind: 'group', join: 'all', form: 'object', of: node ? [node] : [] }
}

/** The group with its conditions joined otherwise. */
export function joinedBy(group: FilterGroup, join: 'all' | 'any', isInner: boolean): FilterGroup {
  if (group.join === join) return group
  const { of } = group
  if (join === 'any') return { kind: 'group', join, of }
  return { kind: 'group', join, form: isInner ? 'and' : 'object', of }
}

/** The operator of a rule as a person reads it: a plain list means "one of", a plain null "is empty". */
export function operatorOf({ operator, value, isPlain }: FilterRule): string {
  return isPlain && Array.isArray(value) ? '$in' : operator
}
