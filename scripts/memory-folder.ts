import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { beginOf } from './process-facts.ts'

const memory = '/dev/shm'
const prefix = 'commonplace-tests-'
/** Data of the demo, profiles of browsers and clusters of the tests' own come to a third of it. */
const least = 4e9

/**
 * A folder in memory for what tests write and throw away: databases, buckets, profiles of browsers, each thousands of files, which on
 * a disk take processor time to make and more to remove. It ends with this process; what a killed one left is removed first. Null
 * where the system has no such place or too little of it: then tests write where they would anyway.
 */
export function openMemoryFolder(): { path: string; close(): void } | null {
  if (!existsSync(memory)) return null
  for (const name of readdirSync(memory).filter((each) => each.startsWith(prefix)))
    if (beginOf(Number(name.slice(prefix.length))) === null)
      rmSync(join(memory, name), { recursive: true, force: true })
  const { bavail, bsize } = statfsSync(memory)
  // What stands there is taken from what programs may have.
  if (Math.min(bavail * bsize, freemem()) < least) return null
  const path = join(memory, `${prefix}${process.pid}`)
  mkdirSync(path, { recursive: true })
  // Postgres runs as a user of its own and goes through it.
  chmodSync(path, 0o711)
  return { path, close: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) }
}
