/** Limits of recorded responses: items of a list, and characters in all. */
const maxItems = 2
const maxLength = 3000

/** A response as shown in the reference: stable between runs, lists cut, without keys. Undefined if it is too long. */
export function toExampleResponse(answer: unknown): unknown {
  const short = shortenResponse(answer)
  return JSON.stringify(short).length > maxLength ? undefined : short
}

function shortenResponse(node: unknown): unknown {
  if (typeof node === 'string') return steady(node)
  if (Array.isArray(node)) return node.slice(0, maxItems).map(shortenResponse)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, shortenResponse(value)]))
}

/** Replaces times, random ids and keys by constants. */
function steady(text: string): string {
  return text
    .replace(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/, (time) =>
      Date.parse(time) > started ? '2026-11-21T10:00:00.000Z' : time,
    )
    .replace(
      /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
      '5f3a1c9e-8d42-4b6f-9a70-1e2d3c4b5a69',
    )
    .replace(/^cp[a-z]_[\w-]{20,}$/, 'cpk_shown-this-once')
    .replace(/^whsec_[\w+/=-]{20,}$/, 'whsec_shown-this-once')
}

/** A day before the start of the tests; later times were created by them. */
const started = Date.now() - 24 * 60 * 60 * 1000
