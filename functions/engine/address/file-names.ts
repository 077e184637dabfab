import { hex, sha256 } from '#functions/platform/digest.ts'

const endings: Record<string, string> = { 'text/csv': 'csv', 'image/svg+xml': 'svg' }

/**
 * A content-addressed file name, so that the content of a name never changes. With `of`, it is prefixed with a hash of
 * that subject, so that two versions of a drawing are known to be of the same figure.
 */
export async function fileName(type: string, body: string, of?: string): Promise<string> {
  const ending = endings[type.split(';')[0] ?? ''] ?? 'json'
  const name = `${hex((await sha256(body)).subarray(0, 12))}.${ending}`
  return of === undefined ? name : `${hex((await sha256(of)).subarray(0, 4))}-${name}`
}

/** The subject's hash in a file name; null for names without one, and for anything else. */
export const findSubjectHash = (name: string): string | null =>
  /^([0-9a-f]{8})-[0-9a-f]{24}\.\w+$/.exec(name)?.[1] ?? null
