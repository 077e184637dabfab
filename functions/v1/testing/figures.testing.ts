import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { testPart } from '#scripts/test-part.ts'

const folder = fileURLToPath(new URL('../../../.cache/proofs/', import.meta.url))

/** Whether to run the full proofs, as `npm run test:full` does, or the reduced size of `npm test`. */
export const isFullRun = process.env.PROOF_SIZE === 'full'

/**
 * Whether to run only a cross-section: `npm test` does so with the files that the extended tests run whole. Also whole is
 * a file that is run by its path.
 */
export const isCrossSection = !isFullRun && ![undefined, '', 'extended'].includes(process.env[testPart])

/** Selects what to test: all items, or in a cross-section every `step`th, beginning with another one each `turn`. */
export const pickCrossSection = <Item>(items: readonly Item[], step: number, turn = 0): readonly Item[] =>
  isCrossSection ? items.filter((_item, i) => (i + turn) % step === 0) : items

/** Writes the figures of a proof, for `npm run test:full` to print. */
export function writeMeasurements(name: string, figures: Record<string, number | string>): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}${name}.json`, JSON.stringify(figures, null, 2))
}
