import { hex, sha256 } from '#functions/platform/digest.ts'

const endings: Record<string, string> = { 'text/csv': 'csv', 'image/svg+xml': 'svg' }

/**
 * The name of a file beside a page: by its content, so it never changes what it holds. Before it stands, where the file is `of`
 * something, a sign of that: two versions of a drawing are known to be of one figure.
 */
export async function fileName(type: string, body: string, of?: string): Promise<string> {
  const ending = endings[type.split(';')[0] ?? ''] ?? 'json'
  const name = `${hex((await sha256(body)).subarray(0, 12))}.${ending}`
  return of === undefined ? name : `${hex((await sha256(of)).subarray(0, 4))}-${name}`
}

/** The sign of what a file is of; null for one that is found by its content alone, and for what is no such name. */
export const shownIn = (name: string): string | null =>
  /^([0-9a-f]{8})-[0-9a-f]{24}\.\w+$/.exec(name)?.[1] ?? null
