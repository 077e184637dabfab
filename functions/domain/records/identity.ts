import { hex, sha256 } from '#functions/platform/digest.ts'

/** The longest id of its own a record may have: an index must hold it. */
export const maxIdLength = 512

/**
 * What the record says its id is, as text, by which it is found again; null where the data type has no such field or the
 * record no value: then it is found by `contentId`.
 */
export function ownIdOf(data: unknown, schema: Record<string, unknown>): string | null {
  if (!Object.hasOwn(schema, 'id') || typeof data !== 'object' || data === null) return null
  const id = (data as Record<string, unknown>).id
  if (id === undefined || id === null || id === '') return null
  return typeof id === 'string' ? id : canonical(id)
}

/** An id made of all that a record says, so the same content is the same record. */
export async function contentId(data: Record<string, unknown>): Promise<string> {
  return uuidOf(await sha256(canonical(data)))
}

/** JSON with the keys of every object in order, so that equal content is equal text. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`
}

/** The first 16 bytes of a hash as a UUID of version 8 (made by the application). */
function uuidOf(hash: Uint8Array): string {
  const bytes = hash.slice(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const text = hex(bytes)
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
    '-',
  )
}
