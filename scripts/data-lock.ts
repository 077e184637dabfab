import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beginOf } from './process-facts.ts'
import { Stop } from './stop.ts'
import { readWhole } from './whole-file.ts'

interface Holder {
  pid: number
  began: string | null
}

/**
 * Takes a folder of data for this process: two on one embedded database would destroy it. What a killed process left is taken
 * over, also where another process has its number by now. Gives the function that lets go. Throws `Stop` while another one has it.
 */
export function lockFolder(folder: string, name: string): () => void {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'lock')
  const holder = readWhole<Partial<Holder>>(file)
  const began = holder?.pid === undefined || holder.pid === process.pid ? null : beginOf(holder.pid)
  if (began !== null && began === holder?.began)
    throw new Stop(
      `Commonplace is already running on ${name} (process ${holder.pid}). Stop it first (kill ${holder.pid}), or use it as it is.`,
    )
  const ownHolder: Holder = { pid: process.pid, began: beginOf(process.pid) }
  rmSync(file, { force: true })
  writeFileSync(file, JSON.stringify(ownHolder), { flag: 'wx' })
  return () => rmSync(file, { force: true })
}
