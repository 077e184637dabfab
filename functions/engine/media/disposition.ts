import { kinds } from './kinds.ts'

/**
 * A safe file name: no path, no control or direction-changing characters, at most 150 characters, and an extension that
 * matches the type, so that nothing is saved as a program.
 */
export function toSafeFileName(name: string, type: string): string {
  const clean = name
    .replace(/\p{Surrogate}/gu, '')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')
    .replace(/[/\\:*?"<>|]/g, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '')
  const short = [...clean].slice(0, 150).join('') || 'file'
  const endings = kinds[type]?.extensions ?? (['bin'] as const)
  const ending = /\.([^.]+)$/.exec(short)?.[1]?.toLowerCase()
  return ending !== undefined && endings.includes(ending) ? short : `${short}.${endings[0]}`
}

/** A Content-Disposition header (RFC 6266): a plain name for old clients, the true one for the rest. */
export function contentDisposition(disposition: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_')
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${disposition}; filename="${plain}"; filename*=UTF-8''${exact}`
}
