import type { Issue } from '#functions/shapes/issue.ts'

/** Deepest nesting and most parts of one request's options. Deeper or larger is a question no one means. */
const maxDepth = 32
const maxNodes = 10_000
/** Bodies carry records and geometry, so only their depth is bounded. */
export const maxBodyDepth = 64

/**
 * The first thing that makes a value too deep or too large, or null. Walks without recursion, so no depth of
 * nesting can overflow the stack.
 */
export function tooBig(value: unknown, depthLimit = maxDepth, nodeLimit = maxNodes): Issue | null {
  const waiting: { value: unknown; path: (string | number)[] }[] = [{ value, path: [] }]
  let nodes = 0
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    nodes += 1
    if (nodes > nodeLimit) return tooMany(at.path.slice(0, 1), nodeLimit)
    if (typeof at.value !== 'object' || at.value === null) continue
    if (at.path.length > depthLimit)
      return { path: at.path.slice(0, 3), message: `Must not be nested deeper than ${depthLimit} levels.` }
    const isList = Array.isArray(at.value)
    const parts = isList ? (at.value as unknown[]).length : Object.keys(at.value).length
    // Known at once: what is too large is not written down first.
    if (nodes + waiting.length + parts > nodeLimit) return tooMany(at.path.slice(0, 1), nodeLimit)
    for (const [key, part] of Object.entries(at.value))
      waiting.push({ value: part, path: [...at.path, isList ? Number(key) : key] })
  }
  return null
}

function tooMany(path: (string | number)[], limit: number): Issue {
  return { path, message: `Must not have more than ${limit} parts.` }
}
