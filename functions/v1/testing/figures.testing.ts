import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../../.cache/proofs/', import.meta.url))

/** Whether the whole proof is asked for, as `npm run test:full` does, or the size that `npm test` has time for. */
export const isFull = process.env.PROOF_SIZE === 'full'

/** Keeps what a proof has counted, for `npm run test:full` to print. */
export function keepFigures(name: string, figures: Record<string, number | string>): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}${name}.json`, JSON.stringify(figures, null, 2))
}
