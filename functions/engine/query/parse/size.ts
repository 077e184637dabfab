import type { Path } from '../error.ts'
import { QueryError } from '../error.ts'

const maxDepth = 32
const maxNodes = 10_000

interface Node {
  value: unknown
  depth: number
  inList: boolean
  parent?: Node
  segment?: string | number
}

/**
 * Rejects a query that is too deep or too large, or contains a character that Postgres cannot store, before it is
 * parsed. Iterative, stops at the first excess. An object is a level; a list only within a list. Throws a QueryError.
 */
export function checkSize(input: unknown): void {
  const waiting: Node[] = [{ value: input, depth: 0, inList: false }]
  let nodes = 0
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    nodes += 1
    if (nodes > maxNodes) refuse(node, `Must not have more than ${maxNodes} values.`)
    if (node.depth > maxDepth) refuse(node, `Must not be deeper than ${maxDepth} levels.`)
    const { value } = node
    if (typeof value === 'string' && value.includes('\0')) refuse(node, 'Must not contain a null character.')
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value)) {
      const depth = node.depth + (node.inList ? 1 : 0)
      if (value.length > maxNodes) refuse(node, `Must not have more than ${maxNodes} values.`)
      for (let i = value.length - 1; i >= 0; i--) {
        waiting.push({ value: value[i], depth, inList: true, parent: node, segment: i })
      }
      continue
    }
    const keys = Object.keys(value)
    if (keys.length > maxNodes) refuse(node, `Must not have more than ${maxNodes} values.`)
    for (const key of keys) {
      const child: Node = {
        value: (value as Record<string, unknown>)[key],
        depth: node.depth + 1,
        inList: false,
        parent: node,
        segment: key,
      }
      if (key.includes('\0')) refuse(child, 'Must not contain a null character.')
      waiting.push(child)
    }
  }
}

function refuse(node: Node, message: string): never {
  throw new QueryError([{ path: [...getNodePath(node)], message }])
}

function getNodePath(node: Node): Path {
  const path: (string | number)[] = []
  for (let at: Node | undefined = node; at?.segment !== undefined; at = at.parent) path.push(at.segment)
  return path.reverse()
}
