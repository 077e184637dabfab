import { Failure } from '#functions/errors.ts'
import { decodePercents } from '#functions/shapes/percent-encoding.ts'

/** Most parameters of a query string, most items of a list, most levels of nesting. */
export const limit = 10_000

/** An intermediate node. Becomes a list when all its keys are indices, otherwise an object. */
type Node = Map<string, Node | Leaf>
type Leaf = { values: (string | null)[] }

/** Options whose value may be JSON, when it starts with a bracket. Clients usually send brackets in keys instead. */
const structured = new Set([
  'filters',
  'orderings',
  'aggregations',
  'groupings',
  'joins',
  'includes',
  'within',
  'intersects',
])

/**
 * Parses `a[b][0]=c` into plain data. Keys without `=` are null, repeated keys are lists, dots are literal, `[]`
 * appends, gaps in lists are closed. Objects have no prototype, so `__proto__` is an ordinary name. Linear time, without
 * recursion. Failure `invalid` for more than 10,000 parameters, levels or items, and for a key that is both a value and
 * an object.
 */
export function parseQuery(text: string): Record<string, unknown> {
  const root: Node = new Map()
  const parts = (text.startsWith('?') ? text.slice(1) : text).split('&')
  if (parts.length > limit) throw createTooManyError([], 'parameters')
  for (const part of parts) {
    if (!part) continue
    const equals = part.indexOf('=')
    const key = decode(equals < 0 ? part : part.slice(0, equals))
    setValue(root, segments(key), equals < 0 ? null : decode(part.slice(equals + 1)))
  }
  const query = toPlainObject(root)
  for (const key of Object.keys(query)) if (structured.has(key)) query[key] = fromJson(query[key])
  return query
}

/** The segments of `a[b][]`: a, b and ''. An unclosed bracket is literal. */
function segments(key: string): string[] {
  const open = key.indexOf('[')
  if (open <= 0 || !key.endsWith(']')) return [key]
  const words = key.slice(open + 1, -1).split('][')
  if (words.length > limit) throw createTooManyError([key.slice(0, open)], 'levels')
  return [key.slice(0, open), ...words]
}

function setValue(root: Node, words: string[], value: string | null) {
  let node = root
  for (const [depth, word] of words.entries()) {
    const key = word === '' && depth > 0 ? String(node.size) : word
    if (node.size >= limit && !node.has(key)) throw createTooManyError(words.slice(0, 1), 'items')
    const child = node.get(key)
    const isLast = depth === words.length - 1
    if (child && isLast !== isLeaf(child))
      throw new Failure('invalid', {
        issues: [{ path: words.slice(0, 3), message: 'Must not be both a value and an object.' }],
      })
    if (isLast) {
      if (child) (child as Leaf).values.push(value)
      else node.set(key, { values: [value] })
    } else {
      const next = (child as Node | undefined) ?? new Map()
      if (!child) node.set(key, next)
      node = next
    }
  }
}

const isLeaf = (node: Node | Leaf): node is Leaf => !(node instanceof Map)

type PlainObject = Record<string, unknown>

/** Converts maps to objects and lists, with a work list instead of recursion. */
function toPlainObject(root: Node): PlainObject {
  const result = Object.create(null) as PlainObject
  const waiting: { node: Node; into: PlainObject | unknown[] }[] = [{ node: root, into: result }]
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    const { node, into } = at
    const keys = Array.isArray(into) ? [...node.keys()].sort((a, b) => Number(a) - Number(b)) : node.keys()
    for (const key of keys) {
      const child = node.get(key) as Node | Leaf
      let value: unknown
      if (isLeaf(child)) value = child.values.length === 1 ? child.values[0] : child.values
      else {
        const next = isList(child) ? [] : (Object.create(null) as PlainObject)
        waiting.push({ node: child, into: next })
        value = next
      }
      if (Array.isArray(into)) into.push(value)
      else into[key] = value
    }
  }
  return result
}

function isList(node: Node): boolean {
  for (const key of node.keys()) if (!/^(0|[1-9]\d{0,4})$/.test(key) || Number(key) >= limit) return false
  return true
}

function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  return spaced.includes('%') ? (decodePercents(spaced) ?? spaced) : spaced
}

/** Parses a value that is valid JSON; anything else is returned unchanged, to be validated by the schema. */
function fromJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}

function createTooManyError(path: string[], subject: string): Failure {
  return new Failure('invalid', {
    issues: [{ path, message: `Must not have more than ${limit} ${subject}.` }],
  })
}
