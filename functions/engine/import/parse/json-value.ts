import { formatByteCount, type ReadLimits } from './caps.ts'
import { isText } from '#functions/shapes/fields/plain.ts'
import { findDuplicateMember, quoteInexactNumbers, measureJson } from './measure.ts'
import type { Fault } from './sink.ts'

type JsonRow = { value: unknown; kept: number; fault?: undefined } | { fault: Fault }

/**
 * Parses a JSON text as a row, or returns its issue. Nothing is lost: duplicate members are an issue,
 * integers beyond 2^53 become texts (`kept` counts them), and strings that databases cannot store (NUL, lone
 * surrogates) are an issue of their member.
 */
export function jsonRow(text: string, caps: Pick<ReadLimits, 'row' | 'text' | 'depth' | 'members'>): JsonRow {
  const fault = (message: string, field: string | null = null, value?: string) => ({
    fault: { field, message, ...(value !== undefined && { value }) },
  })
  if (text.length > caps.row) return fault(`The row is longer than ${formatByteCount(caps.row)}.`)
  const measures = measureJson(text)
  if (measures.depth > caps.depth) return fault(`The row is nested deeper than ${caps.depth} levels.`)
  if (measures.members > caps.members)
    return fault(`The row has more than ${caps.members} lists, objects and members.`)
  let value: unknown
  let quotedCount = 0
  try {
    value = JSON.parse(text)
    if (measures.hasLong) {
      const exact = quoteInexactNumbers(text)
      quotedCount = exact.kept
      if (quotedCount) value = JSON.parse(exact.text)
    }
  } catch (error) {
    return fault(`The row is not JSON: ${getErrorReason(error)}.`, null, text)
  }
  if (measures.colons !== membersIn(value)) {
    const path = findDuplicateMember(text)
    return fault(`The member "${path ?? ''}" comes twice in one object.`, path, text)
  }
  if (measures.longest > caps.text) {
    const match = findTextPath(value, (inner) => inner.length > caps.text)
    if (match) return fault(`The text is longer than ${formatByteCount(caps.text)}.`, match.path, match.text)
  }
  if (/\\u(0000|[dD][89a-fA-F])/.test(text)) {
    const hit = findTextPath(value, (inner) => !isText(inner))
    if (hit) return fault('The text holds a NUL or half of a character.', hit.path, hit.text)
  }
  return { value, kept: quotedCount }
}

/**
 * The path of the first matching text in a value; null if none matches. The path of the value itself is null.
 */
export function findTextPath(
  value: unknown,
  isSo: (text: string) => boolean,
): { path: string | null; text: string } | null {
  if (typeof value === 'string') return isSo(value) ? { path: null, text: value } : null
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    const match = findTextPath(inner, isSo)
    if (match) return { path: match.path === null ? key : `${key}.${match.path}`, text: match.text }
  }
  return null
}

function membersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) {
    let sum = 0
    // Items of lists of numbers, such as coordinates, have no members.
    for (const item of value) if (typeof item === 'object') sum += membersIn(item)
    return sum
  }
  let sum = 0
  for (const key of Object.keys(value)) sum += 1 + membersIn((value as Record<string, unknown>)[key])
  return sum
}

/** The message of the engine, without the quoted text at its end. */
function getErrorReason(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  return message
    .replace(/, "?\.*[\s\S]* is not valid JSON$/, '')
    .replace(/ in JSON at position/, ' at position')
}
