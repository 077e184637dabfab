import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes a file atomically, even if the process is killed meanwhile: under a temporary name first. `mode` is
 * the file's permissions.
 */
export function writeFileAtomic(file: string, content: string | Uint8Array, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true })
  const partial = `${file}.partial`
  writeFileSync(partial, content, { mode })
  renameSync(partial, file)
}

/** Reads a JSON file; null where it is missing or half-written. */
export function readWhole<T>(file: string): T | null {
  if (!existsSync(file)) return null
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch {
    return null
  }
}
