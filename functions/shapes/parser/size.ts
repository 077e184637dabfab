import { maxFileBytes } from '../file.ts'
import { formatBytes } from '../format-bytes.ts'
import { parsers, type ParserName } from './index.ts'

/**
 * Why a file is too large: its format (null: an archive of files), the limit of `most` bytes, its own size (null: unknown) and
 * what to do, in sentences.
 */
export function formatTooLargeFile(
  name: ParserName | null,
  most: number,
  bytes: number | null = null,
): string {
  const own = bytes === null ? 'more' : formatBytes(bytes)
  if (name === null)
    return `A zip archive may have ${formatBytes(most)}, and this has ${own}. Divide it into several.`
  const { label, tooLarge } = parsers[name]
  return `A file of the format ${label} may have ${formatBytes(most)}, and this has ${own}. ${tooLarge}`
}

/** Which files may be uploaded, for people: all formats, and the largest file; beside a format its own limit if it is smaller. */
export function describeUploads(): string {
  const formats = Object.values(parsers).map(({ label, mostBytes }) =>
    mostBytes !== null && mostBytes < maxFileBytes ? `${label} (up to ${formatBytes(mostBytes)})` : label,
  )
  return `${formats.join(', ')}. Up to ${formatBytes(maxFileBytes)}.`
}
