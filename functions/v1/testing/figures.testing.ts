import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../../.cache/proofs/', import.meta.url))

/** Whether the whole proof is asked for, as `npm run test:full` does, or the size that `npm test` has time for. */
export const isFull = process.env.PROOF_SIZE === 'full'

/** Keeps what a proof has counted, for `npm run test:full` to print. */
export function keepFigures(name: string, figures: Record<string, number | string>): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}${name}.json`, JSON.stringify(figures, null, 2))
}

/** What a proof has counted; null when it has not run. */
export function figuresOf(name: string): Record<string, number | string> | null {
  try {
    return JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8')) as Record<string, number | string>
  } catch {
    return null
  }
}
