import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readStartTime } from './process-facts.ts'
import { CommandError } from './command-error.ts'
import { readWhole } from './atomic-file.ts'

interface Holder {
  pid: number
  began: string | null
}

/**
 * Locks a folder of data for this process: two processes on one embedded database would destroy it. The stale
 * lock of a killed process is taken over, even if another process has its pid by now. Returns the function
 * that unlocks. Throws `CommandError` while another process holds the lock.
 */
export function lockFolder(folder: string, name: string): () => void {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'lock')
  const holder = readWhole<Partial<Holder>>(file)
  const startTime = holder?.pid === undefined || holder.pid === process.pid ? null : readStartTime(holder.pid)
  if (startTime !== null && startTime === holder?.began)
    throw new CommandError(
      `Commonplace is already running on ${name} (process ${holder.pid}). Stop it first (kill ${holder.pid}), or use it as it is.`,
    )
  const ownHolder: Holder = { pid: process.pid, began: readStartTime(process.pid) }
  rmSync(file, { force: true })
  writeFileSync(file, JSON.stringify(ownHolder), { flag: 'wx' })
  return () => rmSync(file, { force: true })
}
