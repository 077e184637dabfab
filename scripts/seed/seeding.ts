import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { readWhole, writeWhole } from '../whole-file.ts'

/** Stands beside the data from before the first row of the demo is written until the last one is. */
const fileOf = (folder: string) => join(folder, 'seeding.json')

/** Notes that the demo is being written into a database: a start that finds this goes on. */
export function markSeeding(folder: string, database: string): void {
  writeWhole(fileOf(folder), JSON.stringify({ database }))
}

/** Whether a start was killed while it wrote the demo into this database. */
export function isSeeding(folder: string, database: string): boolean {
  return readWhole<{ database: string }>(fileOf(folder))?.database === database
}

/** Notes that the demo is whole. */
export function endSeeding(folder: string): void {
  rmSync(fileOf(folder), { force: true })
}
