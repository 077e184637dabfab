import type { Issue } from '#functions/shapes/issue.ts'

/** The deepest nesting and the most parts of a request's options. No legitimate query exceeds them. */
const maxDepth = 32
const maxNodes = 10_000
/** Bodies carry records and geometry, so only their depth is bounded. */
export const maxBodyDepth = 64

/**
 * The first issue of a value that is too deep or too large, or null. Iterative, so that deep nesting cannot overflow the
 * stack.
 */
export function findSizeIssue(value: unknown, depthLimit = maxDepth, nodeLimit = maxNodes): Issue | null {
  const waiting: { value: unknown; path: (string | number)[] }[] = [{ value, path: [] }]
  let nodes = 0
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    nodes += 1
    if (nodes > nodeLimit) return createTooManyIssue(at.path.slice(0, 1), nodeLimit)
    if (typeof at.value !== 'object' || at.value === null) continue
    if (at.path.length > depthLimit)
      return { path: at.path.slice(0, 3), message: `Must not be nested deeper than ${depthLimit} levels.` }
    const isList = Array.isArray(at.value)
    const parts = isList ? (at.value as unknown[]).length : Object.keys(at.value).length
    // Checked before the parts are pushed, to bound the memory.
    if (nodes + waiting.length + parts > nodeLimit) return createTooManyIssue(at.path.slice(0, 1), nodeLimit)
    for (const [key, part] of Object.entries(at.value))
      waiting.push({ value: part, path: [...at.path, isList ? Number(key) : key] })
  }
  return null
}

function createTooManyIssue(path: (string | number)[], limit: number): Issue {
  return { path, message: `Must not have more than ${limit} parts.` }
}
