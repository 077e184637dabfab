import { hex, sha256 } from '#functions/platform/digest.ts'

/** The longest id a record may bring, in characters: it has to fit into an index. */
export const maxIdLength = 512

/**
 * The record's own `id` as text; null where the data type has no such field or the record no value for it.
 * Such records are identified by `contentId`.
 */
export function findOwnId(data: unknown, schema: Record<string, unknown>): string | null {
  if (!Object.hasOwn(schema, 'id') || typeof data !== 'object' || data === null) return null
  const id = (data as Record<string, unknown>).id
  if (id === undefined || id === null || id === '') return null
  return typeof id === 'string' ? id : canonical(id)
}

/**
 * An id computed from a record's content (a UUID of its SHA-256), so that equal content is the same record.
 */
export async function contentId(data: Record<string, unknown>): Promise<string> {
  return toUuid(await sha256(canonical(data)))
}

/** JSON with the keys of every object sorted, so that equal content is equal text. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`
}

/** The first 16 bytes of a hash as a UUID of version 8 (application-defined). */
function toUuid(hash: Uint8Array): string {
  const bytes = hash.slice(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const text = hex(bytes)
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
    '-',
  )
}
