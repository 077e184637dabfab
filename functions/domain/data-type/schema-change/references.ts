import { isPlainObject } from '#functions/shapes/fields/plain.ts'

/** Called with the key of each field in a query; returns its new key. */
export interface FieldVisitor {
  (key: string): string
  /** Converts a constant that is compared with a field, by the field's old key; without it constants do not change. */
  constant?: (key: string, value: unknown) => unknown
}

/** The owners of field names in a query: its own records, and by alias those of joins. */
interface Names {
  own: FieldVisitor
  joins: Map<string, FieldVisitor>
  parent: FieldVisitor | null
}

const none: FieldVisitor = (key) => key
/** The position in a filter: at its top, below `data`, or at the operand of a field. */
type Level = 'top' | 'data' | 'field'

/**
 * Renames the fields in a query as `own` says; everything else is unchanged. `findJoinVisitor(entry)`: the visitor for the
 * records of a join, null where they are of another data type.
 */
export function withNames(
  query: Record<string, unknown>,
  own: FieldVisitor | null,
  findJoinVisitor: (entry: Record<string, unknown>) => FieldVisitor | null = () => null,
): Record<string, unknown> {
  const joins = Array.isArray(query.joins) ? query.joins.filter(isPlainObject) : []
  const byAlias = new Map(joins.map((entry) => [String(entry.alias), findJoinVisitor(entry) ?? none]))
  const names: Names = { own: own ?? none, joins: byAlias, parent: null }
  const entries = Object.entries(query).map(([key, part]): [string, unknown] => {
    if (key === 'exclusions') return [key, exclude(part, names)]
    if (key !== 'joins' || !Array.isArray(part)) return [key, clause(key, part, names)]
    return [
      key,
      part.map((entry) =>
        isPlainObject(entry) ? joinWithNames(entry, names, findJoinVisitor(entry)) : entry,
      ),
    ]
  })
  return Object.fromEntries(entries)
}

/** The same for filters alone, or for an expression of the query language, as in observers. */
export function filtersWithNames(filters: unknown, own: FieldVisitor): unknown {
  return filter(filters, { own, joins: new Map(), parent: null }, 'top')
}

/** A value of the query language: a constant, a field or a function of values. */
export function valueWithNames(value: unknown, own: FieldVisitor): unknown {
  return values(value, { own, joins: new Map(), parent: null })
}

function joinWithNames(entry: Record<string, unknown>, outer: Names, joinVisitor: FieldVisitor | null) {
  const names = { own: joinVisitor ?? none, joins: outer.joins, parent: outer.own }
  const entries = Object.entries(entry).map(([key, part]) => [key, clause(key, part, names)] as const)
  return Object.fromEntries(entries)
}

function clause(key: string, part: unknown, names: Names): unknown {
  return key === 'filters' || key === 'where' ? filter(part, names, 'top') : values(part, names)
}

/** Values at any depth; an aggregation's own filters are filters. */
function values(node: unknown, names: Names): unknown {
  if (Array.isArray(node)) return node.map((each) => values(each, names))
  if (!isPlainObject(node)) return node
  const entries = Object.entries(node).map(([key, part]): [string, unknown] => [
    key,
    key === 'field' && typeof part === 'string'
      ? path(part, names)
      : key === 'arguments' && Array.isArray(part)
        ? convertConstants(part, names).map((each) => values(each, names))
        : clause(key, part, names),
  ])
  return Object.fromEntries(entries)
}

/** The arguments of a function; constants are converted for the first field among them. */
function convertConstants(values: unknown[], names: Names): unknown[] {
  const of = values
    .map((each) => (isPlainObject(each) && typeof each.field === 'string' ? each.field : ''))
    .find(Boolean)
  return of === undefined
    ? values
    : values.map((each) => (isPlainObject(each) ? each : constant(each, of, names)))
}

/** `of`: the path of the field that the operand belongs to. */
function filter(node: unknown, names: Names, level: Level, of = ''): unknown {
  if (Array.isArray(node)) return node.map((each) => filter(each, names, level, of))
  if (!isPlainObject(node)) return level === 'field' ? constant(node, of, names) : node
  if (Object.hasOwn(node, 'field') || Object.hasOwn(node, 'function')) return values(node, names)
  const entries = Object.entries(node).map(([key, part]): [string, unknown] => {
    if (key.startsWith('$') || level === 'field') return [key, filter(part, names, level, of)]
    if (level === 'top' && key === 'data' && isPlainObject(part)) return [key, filter(part, names, 'data')]
    const newKey = level === 'data' ? path(`data.${key}`, names).slice('data.'.length) : path(key, names)
    return [newKey, filter(part, names, 'field', level === 'data' ? `data.${key}` : key)]
  })
  return Object.fromEntries(entries)
}

function exclude(part: unknown, names: Names): unknown {
  if (typeof part === 'string')
    return part
      .split(',')
      .map((name) => path(name.trim(), names))
      .join(',')
  return Array.isArray(part)
    ? part.map((name) => (typeof name === 'string' ? path(name, names) : name))
    : part
}

const fieldPath = /^(~([^.]+)[.])?data[.]([^.]+)([.].*)?$/s

function findVisitor(alias: string | undefined, names: Names): FieldVisitor | null | undefined {
  return alias === undefined ? names.own : alias === 'parent' ? names.parent : names.joins.get(alias)
}

/** Converts a constant that is compared with a field; the operand of a nested path is text. */
function constant(value: unknown, of: string, names: Names): unknown {
  const [, , alias, key, rest] = fieldPath.exec(of) ?? []
  if (key === undefined || rest !== undefined) return value
  return findVisitor(alias, names)?.constant?.(key, value) ?? value
}

/** `data.key` with a nested path; `~alias.data.key` of a join, `~parent.data.key` from inside of one. */
function path(text: string, names: Names): string {
  const [, head = '', alias, key, rest = ''] = fieldPath.exec(text) ?? []
  if (key === undefined) return text
  return `${head}data.${(findVisitor(alias, names) ?? none)(key)}${rest}`
}
