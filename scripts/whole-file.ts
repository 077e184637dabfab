import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes a file that is there whole or not at all, also when the process is killed meanwhile: under another name first. `mode` is
 * who may read it.
 */
export function writeWhole(file: string, content: string | Uint8Array, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true })
  const partial = `${file}.partial`
  writeFileSync(partial, content, { mode })
  renameSync(partial, file)
}

/** What a JSON file holds; null where it is missing, or was written by half. */
export function readWhole<T>(file: string): T | null {
  if (!existsSync(file)) return null
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch {
    return null
  }
}
