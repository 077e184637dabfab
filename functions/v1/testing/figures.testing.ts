import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../../.cache/proofs/', import.meta.url))

/** Whether to run the full proofs, as `npm run test:full` does, or the reduced size of `npm test`. */
export const isFullRun = process.env.PROOF_SIZE === 'full'

/**
 * Whether to run only a cross-section: `npm test` does so with the files that the extended tests run whole. Also whole is
 * a file that is run by its path.
 */
export const isCrossSection = !isFullRun && ['usual', 'beside', 'after'].includes(process.env.TEST_PART ?? '')

/** Writes the figures of a proof, for `npm run test:full` to print. */
export function writeMeasurements(name: string, figures: Record<string, number | string>): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}${name}.json`, JSON.stringify(figures, null, 2))
}
