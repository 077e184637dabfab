import { isObject, type JsonObject } from './json.ts'

/**
 * A condition as edited in the builder. `form` and `isPlain` record its original notation, so that unchanged parts are serialized
 * identically. Unsupported parts are `raw` and unchanged.
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

/** Parses the conditions of a query, an aggregation or a part of them. */
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

/** Serializes conditions: exactly as parsed if unchanged. */
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

/** Merges conditions into one object; null if two need the same key. */
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

/** The conditions as a group that can be extended. */
export function asGroup(node: FilterNode | null): FilterGroup {
  if (node?.kind === 'group') return node
  return { kind: 'group', join: 'all', form: 'object', of: node ? [node] : [] }
}

/** The group with another conjunction. */
export function withConjunction(group: FilterGroup, join: 'all' | 'any', isInner: boolean): FilterGroup {
  if (group.join === join) return group
  const { of } = group
  if (join === 'any') return { kind: 'group', join, of }
  return { kind: 'group', join, form: isInner ? 'and' : 'object', of }
}

/** The operator of a rule for people: a plain list means "one of", a plain null "is empty". */
export function getShownOperator({ operator, value, isPlain }: FilterRule): string {
  return isPlain && Array.isArray(value) ? '$in' : operator
}
