import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { readWhole, writeFileAtomic } from '../atomic-file.ts'

/** Exists beside the data from before the first row of the demo is written until the last one is. */
const getFilePath = (folder: string) => join(folder, 'seeding.json')

/** Marks that the demo is being written into a database: a start that finds the mark continues. */
export function markSeeding(folder: string, database: string): void {
  writeFileAtomic(getFilePath(folder), JSON.stringify({ database }))
}

/** Returns whether a start was killed while it wrote the demo into this database. */
export function isSeeding(folder: string, database: string): boolean {
  return readWhole<{ database: string }>(getFilePath(folder))?.database === database
}

/** Removes the mark when the demo is complete. */
export function endSeeding(folder: string): void {
  rmSync(getFilePath(folder), { force: true })
}
