import { hex, sha256 } from '#functions/platform/digest.ts'

/** Whether an If-None-Match header, a list of tags or `*`, matches a tag by weak comparison (RFC 9110, 13.1.2). */
export function matchesEtag(header: string | null, etag: string | null): boolean {
  if (!header || !etag) return false
  const removeWeakPrefix = (tag: string) => tag.trim().replace(/^W\//, '')
  return (
    header.trim() === '*' || header.split(',').some((tag) => removeWeakPrefix(tag) === removeWeakPrefix(etag))
  )
}

/** 96 bits of the SHA-256 of a text, hex. */
export async function hashText(text: string): Promise<string> {
  return hex((await sha256(text)).subarray(0, 12))
}
