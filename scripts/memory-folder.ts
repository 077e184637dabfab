import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { readStartTime } from './process-facts.ts'

const memory = '/dev/shm'
const prefix = 'commonplace-tests-'
/**
 * The free memory in bytes below which the disk is used: the demo's data, browser profiles and the tests' own
 * clusters take a third of it.
 */
const least = 4e9

/**
 * Opens a folder in memory for temporary data of tests: databases, buckets, browser profiles, each thousands
 * of files, which on a disk take processor time to create and more to remove. It is removed with this
 * process; those of killed processes are removed first. Null where the system has no memory file system or
 * too little memory: then tests use the disk.
 */
export function openMemoryFolder(): { path: string; close(): void } | null {
  if (!existsSync(memory)) return null
  for (const name of readdirSync(memory).filter((each) => each.startsWith(prefix)))
    if (readStartTime(Number(name.slice(prefix.length))) === null)
      rmSync(join(memory, name), { recursive: true, force: true })
  const { bavail, bsize } = statfsSync(memory)
  // Files in it take memory from programs.
  if (Math.min(bavail * bsize, freemem()) < least) return null
  const path = join(memory, `${prefix}${process.pid}`)
  mkdirSync(path, { recursive: true })
  // Postgres runs as another user and must be able to traverse it.
  chmodSync(path, 0o711)
  return { path, close: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) }
}
