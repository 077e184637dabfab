/** The part of a file that a `Range` header requests. */
type Range = { offset: number; length: number } | 'whole' | 'unsatisfiable'

/**
 * Parses a Range header for a file of `size` bytes. An absent or malformed header, one in another unit or with several
 * ranges requests the whole file (RFC 9110 lets a server ignore it).
 */
export function readRange(header: string | null, size: number): Range {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '')
  const [, first = '', last = ''] = match ?? []
  if (!match || (first === '' && last === '')) return 'whole'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { offset: size - length, length }
  }
  const offset = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < offset) return 'whole'
  return offset >= size ? 'unsatisfiable' : { offset, length: end - offset + 1 }
}
